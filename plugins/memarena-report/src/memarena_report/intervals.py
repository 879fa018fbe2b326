"""Intervals and tests: cluster bootstrap, Wilson, paired differences, sign-flip permutation, Holm.

A sample is a cluster: its questions share sessions, so they are drawn together or not at all. Draws depend on
the number of clusters alone (fixed seed), so equal data give equal intervals, and two systems meet the same draws.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import TYPE_CHECKING, Any

from memarena_report.levels import Counts, Quantity

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memarena_report.frame import Floats, Mask

DRAWS = 10_000
SEED = 20_260_529
CONFIDENCE = 0.95
POWER = 0.8
EXACT = 13
"""Up to this many samples all sign flips are counted instead of drawn."""
FEW = 10
"""Below this many samples a bootstrap interval is marked: it tends to be too narrow."""

_BLOCK = 1_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval and how it was made."""

    lo: float | None
    hi: float | None
    method: str
    """`bootstrap`, `wilson`, or `none`."""
    note: str = ""
    """What a reader must know, e.g. why there is none."""


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


def intervals(quantities: Sequence[Quantity]) -> list[Interval]:
    """One interval each: bootstrap over the samples that a number rests on, Wilson for a proportion of one sample."""
    import numpy as np

    found: list[Interval | None] = [None] * len(quantities)
    groups: dict[tuple[int, bytes], list[int]] = {}
    for place, one in enumerate(quantities):
        covers = one.covers
        clusters = int(covers.sum())
        if clusters >= 2:
            groups.setdefault((len(covers), np.packbits(covers).tobytes()), []).append(place)
        else:
            found[place] = _alone(one.counts, clusters)
    for places in groups.values():
        covers = quantities[places[0]].covers
        clusters = int(covers.sum())
        note = f"only {clusters} samples: likely too narrow" if clusters < FEW else ""
        draws = bootstrap([quantities[place] for place in places], covers)
        low, high = np.quantile(draws, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2], axis=0)
        for place, lo, hi in zip(places, low, high, strict=True):
            found[place] = Interval(float(lo), float(hi), "bootstrap", note)
    return [one for one in found if one is not None]


def bootstrap(quantities: Sequence[Quantity], covers: Mask) -> Floats:
    """The values of `quantities` in each draw (draws x quantities), drawing among the samples in `covers`."""
    import numpy as np

    parts = [part for one in quantities for part in one.parts]
    num = np.stack([part.num[covers] for part in parts], axis=1)
    den = np.stack([part.den[covers] for part in parts], axis=1)
    sizes = [len(one.parts) for one in quantities]
    blocks = [_mean_parts(weights @ num, weights @ den, sizes) for weights in _blocks(int(covers.sum()))]
    return np.concatenate(blocks)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Wilson's score interval for a proportion (E. B. Wilson, JASA 1927)."""
    z = _normal((1 + CONFIDENCE) / 2)
    share, spread = hits / n, z * z / n
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / n + spread / (4 * n))
    return max(0.0, middle - half), min(1.0, middle + half)


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
    draws = np.concatenate([a.values(weights) - b.values(weights) for weights in _blocks(clusters)])
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
        return _mean_parts(weights @ self.num, weights @ self.den, [self.num.shape[1]])[:, 0]

    def swapped(self, other: _Sums, flips: Floats) -> Floats:
        """The values where the samples marked in `flips` come from `other`."""
        num = self.num.sum(axis=0) + flips @ (other.num - self.num)
        den = self.den.sum(axis=0) + flips @ (other.den - self.den)
        return _mean_parts(num, den, [self.num.shape[1]])[:, 0]


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
    for _ in range(DRAWS // _BLOCK):
        yield rng.integers(0, 2, size=(_BLOCK, clusters)).astype(np.float64)


def _blocks(clusters: int) -> Iterator[Floats]:
    import numpy as np

    weights = _weights(clusters)
    for start in range(0, DRAWS, _BLOCK):
        yield weights[start : start + _BLOCK].astype(np.float64)


@lru_cache(maxsize=16)
def _weights(clusters: int) -> NDArray[np.uint16]:
    """How often each cluster is drawn in each draw (draws x clusters): multinomial with equal chances."""
    import numpy as np

    rng = np.random.default_rng([SEED, clusters])
    weights = np.empty((DRAWS, clusters), dtype=np.uint16)
    rows = np.arange(_BLOCK)[:, None] * clusters
    for start in range(0, DRAWS, _BLOCK):
        drawn = rng.integers(0, clusters, size=(_BLOCK, clusters)) + rows
        counted = np.bincount(drawn.ravel(), minlength=_BLOCK * clusters)
        weights[start : start + _BLOCK] = counted.reshape(_BLOCK, clusters)
    return weights


def _mean_parts(num: Floats, den: Floats, sizes: Sequence[int]) -> Floats:
    """Each quantity in each draw: the mean of its parts that have a denominator (draws x quantities)."""
    import numpy as np

    has = den > 0
    ratio = np.divide(num, den, out=np.zeros_like(num), where=has)
    if all(size == 1 for size in sizes):
        return ratio
    starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
    total: Any = np.add.reduceat(ratio, starts, axis=1)
    count: Any = np.add.reduceat(has.astype(np.float64), starts, axis=1)
    result: Floats = np.divide(total, count, out=np.zeros_like(total), where=count > 0)
    return result


def _alone(counts: Counts, clusters: int) -> Interval:
    if not clusters:
        return Interval(None, None, "none", "no value")
    if counts.hits is None or not counts.n:
        return Interval(None, None, "none", "one sample: no interval")
    return Interval(*wilson(counts.hits, counts.n), "wilson", "one sample: its units taken as independent")


def _normal(share: float) -> float:
    from scipy.special import ndtri

    return float(ndtri(share))
