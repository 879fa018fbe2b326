"""Intervals of numbers: cluster bootstrap over samples, Wilson for a proportion of one sample.

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
FEW = 10
"""Below this many samples a bootstrap interval is marked: it tends to be too narrow."""

BLOCK = 1_000


@dataclass(frozen=True, slots=True)
class Interval:
    """A 95 % interval and how it was made."""

    lo: float | None
    hi: float | None
    method: str
    """`bootstrap`, `wilson`, or `none`."""
    note: str = ""
    """What a reader must know, e.g. why there is none."""


def intervals(quantities: Sequence[Quantity]) -> list[Interval]:
    """One interval each: bootstrap over the samples that a number rests on, Wilson for a proportion of one sample."""
    import numpy as np

    found: list[Interval | None] = [None] * len(quantities)
    groups: dict[tuple[int, int, bytes], list[int]] = {}
    for place, one in enumerate(quantities):
        covers = one.covers
        clusters = int(covers.sum())
        if clusters >= 2:
            groups.setdefault((clusters, len(covers), np.packbits(covers).tobytes()), []).append(place)
        else:
            found[place] = _alone(one.counts, clusters)
    # Groups of one size share their draws, which are kept for a few sizes only.
    for (clusters, *_), places in sorted(groups.items()):
        covers = quantities[places[0]].covers
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
    blocks = [mean_of_parts(weights @ num, weights @ den, sizes) for weights in weights_of(int(covers.sum()))]
    return np.concatenate(blocks)


def wilson(hits: int, n: int) -> tuple[float, float]:
    """Wilson's score interval for a proportion (E. B. Wilson, JASA 1927)."""
    z = _normal((1 + CONFIDENCE) / 2)
    share, spread = hits / n, z * z / n
    middle = (share + spread / 2) / (1 + spread)
    half = z / (1 + spread) * sqrt(share * (1 - share) / n + spread / (4 * n))
    return max(0.0, middle - half), min(1.0, middle + half)


def weights_of(clusters: int) -> Iterator[Floats]:
    """How often each cluster is drawn in each draw, in blocks of `BLOCK` draws (draws x clusters)."""
    import numpy as np

    weights = _weights(clusters)
    for start in range(0, DRAWS, BLOCK):
        yield weights[start : start + BLOCK].astype(np.float64)


@lru_cache(maxsize=16)
def _weights(clusters: int) -> NDArray[np.uint16]:
    """How often each cluster is drawn in each draw (draws x clusters): multinomial with equal chances."""
    import numpy as np

    rng = np.random.default_rng([SEED, clusters])
    weights = np.empty((DRAWS, clusters), dtype=np.uint16)
    rows = np.arange(BLOCK)[:, None] * clusters
    for start in range(0, DRAWS, BLOCK):
        drawn = rng.integers(0, clusters, size=(BLOCK, clusters)) + rows
        counted = np.bincount(drawn.ravel(), minlength=BLOCK * clusters)
        weights[start : start + BLOCK] = counted.reshape(BLOCK, clusters)
    return weights


def mean_of_parts(num: Floats, den: Floats, sizes: Sequence[int]) -> Floats:
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
