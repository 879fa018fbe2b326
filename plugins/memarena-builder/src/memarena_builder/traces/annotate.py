"""Gold and questions for sessions that are there: what turns state becomes points, updates and what is to be refused.

Facts are merged and revised over sessions as those of an agent that plays are: the same value again adds a turn to its
point, another value supersedes it. The same validators look at all of it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any

from msgspec.structs import replace

from memarena.errors import DataError
from memarena_builder.agentic.knowledge import tells
from memarena_builder.agentic.sample import BuiltTrajectory, as_json, build_scenes
from memarena_builder.agentic.trajectory import Learnt, Refused, Step, Trajectory
from memarena_builder.agentic.turns import Placed, Scene
from memarena_builder.order import Order
from memarena_builder.traces.log import moment
from memarena_builder.traces.pieces import Held, Told, cut
from memarena_builder.traces.relations import attribute, on_day, undated
from memarena_builder.traces.review import session_id
from memarena_builder.traces.statements import Statement
from memarena_builder.traces.untold import Untold
from memarena_builder.wording.turns import Line

Reader = Callable[[Sequence[tuple[str, str]]], Sequence[Sequence[Statement]]]
"""The turns of a session, a role and a text each -> what each of them states."""
IMPORTANCE = {
    "failure": 1.0,
    "outcome": 0.8,
    "allergy": 1.0,
    "residence": 0.9,
    "employer": 0.9,
    "name": 0.9,
    "entry": 0.4,
}
"""Of what a relation tells, where it is another one than usual."""


Days = dict[tuple[str, str, str], date]
"""By subject, relation and value: the day on which it was first told; later it is told again."""


def annotate(
    raw: Mapping[str, Any], order: Order, read: Reader, *, questions: int, checkpoints: int
) -> tuple[dict[str, Any], BuiltTrajectory]:
    """The sample with gold and questions, and what they were built from. Sessions of what an agent did are cut anew."""
    kept = [session for session in raw["sessions"] if session["dialogue"]]
    if not kept:
        raise DataError("has no turns", path="$.sessions")
    sessions = [_told(session["dialogue"], read) for session in kept]
    names, titles = [session_id(session) for session in kept], [session.get("title") for session in kept]
    if order.place.startswith("agent/"):
        held: Held = {}
        pieces = [(piece, title) for told, title in zip(sessions, titles, strict=True) for piece in cut(told, held)]
        sessions, titles = [piece for piece, _ in pieces], [title for _, title in pieces]
        names = [f"S{number:02}" for number in range(1, len(sessions) + 1)]
    times = list(_times(names, sessions))
    start = times[0][0].replace(hour=0, minute=0, second=0, microsecond=0)
    told_first: Days = {}
    rows = enumerate(zip(names, sessions, times, strict=True))
    scenes = tuple(_scene(name, place, told, when, start, told_first) for place, (name, told, when) in rows)
    untold, scenes = Untold(scenes), _told_apart(scenes)
    trajectory = _trajectory(scenes, untold)
    built = build_scenes(order, trajectory, scenes, start, questions=questions, checkpoints=checkpoints)
    return _whole(raw, built, sessions, titles), built


def _times(names: Sequence[str], sessions: Sequence[Sequence[Told]]) -> Iterator[list[datetime]]:
    """The times of all turns, session by session; raises DataError for a turn without one that can be read."""
    for name, told in zip(names, sessions, strict=True):
        times = [moment(each.raw.get("timestamp")) for each in told]
        if None in times:
            raise DataError(f"turn {times.index(None)} of session {name} has no time that can be read")
        yield [time for time in times if time]


def _told(dialogue: Sequence[Mapping[str, Any]], read: Reader) -> list[Told]:
    stated = read([(str(turn["role"]), str(turn["content"])) for turn in dialogue])
    return [Told(turn, tuple(each)) for turn, each in zip(dialogue, stated, strict=True)]


def _scene(
    name: str, place: int, told: Sequence[Told], times: Sequence[datetime], start: datetime, told_first: Days
) -> Scene:
    lines = []
    placed = []
    for number, (each, time) in enumerate(zip(told, times, strict=True)):
        text = str(each.raw["content"])
        lines.append(Line(role=each.raw["role"], text=text, time=time))
        sound = [one for one in each.stated if tells(text, one.subject, one.value)]
        step = Step(
            observation=text,
            action="",
            seen=tuple(_learnt(one, told_first.setdefault(one[:3], time.date())) for one in sound if not one.supposed),
            refused=tuple(_refused(one) for one in sound if one.supposed),
            told_by="observation",
            day=(time - start).days,
        )
        placed.append(Placed(step, number, number, number, ""))
    return Scene(name, place, tuple(placed), tuple(lines))


def _told_apart(scenes: Sequence[Scene]) -> tuple[Scene, ...]:
    """The sessions with no more days in the names of relations than it takes to tell several values apart: somebody's
    only purchase is simply that. Two of one day are told apart by no question, and are left out."""
    on_days: dict[tuple[str, str], set[str]] = {}
    ever: dict[tuple[str, str], set[str]] = {}
    steps = [placed.step for scene in scenes for placed in scene.steps]
    for one in (one for step in steps for one in step.seen if undated(one.attribute)):
        on_days.setdefault((one.subject, one.attribute), set()).add(one.value)
        ever.setdefault((one.subject, undated(one.attribute)), set()).add(one.value)

    def named(one: Learnt) -> Learnt | None:
        bare = undated(one.attribute)
        if not bare:
            return one
        if len(ever[one.subject, bare]) == 1:
            return replace(one, attribute=bare)
        return one if len(on_days[one.subject, one.attribute]) == 1 else None

    def kept(step: Step) -> Step:
        return replace(step, seen=tuple(found for one in step.seen if (found := named(one))))

    return tuple(
        scene._replace(steps=tuple(placed._replace(step=kept(placed.step)) for placed in scene.steps))
        for scene in scenes
    )


def _learnt(one: Statement, day: date) -> Learnt:
    name = on_day(one.relation, day)
    return Learnt(subject=one.subject, attribute=name, value=one.value, importance=IMPORTANCE.get(one.relation, 0.6))


def _refused(one: Statement) -> Refused:
    return Refused(subject=one.subject, attribute=one.relation, value=one.value, kind="guess")


def _trajectory(scenes: Sequence[Scene], untold: Untold) -> Trajectory:
    steps = tuple(placed.step for scene in scenes for placed in scene.steps)
    stated = [(one.subject, one.attribute) for step in steps for one in step.seen]
    stated += [(one.subject, one.attribute) for step in steps for one in step.refused]
    names = dict.fromkeys(name for _, name in stated)
    return Trajectory(
        environment="imported",
        attributes=tuple(map(attribute, names)),
        steps=steps,
        subjects=tuple(untold.pairs(stated)),
    )


def _whole(
    raw: Mapping[str, Any], built: BuiltTrajectory, sessions: Sequence[Sequence[Told]], titles: Sequence[Any]
) -> dict[str, Any]:
    """The sample's file: the turns as they were, with gold and questions."""
    made = as_json(built)
    blocks = {block["session_id"]: block["memory_points"] for block in made["memory_points"]}
    written = []
    for scene, told, title in zip(built.scenes, sessions, titles, strict=True):
        session: dict[str, Any] = {"_v2_session_id": scene.session_id, "dialogue": [dict(each.raw) for each in told]}
        session |= {"title": title} if title else {}
        if scene.session_id == "S00":
            session["memory_points"] = blocks.pop("S00", [])
        written.append(session)
    points = [{"session_id": name, "memory_points": each} for name, each in blocks.items()]
    stops = made["qa_checkpoints"]
    return {"sample_id": raw["sample_id"], "sessions": written, "memory_points": points, "qa_checkpoints": stops}
