"""Means, differences and ratios over pairs, with intervals: a cluster bootstrap over blocks, part by part.

Blocks (a puzzle, a family, a seed) are drawn whole, within their part, so an aggregate is stratified. Draws depend on
the part and its number of blocks alone: every arm and every score meet the same draws.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from memarena.records import Record
from memarena_report.intervals import BLOCK, CONFIDENCE, DRAWS, FEW, SEED

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

__all__ = ["SAFE", "Figure", "Values", "apart", "mean", "ratio"]

SAFE = 5.0
"""A ratio is defined where its denominator is safely above so many points."""
RISK = 0.05
"""And where at most this share of the draws has one that is not."""
NO_GAIN = "no supported gain"


class Figure(Record, frozen=True, kw_only=True):
    """A number with all that it may not be shown without."""

    value: float | None = None
    lo: float | None = None
    """Percentile interval, 95 %."""
    hi: float | None = None
    bca_lo: float | None = None
    """Bias-corrected and accelerated (B. Efron, J. Am. Stat. Assoc. 1987), where it can be had."""
    bca_hi: float | None = None
    n: int = 0
    """Pairs."""
    blocks: int = 0
    note: str = ""
    """Why there is no value, or what to know of its interval."""


class Values:
    """One value a pair, in its block and part."""

    def __init__(self, by_pair: Mapping[str, float], places: Mapping[str, tuple[str, str]]) -> None:
        """`places`: pair -> (part, block)."""
        self.by_pair = by_pair
        self.places = places

    def minus(self, other: Values) -> Values:
        """The difference, on the pairs that both have."""
        both = {pair: value - other.by_pair[pair] for pair, value in self.by_pair.items() if pair in other.by_pair}
        return Values(both, self.places)

    def on(self, other: Values) -> Values:
        """These values, on the pairs that `other` has as well."""
        return Values({pair: value for pair, value in self.by_pair.items() if pair in other.by_pair}, self.places)

    def sums(self) -> dict[str, tuple[Floats, Floats]]:
        """By part: sums and counts of its blocks."""
        import numpy as np

        found: dict[str, dict[str, list[float]]] = {}
        for pair, value in self.by_pair.items():
            part, block = self.places[pair]
            found.setdefault(part, {}).setdefault(block, []).append(value)
        return {
            part: (
                np.array([sum(values) for _, values in sorted(blocks.items())], dtype=np.float64),
                np.array([len(values) for _, values in sorted(blocks.items())], dtype=np.float64),
            )
            for part, blocks in sorted(found.items())
        }


def mean(values: Values, *, nothing: str = "not measured") -> Figure:
    """The mean over pairs; over several parts the unweighted mean of their means."""
    import numpy as np

    sums = values.sums()
    if not sums:
        return Figure(note=nothing)
    value = float(np.mean([num.sum() / den.sum() for num, den in sums.values()]))
    blocks = [len(num) for num, _ in sums.values()]
    seen = {"value": value, "n": len(values.by_pair), "blocks": sum(blocks)}
    if min(blocks) < 2:
        return Figure(**seen, note="one block: no interval")  # type: ignore[arg-type]
    drawn = np.mean([_drawn(part, num, den) for part, (num, den) in sums.items()], axis=0)
    lo, hi = _percentiles(drawn)
    bca = _bca(value, drawn, sums)
    note = f"only {min(blocks)} blocks: likely too narrow" if min(blocks) < FEW else ""
    return Figure(**seen, lo=lo, hi=hi, bca_lo=bca[0], bca_hi=bca[1], note=note)  # type: ignore[arg-type]


def ratio(top: Values, bottom: Values, *, nothing: str = NO_GAIN) -> Figure:
    """Mean of `top` over mean of `bottom`, on the pairs that have both; never a mean of ratios, never clipped.

    Undefined where the denominator is not safely above 5 points: its lower bound, and 95 % of the draws.
    """
    import numpy as np

    top, bottom = top.on(bottom), bottom.on(top)
    tops, bottoms = top.sums(), bottom.sums()
    count, blocks = len(top.by_pair), sum(len(num) for num, _ in tops.values())
    if not tops or min(len(num) for num, _ in tops.values()) < 2:
        return Figure(n=count, blocks=blocks, note=f"n/a ({'too few blocks' if tops else nothing})")
    over, under = ([_drawn(part, *one) for part, one in sums.items()] for sums in (tops, bottoms))
    drawn_top, drawn_bottom = np.mean(over, axis=0), np.mean(under, axis=0)
    lower, _ = _percentiles(drawn_bottom)
    if lower <= SAFE or float(np.mean(drawn_bottom <= SAFE)) > RISK:
        return Figure(n=count, blocks=blocks, note=f"n/a ({nothing})")
    value = _plain_mean(tops) / _plain_mean(bottoms)
    lo, hi = _percentiles(drawn_top / drawn_bottom)
    return Figure(value=value, lo=lo, hi=hi, n=count, blocks=blocks)


def apart(left: Values, right: Values, *, nothing: str = "not measured") -> Figure:
    """The difference of two means over pairs that have nothing to do with each other: each is drawn by itself."""
    a, b = mean(left, nothing=nothing), mean(right, nothing=nothing)
    if a.value is None or b.value is None:
        return Figure(note=nothing)
    seen = Figure(value=a.value - b.value, n=a.n + b.n, blocks=a.blocks + b.blocks, note=a.note or b.note)
    if a.lo is None or b.lo is None:
        return seen
    drawn = [_drawn_apart(values, side) for values, side in ((left, "left"), (right, "right"))]
    lo, hi = _percentiles(drawn[0] - drawn[1])
    return replace(seen, lo=lo, hi=hi)


def _drawn_apart(values: Values, side: str) -> Floats:
    import numpy as np

    drawn: Floats = np.mean([_drawn(f"{side} {part}", *sums) for part, sums in values.sums().items()], axis=0)
    return drawn


def _plain_mean(sums: Mapping[str, tuple[Floats, Floats]]) -> float:
    return sum(float(num.sum() / den.sum()) for num, den in sums.values()) / len(sums)


def _drawn(part: str, num: Floats, den: Floats) -> Floats:
    """The mean of one part in each draw."""
    weights = _weights(part, len(num))
    found: Floats = (weights @ num) / (weights @ den)
    return found


@lru_cache(maxsize=8)
def _weights(part: str, blocks: int) -> Any:
    """How often each block is drawn in each draw (draws x blocks)."""
    import numpy as np

    rng = np.random.default_rng([SEED, blocks, *part.encode("utf-8")])
    rows = [
        rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=BLOCK).astype(np.float64)
        for _ in range(DRAWS // BLOCK)
    ]
    return np.concatenate(rows)


def _percentiles(drawn: Floats) -> tuple[float, float]:
    import numpy as np

    lo, hi = np.quantile(drawn, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2])
    return float(lo), float(hi)


def _bca(value: float, drawn: Floats, sums: Mapping[str, tuple[Floats, Floats]]) -> tuple[float | None, float | None]:
    """The BCa interval; None where all draws lie on one side of the value."""
    import numpy as np
    from scipy.special import ndtr, ndtri

    below = (np.mean(drawn < value) + np.mean(drawn <= value)) / 2
    if not 0 < below < 1:
        return None, None
    bias = float(ndtri(below))
    left_out = np.concatenate(_influence(sums))
    scale = float(np.abs(left_out).max())
    scaled = left_out / scale if scale > 0 else left_out
    spread = float((scaled**2).sum())
    acceleration = float((scaled**3).sum()) / (6 * spread**1.5) if spread > 0 else 0.0
    ends = []
    for share in ((1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2):
        z = bias + float(ndtri(share))
        ends.append(float(np.quantile(drawn, float(ndtr(bias + z / (1 - acceleration * z))))))
    return ends[0], ends[1]


def _influence(sums: Mapping[str, tuple[Floats, Floats]]) -> list[Floats]:
    """How much the value changes where each block is left out, by part (jackknife)."""
    found = []
    for num, den in sums.values():
        without = (num.sum() - num) / (den.sum() - den)
        found.append((without.mean() - without) / len(sums))
    return found
