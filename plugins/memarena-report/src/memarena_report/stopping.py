"""Comparing two systems question by question, and stopping as soon as the comparison is decided.

The questions of a run are a finite set, drawn in a seeded order without replacement. Two players bet against `the left
is not better on the whole set` and `the right is not better`; where one of them has multiplied its money by 2 / error,
its hypothesis is rejected. By Ville's inequality a true one is rejected with a chance of at most error / 2, however
often one looks (betting without replacement: Waudby-Smith and Ramdas, NeurIPS 2020; J. R. Stat. Soc. B 2024).

Near the end of a finite set its mean is all but known, so that even a tie would be decided. Each player therefore has
to win a second game as well, in which the questions are draws from a pool without end.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memarena.errors import UsageError

if TYPE_CHECKING:
    from memarena_report.frame import Column, Floats, Ints
    from memarena_report.levels import Level

BETS = 24
"""Stakes that are played side by side; the money is their mean, so none must be chosen beforehand."""
LARGEST_STAKE = 0.9
"""Share of its money that a player stakes at most: one that stakes all is ruined by one question."""


@dataclass(frozen=True, slots=True)
class Rule:
    """When a comparison may stop."""

    error: float = 0.05
    """The chance, for each pair, that it is decided for the wrong side, or at all where the two are equal."""
    seed: int = 0
    """Draws the order of the questions."""

    def __post_init__(self) -> None:
        if not 0 < self.error < 1:
            raise UsageError(f"--error {self.error:g}: it is a chance, above 0 and below 1")

    @classmethod
    def asked(cls, *, stop_early: bool, error: float | None, seed: int | None) -> Rule | None:
        """The rule of these flags; None without --stop-early. Raises UsageError where the others would do nothing."""
        given = {name: value for name, value in (("error", error), ("seed", seed)) if value is not None}
        if given and not stop_early:
            raise UsageError(f"--{next(iter(given))} belongs to --stop-early, which was not given")
        return cls(**given) if stop_early else None  # type: ignore[arg-type]


@dataclass(frozen=True, slots=True)
class Stopped:
    """Where a comparison of two systems on the same questions stopped."""

    metric: str
    left: str
    right: str
    higher: str
    """The system that is higher on the whole set, as far as decided; "" where it is not."""
    asked: int
    """Questions that were looked at."""
    questions: int
    """Questions of both."""
    saved: int
    """Questions that need not have been asked."""


def stop_early(
    metric: str, columns: Sequence[tuple[str, Column]], *, rule: Rule, level: Level, pooled: bool = False
) -> list[Stopped]:
    """Each pair of `columns` (label, rows of `metric`), in one order of the questions that `rule` draws.

    Compared are the means at `level` over the questions that are valid in both; those of one question that was asked
    several times are averaged. Raises UsageError for a metric that is no share, or weighs a question by the system.
    """
    from itertools import combinations

    import numpy as np

    found = []
    for (left, a), (right, b) in combinations(columns, 2):
        gains = _gains(metric, a, b, level, pooled=pooled)
        order = np.random.default_rng(rule.seed).permutation(len(gains))
        asked, sign = decide(gains[order], rule.error)
        higher = left if sign > 0 else right if sign < 0 else ""
        found.append(Stopped(metric, left, right, higher, asked, len(gains), len(gains) - asked))
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
    """After how many gains the player against `their mean is at most 0` has `money` in both games; one more than all:
    never."""
    import numpy as np

    total = len(gains)
    # Each gain as a number from 0 to 1; what is left of a set whose mean is 1/2 has this mean, before each draw.
    seen = (gains + 1) / 2
    left = np.arange(total, 0, -1)
    mean = (total / 2 - np.concatenate(([0.0], np.cumsum(seen)[:-1]))) / left
    without_end = _money(seen, np.full(total, 0.5))
    wins = np.flatnonzero(((_money(seen, mean) >= np.log(money)) | (mean < -1e-12)) & (without_end >= np.log(money)))
    return int(wins[0]) + 1 if len(wins) else total + 1


def _money(seen: Floats, mean: Floats) -> Floats:
    """The logarithm of what 1 has become after each of `seen`, betting that they are above `mean`."""
    import numpy as np

    sound = np.clip(mean, 1e-9, 1.0)
    stakes = np.linspace(LARGEST_STAKE / BETS, LARGEST_STAKE, BETS)
    growth = np.log1p(stakes[None, :] * (seen / sound - 1)[:, None])
    # Nobody bets on what can only lose: a mean of 1 says that all that is left is 1.
    growth[mean >= 1] = 0.0
    money: Floats = np.logaddexp.reduce(np.cumsum(growth, axis=0), axis=1) - np.log(BETS)
    return money


def _gains(metric: str, left: Column, right: Column, level: Level, *, pooled: bool) -> Floats:
    """What the left gains on each question that both have, as much as the question counts at `level`: from -1 to 1."""
    import numpy as np

    units, a, weight, sample = _by_unit(left, pooled=pooled)
    others, b, other, _ = _by_unit(right, pooled=pooled)
    both, here, there = np.intersect1d(units, others, assume_unique=True, return_indices=True)
    if not len(both):
        return np.zeros(0)
    a, weight, sample, b, other = a[here], weight[here], sample[here], b[there], other[there]
    if min(a.min(), b.min()) < 0 or max(a.max(), b.max()) > 1:
        raise UsageError(f"--stop-early: {metric} is not between 0 and 1; only shares can be compared so")
    if not np.allclose(weight, other):
        raise UsageError(f"--stop-early: the systems weigh the units of {metric} in their own ways: compare all of it")
    if level == "samples":
        weight = weight / np.bincount(sample, weights=weight)[sample]
    gains: Floats = (a - b) * weight / weight.max()
    return gains


def _by_unit(column: Column, *, pooled: bool) -> tuple[Ints, Floats, Floats, Ints]:
    """The units that are valid, and of each: the mean of its rows, its weight, its sample."""
    import numpy as np

    rows = column.take(column.d > 0)
    units, first, place = np.unique(rows.unit, return_index=True, return_inverse=True)
    counts = np.bincount(place)
    value = np.bincount(place, weights=rows.n / rows.d) / counts
    weight = np.bincount(place, weights=rows.weight * rows.d if pooled else rows.weight) / counts
    return units, value, weight, rows.sample[first]
