"""Two systems on the same samples: paired bootstrap, sign-flip permutation, Holm, the smallest difference shown."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from memarena_report.intervals import BLOCK, CONFIDENCE, DRAWS, SEED, mean_of_parts, weights_of
from memarena_report.levels import Quantity

if TYPE_CHECKING:
    from memarena_report.frame import Floats, Mask

POWER = 0.8
EXACT = 13
"""Up to this many samples all sign flips are counted instead of drawn."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Two systems on the same units: `value` is left minus right."""

    left: float
    right: float
    value: float
    lo: float | None
    hi: float | None
    p: float | None
    """Two-sided, sign-flip permutation over samples; None with fewer than two samples."""
    exact: bool
    """All sign flips were counted."""
    detectable: float | None
    """The smallest difference that these data show with 80 % power at the 5 % level."""
    samples: int


def difference(left: Quantity, right: Quantity) -> Difference | None:
    """Compare two quantities of the same units on the samples that both cover; None where there are none."""
    import numpy as np

    covers = left.covers & right.covers
    clusters = int(covers.sum())
    if not clusters:
        return None
    a, b = _Sums.of(left, covers), _Sums.of(right, covers)
    ones = np.ones((1, clusters))
    seen_left, seen_right = float(a.values(ones)[0]), float(b.values(ones)[0])
    seen = seen_left - seen_right
    if clusters < 2:
        return Difference(seen_left, seen_right, seen, None, None, None, False, None, clusters)
    draws = np.concatenate([a.values(weights) - b.values(weights) for weights in weights_of(clusters)])
    lo, hi = np.quantile(draws, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return Difference(
        left=seen_left,
        right=seen_right,
        value=seen,
        lo=float(lo),
        hi=float(hi),
        p=_sign_flips(a, b, seen),
        exact=clusters <= EXACT,
        detectable=detectable(float(draws.std(ddof=1)), clusters),
        samples=clusters,
    )


def detectable(error: float, samples: int) -> float | None:
    """The smallest difference shown with 80 % power at the 5 % level, from a standard error: (t_.975 + t_.8) x error.

    None where the error is 0: the data vary too little to say.
    """
    from scipy.special import stdtrit

    if error <= 0 or samples < 2:
        return None
    freedom = samples - 1
    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2) + stdtrit(freedom, POWER)) * error


def holm(p: Sequence[float | None]) -> list[float | None]:
    """Holm's step-down adjustment over all tests that have a p (S. Holm, Scand. J. Statist. 1979)."""
    order = sorted((value, place) for place, value in enumerate(p) if value is not None)
    adjusted: list[float | None] = [None] * len(p)
    least = 0.0
    for rank, (value, place) in enumerate(order):
        least = max(least, min(1.0, value * (len(order) - rank)))
        adjusted[place] = least
    return adjusted


@dataclass(frozen=True, slots=True, eq=False)
class _Sums:
    """The sums of one quantity over the samples of a comparison: samples x parts."""

    num: Floats
    den: Floats

    @classmethod
    def of(cls, quantity: Quantity, covers: Mask) -> _Sums:
        import numpy as np

        num = np.stack([part.num[covers] for part in quantity.parts], axis=1)
        return cls(num, np.stack([part.den[covers] for part in quantity.parts], axis=1))

    def values(self, weights: Floats) -> Floats:
        return mean_of_parts(weights @ self.num, weights @ self.den, [self.num.shape[1]])[:, 0]

    def swapped(self, other: _Sums, flips: Floats) -> Floats:
        """The values where the samples marked in `flips` come from `other`."""
        num = self.num.sum(axis=0) + flips @ (other.num - self.num)
        den = self.den.sum(axis=0) + flips @ (other.den - self.den)
        return mean_of_parts(num, den, [self.num.shape[1]])[:, 0]


def _sign_flips(a: _Sums, b: _Sums, seen: float) -> float:
    """The share of sign flips (of swaps of the two systems, sample by sample) that differ as much as the data do."""
    import numpy as np

    clusters = len(a.num)
    extreme, total = 0, 0
    for flips in _flips(clusters):
        differences = a.swapped(b, flips) - b.swapped(a, flips)
        extreme += int(np.count_nonzero(np.abs(differences) >= abs(seen) - 1e-12))
        total += len(flips)
    return extreme / total if clusters <= EXACT else (extreme + 1) / (total + 1)


def _flips(clusters: int) -> Iterator[Floats]:
    import numpy as np

    if clusters <= EXACT:
        every = np.arange(2**clusters)[:, None] >> np.arange(clusters)[None, :]
        yield (every & 1).astype(np.float64)
        return
    rng = np.random.default_rng(SEED)
    for _ in range(DRAWS // BLOCK):
        yield rng.integers(0, 2, size=(BLOCK, clusters)).astype(np.float64)
