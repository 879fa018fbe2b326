"""Who makes a sample of which kind of order. To add a regime, add a line here and an order in `order.py`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, cast

from memarena.errors import UsageError
from memarena.records import Record
from memarena_builder.order import DeskOrder, HouseOrder, LifelongOrder, Order, PlayedOrder, TwinOrder, ValleyOrder
from memarena_builder.streams import Streams
from memarena_builder.validators.problem import Problem

if TYPE_CHECKING:
    from memarena_builder.agentic.trajectory import Trajectory
    from memarena_builder.lifelong import Built

MAKERS: Mapping[str, str] = {
    "LifelongOrder": "memarena_builder.makers:lifelong",
    "TwinOrder": "memarena_builder.makers:twin",
    "HouseOrder": "memarena_builder.makers:house",
    "ValleyOrder": "memarena_builder.makers:valley",
    "DeskOrder": "memarena_builder.makers:desk",
}
"""By the class of the order: `module:function`, imported when it is first needed."""
NEEDS: Mapping[str, tuple[str, str]] = {
    "HouseOrder": ("minigrid", "grid"),
    "ValleyOrder": ("crafter", "craft"),
    "DeskOrder": ("playwright", "desk"),
}
"""By the class of the order: a module that it takes, and the extra that brings it."""


class Made(Record, frozen=True, kw_only=True):
    """What was made of one order."""

    sample_id: str
    files: tuple[str, ...]
    """POSIX paths relative to the data set."""
    counts: dict[str, int]
    """Sessions, turns, points by kind, pictures, questions by type (`questions FR`)."""
    problems: tuple[Problem, ...] = ()


def make(order: Order, root: Path) -> Made:
    """Make the sample of `order` and write it below `root`."""
    module, _, name = MAKERS[type(order).__name__].partition(":")
    maker = cast(Callable[[Order, Path], Made], getattr(import_module(module), name))
    return maker(order, root)


def require(orders: Iterable[Order]) -> None:
    """Raise UsageError where an order takes a library that is not installed."""
    for name in dict.fromkeys(type(order).__name__ for order in orders):
        module, extra = NEEDS.get(name, ("", ""))
        if module and find_spec(module) is None:
            raise UsageError(
                f"the agentic part needs {module}: pip install 'memarena-builder[{extra}]', or build --part lifelong"
            )


def house(order: HouseOrder, root: Path) -> Made:
    """Make a sample of errands in a house."""
    from memarena_builder.agentic.grid.play import Play

    return _played(order, Play(order.recipe, _stream(order)).trajectory(order.sessions), root)


def valley(order: ValleyOrder, root: Path) -> Made:
    """Make a sample of tasks in a valley."""
    from memarena_builder.agentic.craft.play import Settler

    return _played(order, Settler(order.recipe, _stream(order)).trajectory(order.sessions), root)


def desk(order: DeskOrder, root: Path) -> Made:
    """Make a sample of tasks at a desk."""
    from memarena_builder.agentic.desk.play import Clerk

    return _played(order, Clerk(order.recipe, _stream(order)).trajectory(order.sessions), root)


def _stream(order: Order) -> Streams:
    return Streams(order.seed, (order.sample_id, "play"))


def _played(order: PlayedOrder, trajectory: Trajectory, root: Path) -> Made:
    from memarena_builder.agentic.sample import build_trajectory, write_trajectory

    built = build_trajectory(
        order, trajectory, questions=order.questions, checkpoints=order.checkpoints, sessions=order.sessions
    )
    return write_trajectory(built, root)


def lifelong(order: LifelongOrder, root: Path) -> Made:
    """Make a sample of dialogue sessions."""
    from memarena_builder.lifelong import build_sample

    return _written(build_sample(order), root)


def twin(order: TwinOrder, root: Path) -> Made:
    """Make the twin of a sample of dialogue sessions."""
    from memarena_builder.twins.choose import build_twin
    from memarena_builder.twins.file import ROW

    built, difference = build_twin(order.base, order.sample_id)
    return _written(built, root, [{"row": ROW, "base": order.base.sample_id, "difference": difference}])


def _written(built: Built, root: Path, rows: Iterable[Mapping[str, object]] = ()) -> Made:
    """Write a sample, with `rows` at the end of its log, and count what it has."""
    from memarena_builder.layout import write_sample

    points = [point for each in built.points.values() for point in each]
    counts = Counter({"sessions": len(built.plan.sessions), "pictures": len(built.plan.pictures)})
    counts["turns"] = sum(len(each.lines) for each in built.spoken.values())
    counts.update(f"points {point.kind}" for point in points)
    counts["told in two turns"] = sum(
        len(spoken.by_user(event.event_id)) == 2
        for session, spoken in zip(built.plan.sessions, built.spoken.values(), strict=True)
        for event in session.events
    )
    counts.update(f"told in a {event.arc} storyline" for event in built.plan.events() if event.arc)
    counts.update(f"events {event.kind}" for event in built.plan.events())
    counts["events E19"] = sum(len(each.idle()) for each in built.spoken.values())
    counts.update(f"distractors {event.distraction}" for event in built.plan.events() if event.distraction)
    counts.update(f"questions {question.type}" for stop in built.stops for question in stop.questions)
    return Made(
        sample_id=built.order.sample_id,
        files=write_sample(built, root, rows),
        counts=dict(sorted(counts.items())),
        problems=built.problems,
    )
