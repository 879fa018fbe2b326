"""Paired comparisons: two systems on the same units, sample by sample."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from memarena.records import Metric
from memarena_report.differences import Difference, difference, holm
from memarena_report.frame import Column, Frame
from memarena_report.levels import Level, default_level, measure


@dataclass(frozen=True, slots=True)
class Pair:
    """One comparison; `difference` is left minus right, None where they have no unit in common."""

    metric: str
    left: str
    right: str
    difference: Difference | None
    p_holm: float | None
    """p after Holm's adjustment over all pairs of the table."""
    units: int
    """Units that are valid in both."""
    left_only: int
    """Units that are valid on the left alone, and left out."""
    right_only: int


def pairs(
    frame: Frame,
    labels: Sequence[str],
    metric: str,
    variant: str,
    *,
    about: Metric,
    level: Level | None = None,
) -> list[Pair]:
    """All pairs of `labels`, with Holm over them."""
    level = level or default_level(variant)
    found = [
        paired(frame, left, right, metric, variant, about=about, level=level) for left, right in combinations(labels, 2)
    ]
    adjusted = holm([pair.difference.p if pair.difference else None for pair in found])
    return [replace(pair, p_holm=p) for pair, p in zip(found, adjusted, strict=True)]


def paired(
    frame: Frame, left: str, right: str, metric: str, variant: str, *, about: Metric, level: Level | None = None
) -> Pair:
    """One comparison, without Holm: numerator and denominator of both come from the units that are valid in both."""
    import numpy as np

    level = level or default_level(variant)
    columns = [_valid(frame.column(label, metric, variant)) for label in (left, right)]
    if columns[0] is None or columns[1] is None:
        counts = [0 if column is None else _units(column) for column in columns]
        return Pair(metric, left, right, None, None, 0, *counts)
    a, b = columns[0], columns[1]
    both = np.intersect1d(a.unit, b.unit)
    samples = len(frame.samples)
    sides = [measure(side.take(np.isin(side.unit, both)), samples, len(both), about, level) for side in (a, b)]
    return Pair(
        metric=metric,
        left=left,
        right=right,
        difference=difference(*sides),
        p_holm=None,
        units=len(both),
        left_only=_units(a) - len(both),
        right_only=_units(b) - len(both),
    )


def _valid(column: Column | None) -> Column | None:
    return None if column is None else column.take(column.d > 0)


def _units(column: Column) -> int:
    import numpy as np

    return len(np.unique(column.unit))


def verdict(pair: Pair) -> str:
    """The system that is higher where the data show one (p below 0.05 after Holm), else why none is named."""
    seen = pair.difference
    if seen is None:
        return "not paired"
    if pair.p_holm is None:
        return "one sample: no test"
    if pair.p_holm >= 0.05:
        return "not shown"
    return pair.left if seen.value > 0 else pair.right
