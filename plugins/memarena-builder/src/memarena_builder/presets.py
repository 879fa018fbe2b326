"""The presets: which samples a data set has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from memarena.catalog import did_you_mean
from memarena.errors import UsageError
from memarena_builder.order import LifelongOrder, Order
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


PRESETS: Mapping[str, Preset] = {
    "tiny": Preset(
        1, 0, Quota(sessions=8, points=8, updates=3, rounds=10, checkpoints=3), "6 samples of 8 sessions, for tests"
    ),
    "small": Preset(1, 2, Quota(sessions=18), "8 samples of 18 sessions"),
    "paper": Preset(3, 20, Quota(sessions=30), "38 samples of 30 sessions and 55 questions, as in the paper"),
    "stress": Preset(1, 1, Quota(sessions=100, points=5, updates=3, checkpoints=10), "7 samples of 100 sessions"),
}
"""By name."""


def orders(name: str, seed: int) -> tuple[Order, ...]:
    """The orders of a preset, in the order of the data set; raises UsageError for an unknown name."""
    preset = PRESETS.get(name)
    if preset is None:
        raise UsageError(f"--preset {name}: there is no such preset{did_you_mean(name, PRESETS)}")
    made = [
        _order(f"lifelong/project/{domain}", domain, number, seed, preset.quota)
        for domain in PROJECTS
        for number in range(1, preset.per_project + 1)
    ]
    made += [
        _order("lifelong/personal", "personal", number, seed, preset.quota) for number in range(1, preset.personal + 1)
    ]
    return tuple(
        order if place % DEV_EVERY else _as_dev(order) for place, order in enumerate(made, 1)
    )  # fmt: skip


def _order(place: str, domain: str, number: int, seed: int, quota: Quota) -> LifelongOrder:
    return LifelongOrder(sample_id=f"{domain}_{number:02}", place=place, domain=domain, seed=seed, quota=quota)


def _as_dev(order: LifelongOrder) -> LifelongOrder:
    from msgspec.structs import replace

    return replace(order, split="dev")
