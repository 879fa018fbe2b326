"""Instances of a family, each by its key: seed, index and split."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from memarena.errors import PluginError
from memarena_aha.euler.family import Family, Split
from memarena_aha.euler.values import Params, Value
from memarena_aha.keyed import Streams

__all__ = [
    "HAND_STEPS",
    "TRIES",
    "FamilyFault",
    "Instance",
    "Track",
    "degenerate",
    "draw",
    "fits",
    "sample",
    "streams_of",
]

Track = Literal["code", "closed"]
"""With a Python tool, or with nothing but thought (the method needs few steps by hand)."""

TRIES = 200
HAND_STEPS = 60
"""The most elementary steps of an instance in the closed track."""
TAIL = 10**6
"""A held-out answer differs from the taught one in its last six digits."""


class FamilyFault(PluginError):
    """The ranges of a family give no usable instance."""


@dataclass(frozen=True, slots=True)
class Instance:
    """One task with its answer."""

    family: Family
    split: Split
    seed: int
    index: int
    skin: int
    params: Mapping[str, Value]
    statement: str
    answer: int


def sample(
    family: Family, streams: Streams, split: Split, attempt: tuple[int, ...], track: Track = "code"
) -> Params | None:
    """Slots by key, made to fit one another; None where they are not of this split or ask for too many steps."""
    drawn = {slot.name: slot.values(split).pick(streams, slot.name, *attempt) for slot in family.slots}
    params = family.repair(**drawn)
    return params if fits(family, params, split, track) else None


def fits(family: Family, params: Params, split: Split, track: Track) -> bool:
    """True where the slots make a task of this split that the track allows."""
    if not family.valid(**params):
        return False
    if split != "small" and family.held_out(**params) != (split == "test"):
        return False
    return track == "code" or (family.hand_steps is not None and family.hand_steps(**params) <= HAND_STEPS)


def streams_of(family: Family, seed: int, index: int, split: Split) -> Streams:
    """The draws of an instance."""
    return Streams(f"euler|{family.family_id}|{seed}|{split}|{index}")


def draw(
    family: Family, seed: int, index: int, split: Split, track: Track = "code", taught: Instance | None = None
) -> Instance:
    """The instance of a key: the first attempt that is valid and not degenerate.

    A held-out instance differs from the taught one of the same seed and index in the last six digits of its answer;
    `taught` is that one, where it has been drawn already. Raises FamilyFault after 200 attempts.
    """
    if split == "test" and taught is None:
        taught = draw(family, seed, index, "teach", track)
    streams = streams_of(family, seed, index, split)
    skin = streams.between(0, len(family.skins(split)) - 1, "skin")
    for attempt in range(TRIES):
        params = sample(family, streams, split, (attempt,), track)
        if params is None:
            continue
        answer = family.solve_fast(**params)
        statement = family.statement(params, split, skin)
        if split == "small" or not degenerate(answer, statement, family.floor, taught.answer if taught else None):
            return Instance(family, split, seed, index, skin, params, statement, answer)
    raise FamilyFault(f"{family.family_id}: no usable {split} instance for seed {seed}, index {index} ({track} track)")


def degenerate(answer: int, statement: str, floor: int, taught: int | None = None) -> bool:
    """True where an answer is too plain: small, readable in the statement, or that of the taught task."""
    return (
        answer in (-1, 0, 1)
        or answer < floor
        or str(answer) in statement
        or (taught is not None and (answer - taught) % TAIL == 0)
    )
