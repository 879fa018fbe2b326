"""Comparing two systems question by question, and stopping as soon as the comparison is decided.

The questions of a run are a finite set, drawn in a seeded order without replacement. Two players bet against `the left
is not better on the whole set` and `the right is not better`; where one of them has multiplied its money by 2 / error,
its hypothesis is rejected. By Ville's inequality a true one is rejected with a chance of at most error / 2, however
often one looks (betting without replacement: Waudby-Smith and Ramdas, NeurIPS 2020; J. R. Stat. Soc. B 2024).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memarena_report.frame import Column, Floats

BETS = 24
"""Stakes that are played side by side; the money is their mean, so none must be chosen beforehand."""
LARGEST_STAKE = 0.9
"""Share of its money that a player stakes at most: one that stakes all is ruined by one question."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """Where a comparison of two systems on the same questions stopped."""

    left: str
    right: str
    better: str
    """The system that is better on the whole set, as far as decided; "" where it is not."""
    asked: int
    """Questions that were looked at."""
    questions: int
    """Questions of both."""

    @property
    def saved(self) -> int:
        """Questions that need not have been asked."""
        return self.questions - self.asked


def stop_early(columns: Sequence[tuple[str, Column]], *, error: float, seed: int) -> list[Stopped]:
    """Each pair of `columns` (label, rows of one metric: shares), in one order of the questions that `seed` draws.

    The comparison is that of the plain means over the questions that are valid in both; those of one question that
    was asked several times are averaged. Raises ValueError for an error that is not between 0 and 1.
    """
    from itertools import combinations

    import numpy as np

    if not 0 < error < 1:
        raise ValueError(f"the error is to be between 0 and 1: {error}")
    values = [(label, _by_unit(column)) for label, column in columns]
    found = []
    for (left, a), (right, b) in combinations(values, 2):
        both = sorted(a.keys() & b.keys())
        order = np.random.default_rng(seed).permutation(len(both))
        gains = np.array([a[both[place]] - b[both[place]] for place in order])
        asked, sign = decide(gains, error)
        better = left if sign > 0 else right if sign < 0 else ""
        found.append(Stopped(left, right, better, asked, len(both)))
    return found


def decide(gains: Floats, error: float) -> tuple[int, int]:
    """How many of `gains` (n,), each from -1 to 1, are looked at until the sign of their mean is decided, and the sign.

    The sign is 0 where all are looked at and no player has won.
    """
    if not len(gains):
        return 0, 0
    won = [_won(side, 2 / error) for side in (gains, -gains)]
    first = min(won)
    if first == len(gains) + 1:
        return len(gains), 0
    return first, 1 if won[0] < won[1] else -1


def _won(gains: Floats, money: float) -> int:
    """After how many gains the player against `their mean is at most 0` has `money`; one more than all: never."""
    import numpy as np

    total = len(gains)
    # Each gain as a number from 0 to 1; what is left of a set whose mean is 1/2 has this mean, before each draw.
    seen = (gains + 1) / 2
    left = np.arange(total, 0, -1)
    mean = (total / 2 - np.concatenate(([0.0], np.cumsum(seen)[:-1]))) / left
    impossible = mean < -1e-12
    sound = np.clip(mean, 1e-9, 1.0)
    stakes = np.linspace(LARGEST_STAKE / BETS, LARGEST_STAKE, BETS)
    # Nobody bets on what can only lose: a mean of 1 says that all that is left is 1.
    with np.errstate(divide="ignore"):
        growth = np.log1p(stakes[None, :] * (seen / sound - 1)[:, None])
    growth[mean >= 1] = 0.0
    capital = np.logaddexp.reduce(np.cumsum(growth, axis=0), axis=1) - np.log(BETS)
    wins = np.flatnonzero((capital >= np.log(money)) | impossible)
    return int(wins[0]) + 1 if len(wins) else total + 1


def _by_unit(column: Column) -> dict[int, float]:
    """The mean of the rows of each unit that are valid."""
    sums: dict[int, tuple[float, int]] = {}
    for unit, n, d in zip(column.unit.tolist(), column.n.tolist(), column.d.tolist(), strict=True):
        if d > 0:
            total, count = sums.get(unit, (0.0, 0))
            sums[unit] = total + n / d, count + 1
    return {unit: total / count for unit, (total, count) in sums.items()}
