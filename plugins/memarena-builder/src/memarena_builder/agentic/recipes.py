"""The agentic sub-categories of the published set, how many samples each has there, and by what ours are played.

What is played stands for what the name says (a house of MiniGrid for a household, our own pages for web sites); it is
never the original.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena.records import Record


class HouseRecipe(Record, frozen=True, kw_only=True, omit_defaults=False):
    """How errands in a house are drawn."""

    errands: tuple[str, ...]
    """Among `goto`, `fetch`, `put`, `open`."""
    chained: float = 0.0
    """Share of the errands that are two in a row."""
    room_size: int = 6
    things: int = 15
    locked: int = 3
    changes: float = 0.6
    """How often a thing is moved, and one painted, between two errands."""
    clumsy: float = 0.1
    """How often the agent does something that has no effect, where there is such a thing."""


class ValleyRecipe(Record, frozen=True, kw_only=True, omit_defaults=False):
    """How tasks in a valley of Crafter are drawn."""

    changes: float = 0.6
    """How often something built is moved, something beside it changed, something taken from the pack, between tasks."""
    clumsy: float = 0.3
    """How often the agent does something that has no effect, where there is such a thing."""


class DeskRecipe(Record, frozen=True, kw_only=True, omit_defaults=False):
    """What a kind of sample is played by."""

    apps: tuple[str, ...]
    items: int = 14
    """In each application."""
    small: bool = False
    """On a telephone."""


class Kind(NamedTuple):
    """One sub-category."""

    place: str
    """Its folder; the last part begins the ids of its samples."""
    samples: int
    """In the published set."""
    sessions: float
    """Sessions of a sample there, on average, before they are made to add up."""
    recipe: HouseRecipe | ValleyRecipe | DeskRecipe
    """How it is played here."""


NAVIGATE, HANDLE, ALL = ("goto", "open"), ("fetch", "put"), ("goto", "fetch", "put", "open")
GUI, EMBODIED, VAB = 15.0, 25.27, 14.6
"""Sessions of a sample by group."""


def _house(name: str, samples: int, recipe: HouseRecipe, sessions: float = EMBODIED) -> Kind:
    return Kind(f"agent/embodied/{name}", samples, sessions, recipe)


def _desk(name: str, samples: int, recipe: DeskRecipe, sessions: float) -> Kind:
    return Kind(f"agent/gui/{name}", samples, sessions, recipe)


KINDS: Sequence[Kind] = (
    _house("eb_alfred_base", 15, HouseRecipe(errands=HANDLE)),
    _house("eb_alfred_common_sense", 14, HouseRecipe(errands=HANDLE, clumsy=0.3)),
    _house("eb_alfred_complex_instruction", 14, HouseRecipe(errands=HANDLE, chained=0.7)),
    _house("eb_alfred_long_horizon", 14, HouseRecipe(errands=HANDLE, room_size=7, things=16)),
    _house("eb_alfred_visual_appearance", 12, HouseRecipe(errands=HANDLE, changes=0.9)),
    _house("eb_nav_base", 16, HouseRecipe(errands=NAVIGATE)),
    _house("eb_nav_common_sense", 15, HouseRecipe(errands=NAVIGATE, clumsy=0.3)),
    _house("eb_nav_complex_instruction", 17, HouseRecipe(errands=NAVIGATE, chained=0.7)),
    _house("eb_nav_long_horizon", 18, HouseRecipe(errands=NAVIGATE, room_size=7)),
    _house("eb_nav_visual_appearance", 13, HouseRecipe(errands=NAVIGATE, changes=0.9)),
    Kind("agent/embodied/minecraft", 32, VAB, ValleyRecipe()),
    _house("omnigibson", 40, HouseRecipe(errands=ALL, locked=4), VAB),
    _desk("css", 20, DeskRecipe(apps=("style",), items=18), VAB),
    _desk("excel", 24, DeskRecipe(apps=("sheet",), items=18), GUI),
    _desk("file_mgmt", 19, DeskRecipe(apps=("files",), items=18), GUI),
    _desk("image_edit", 30, DeskRecipe(apps=("image",), items=18), GUI),
    _desk("mobile", 19, DeskRecipe(apps=("calendar", "mail"), items=10, small=True), VAB),
    _desk("web", 27, DeskRecipe(apps=("mail", "calendar"), items=10), GUI),
    _desk("webarena_lite", 39, DeskRecipe(apps=("mail", "files", "calendar", "sheet"), items=6), VAB),
    _desk("word_docs", 25, DeskRecipe(apps=("document",), items=18), GUI),
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
