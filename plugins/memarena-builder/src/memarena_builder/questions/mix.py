"""How many pieces of evidence the questions of a sample rest on, and how many the next one is to rest on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena_builder.world.facts import Fact


class Size(NamedTuple):
    """A class of questions: how many pieces of evidence, and how large a share of all questions it is to be."""

    least: int
    most: int
    share: float

    @property
    def name(self) -> str:
        """`1-2`."""
        return f"{self.least}-{self.most}"

    def __contains__(self, pieces: object) -> bool:
        return isinstance(pieces, int) and self.least <= pieces <= self.most


SIZES = (Size(1, 2, 0.6), Size(3, 4, 0.3), Size(5, 6, 0.1))
"""Of the questions that can be answered."""
MOST = SIZES[-1].most
"""Pieces that a question rests on, at most."""
ANY = (Size(1, MOST, 1.0),)
"""Where it is all the same how many."""
OPEN: Mapping[str, tuple[float, ...]] = {
    "MC": (0.5, 0.35, 0.15), "TR": (0.2, 0.5, 0.3), "KR": (0.25, 0.45, 0.3), "TTL": (0.45, 0.55, 0.0),
    "VS": (0.3, 0.7, 0.0), "CMR": (0.0, 0.65, 0.35),
}  # fmt: skip
"""Types whose questions can rest on few pieces or on many: the share of each of `SIZES` to aim at. All other types rest
on one or two pieces, so these aim above the shares of `SIZES`, and a little higher still, for a checkpoint often cannot
ask for many pieces."""


OWN = 2
"""Weight of what is missing of a type, against what is missing of all types together."""


def pieces_of(evidence: Sequence[Fact]) -> int:
    """How many points and pictures it is: what only a picture tells is a point and a picture."""
    return sum(1 + fact.visual for fact in evidence)


class Mix:
    """Counts the questions of one sample by their size."""

    def __init__(self) -> None:
        self._counts: dict[str, Counter[Size]] = {}

    def add(self, kind: str, pieces: int) -> None:
        """Take in a question of a type that can be answered."""
        self._counts.setdefault(kind, Counter()).update(size for size in SIZES if pieces in size)

    def wanted(self, kind: str) -> tuple[Size, ...]:
        """The sizes that the next question of a type may have: first that of which the most are missing, of the type
        and of all together."""
        if kind not in OPEN:
            return ANY
        own = self._counts.get(kind, Counter())
        every = sum(self._counts.values(), Counter[Size]())
        shares = dict(zip(SIZES, OPEN[kind], strict=True))

        def surplus(size: Size) -> float:
            of_all = every[size] - size.share * (every.total() + 1)
            return of_all + OWN * (own[size] - shares[size] * (own.total() + 1))

        return tuple(sorted(SIZES, key=surplus))
