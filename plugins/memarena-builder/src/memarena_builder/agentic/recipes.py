"""The agentic sub-categories of the published set, how many samples each has there, and by what ours are played.

What is played stands for what the name says (a house of MiniGrid for a household); it is never the original.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena.records import Record


class Recipe(Record, frozen=True, kw_only=True, omit_defaults=False):
    """How errands in a house are drawn."""

    errands: tuple[str, ...]
    """Among `goto`, `fetch`, `put`, `open`."""
    chained: float = 0.0
    """Share of the errands that are two in a row."""
    room_size: int = 6
    things: int = 15
    locked: int = 2
    changes: float = 0.6
    """How often a thing is moved, and one painted, between two errands."""
    clumsy: float = 0.1
    """How often the agent does something that has no effect, where there is such a thing."""


class Kind(NamedTuple):
    """One sub-category."""

    place: str
    """Its folder; the last part begins the ids of its samples."""
    samples: int
    """In the published set."""
    sessions: float
    """Sessions of a sample there, on average, before they are made to add up."""
    recipe: Recipe | None
    """How it is played here; None where it is not."""


NAVIGATE, HANDLE, ALL = ("goto", "open"), ("fetch", "put"), ("goto", "fetch", "put", "open")
GUI, EMBODIED, VAB = 15.0, 25.27, 14.6
"""Sessions of a sample by group."""


def _house(name: str, samples: int, recipe: Recipe, sessions: float = EMBODIED) -> Kind:
    return Kind(f"agent/embodied/{name}", samples, sessions, recipe)


KINDS: Sequence[Kind] = (
    _house("eb_alfred_base", 15, Recipe(errands=HANDLE)),
    _house("eb_alfred_common_sense", 14, Recipe(errands=HANDLE, clumsy=0.3)),
    _house("eb_alfred_complex_instruction", 14, Recipe(errands=HANDLE, chained=0.7)),
    _house("eb_alfred_long_horizon", 14, Recipe(errands=HANDLE, room_size=7, things=16)),
    _house("eb_alfred_visual_appearance", 12, Recipe(errands=HANDLE, changes=0.9)),
    _house("eb_nav_base", 16, Recipe(errands=NAVIGATE)),
    _house("eb_nav_common_sense", 15, Recipe(errands=NAVIGATE, clumsy=0.3)),
    _house("eb_nav_complex_instruction", 17, Recipe(errands=NAVIGATE, chained=0.7)),
    _house("eb_nav_long_horizon", 18, Recipe(errands=NAVIGATE, room_size=7)),
    _house("eb_nav_visual_appearance", 13, Recipe(errands=NAVIGATE, changes=0.9)),
    _house("minecraft", 32, Recipe(errands=("fetch", "open"), locked=4, things=16), VAB),
    _house("omnigibson", 40, Recipe(errands=ALL, locked=3), VAB),
    Kind("agent/gui/css", 20, VAB, None),
    Kind("agent/gui/excel", 24, GUI, None),
    Kind("agent/gui/file_mgmt", 19, GUI, None),
    Kind("agent/gui/image_edit", 30, GUI, None),
    Kind("agent/gui/mobile", 19, VAB, None),
    Kind("agent/gui/web", 27, GUI, None),
    Kind("agent/gui/webarena_lite", 39, VAB, None),
    Kind("agent/gui/word_docs", 25, GUI, None),
)
SESSIONS, QUESTIONS = 7349, 22168
"""Of all agentic samples of the published set together."""


def shares(total: int, weights: Sequence[float]) -> list[int]:
    """`total` in whole numbers, in proportion to `weights`: they add up, and the largest remainders are rounded up."""
    whole = sum(weights)
    exact = [total * weight / whole for weight in weights]
    out = [int(each) for each in exact]
    order = sorted(range(len(out)), key=lambda place: (out[place] - exact[place], place))
    for place in order[: total - sum(out)]:
        out[place] += 1
    return out


def published() -> Mapping[str, Sequence[tuple[int, int]]]:
    """By folder: sessions and questions of each sample of the published set, as far as its totals tell."""
    weights = [kind.sessions for kind in KINDS for _ in range(kind.samples)]
    sessions = shares(SESSIONS, weights)
    questions = shares(QUESTIONS, [1.0] * len(weights))
    pairs = iter(zip(sessions, questions, strict=True))
    return {kind.place: [next(pairs) for _ in range(kind.samples)] for kind in KINDS}
