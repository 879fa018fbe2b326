"""The presets: which samples a data set has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from memarena.catalog import did_you_mean
from memarena.errors import UsageError
from memarena_builder.agentic.recipes import KINDS, HouseRecipe, Kind, published
from memarena_builder.order import DeskOrder, HouseOrder, LifelongOrder, Order
from memarena_builder.plan.quota import Quota

PROJECTS = ("academic", "education", "finance", "health", "software", "startup")
DEV_EVERY = 5
"""One sample of so many is of the split `dev`."""


class Preset(NamedTuple):
    """How many samples, and how large each is."""

    per_project: int
    """Samples of each professional domain."""
    personal: int
    """Samples of whole lives."""
    quota: Quota
    about: str
    agentic: int | None = 0
    """Samples of each agentic sub-category; None: as many as the published set has."""


PRESETS: Mapping[str, Preset] = {
    "tiny": Preset(
        1, 0, Quota(sessions=8, points=8, updates=3, rounds=10, checkpoints=3), "6 samples of 8 sessions, for tests"
    ),
    "small": Preset(1, 2, Quota(sessions=18), "8 samples of 18 sessions, one of each agentic sub-category", 1),
    "paper": Preset(3, 20, Quota(sessions=30), "samples, sessions and questions as in the paper", None),
    "stress": Preset(1, 1, Quota(sessions=100, points=5, updates=3, checkpoints=10), "7 samples of 100 sessions"),
}
"""By name."""


PARTS = ("all", "lifelong", "agentic")
"""Which samples of a preset are made."""


def orders(name: str, seed: int, part: str = "all") -> tuple[Order, ...]:
    """The orders of a preset, in the order of the data set; raises UsageError for an unknown name or part."""
    preset = PRESETS.get(name)
    if preset is None:
        raise UsageError(f"--preset {name}: there is no such preset{did_you_mean(name, PRESETS)}")
    if part not in PARTS:
        raise UsageError(f"--part {part}: there is no such part{did_you_mean(part, PARTS)}")
    made = [
        *(_lifelong(preset, seed) if part != "agentic" else ()),
        *(_agentic(preset, seed) if part != "lifelong" else ()),
    ]
    if not made:
        raise UsageError(f"--part {part}: the preset {name} has no such samples")
    return tuple(
        order if place % DEV_EVERY else _as_dev(order) for place, order in enumerate(made, 1)
    )  # fmt: skip


def _lifelong(preset: Preset, seed: int) -> Iterator[Order]:
    for domain in PROJECTS:
        for number in range(1, preset.per_project + 1):
            yield _order(f"lifelong/project/{domain}", domain, number, seed, preset.quota)
    for number in range(1, preset.personal + 1):
        yield _order("lifelong/personal", "personal", number, seed, preset.quota)


def _agentic(preset: Preset, seed: int) -> Iterator[Order]:
    sizes = published()
    for kind in KINDS:
        name = kind.place.rpartition("/")[2]
        for number, (sessions, questions) in enumerate(sizes[kind.place][: preset.agentic], 1):
            yield _played(f"{name}_{number:02}", kind, seed, sessions, questions)


def _played(sample_id: str, kind: Kind, seed: int, sessions: int, questions: int) -> Order:
    place, recipe = kind.place, kind.recipe
    if isinstance(recipe, HouseRecipe):
        return HouseOrder(
            sample_id=sample_id, place=place, seed=seed, recipe=recipe, sessions=sessions, questions=questions
        )
    return DeskOrder(
        sample_id=sample_id, place=place, seed=seed, recipe=recipe, sessions=sessions, questions=questions
    )  # fmt: skip


def _order(place: str, domain: str, number: int, seed: int, quota: Quota) -> LifelongOrder:
    return LifelongOrder(sample_id=f"{domain}_{number:02}", place=place, domain=domain, seed=seed, quota=quota)


def _as_dev(order: Order) -> Order:
    from msgspec.structs import replace

    return replace(order, split="dev")
