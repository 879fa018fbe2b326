"""Seeds of evaluation and practice. The first practice has an honest supplier whose name is the gouger's later on."""

from __future__ import annotations

from typing import NamedTuple

from memarena_aha.keyed import Streams
from memarena_aha.vending.rules import VERSION
from memarena_aha.vending.suppliers import names_and_kinds

__all__ = ["Seeds", "draw_seeds"]

_LARGEST = 2**40
_TRIES = 1_000


class Seeds(NamedTuple):
    """The seeds of a pair."""

    evaluation: int
    practice: tuple[int, ...]
    stale_id: str
    """The id of the evaluation's gouger; an honest supplier of the first practice has its name."""


def draw_seeds(seed: int, number: int, practices: int) -> Seeds:
    """The seeds of pair `number` of the master seed `seed`; those of other pairs never depend on how many there are."""
    streams = Streams(f"{VERSION}-pairs|{seed}")
    evaluation = streams.between(0, _LARGEST, "evaluation", number)
    place, name = next(
        (place, name) for place, (name, kind) in enumerate(names_and_kinds(_world(evaluation)), 1) if kind == "gouger"
    )
    first = next(
        found
        for attempt in range(_TRIES)
        if _was_honest(found := streams.between(0, _LARGEST, "practice", number, 0, attempt), name)
    )
    later = [streams.between(0, _LARGEST, "practice", number, unit) for unit in range(1, practices)]
    return Seeds(evaluation, (first, *later), f"S{place}")


def _was_honest(seed: int, name: str) -> bool:
    return any(known == name and kind.startswith("honest") for known, kind in names_and_kinds(_world(seed)))


def _world(seed: int) -> Streams:
    return Streams(f"{VERSION}|{seed}")
