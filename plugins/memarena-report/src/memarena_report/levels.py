"""From rows to numbers: within a sample, over samples, over the whole run, over types.

Every number here is a mean of ratios of sums over samples. That one form is enough for all means of
the paper and of the released code, and it is what the bootstrap and the permutation test resample.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from memarena.records import Metric

if TYPE_CHECKING:
    from memarena_report.frame import Column, Facet, Floats, Frame, Mask

Level = Literal["samples", "run"]

LEVELS: Mapping[Level, str] = {
    "samples": "mean over samples",
    "run": "over the whole run",
}
"""What the two levels are called in a report."""


def default_level(variant: str) -> Level:
    """The level at which `variant` is published: `release` over the whole run, the others over samples."""
    return "run" if variant == "release" else "samples"


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """Numerator and denominator by sample (arrays as long as the run has samples)."""

    num: Floats
    den: Floats

    @property
    def value(self) -> float | None:
        """Sum of the numerators / sum of the denominators; None where there is nothing to divide by."""
        den = float(self.den.sum())
        return float(self.num.sum()) / den if den > 0 else None


@dataclass(frozen=True, slots=True)
class Counts:
    """What a number rests on."""

    n: int = 0
    """Units that entered."""
    invalid: int = 0
    """Judgements that failed."""
    skipped: int = 0
    """Units that another system or variant has, and that are neither valid nor invalid here: nothing to measure."""
    samples: int = 0
    """Samples that entered."""
    hits: int | None = None
    """Units with the value 1, where every unit has 0 or 1 and the same weight; else None."""


@dataclass(frozen=True, slots=True, eq=False)
class Quantity:
    """A number before it is one: the mean of its defined parts."""

    parts: tuple[Part, ...]
    counts: Counts
    empty: float | None = None
    """The value where no part is defined."""

    @property
    def value(self) -> float | None:
        """The mean of the parts that are defined, else `empty`."""
        values = [value for part in self.parts if (value := part.value) is not None]
        return sum(values) / len(values) if values else self.empty

    @property
    def covers(self) -> Mask:
        """The samples that have something to say."""
        import numpy as np

        covers: Mask = np.logical_or.reduce([part.den > 0 for part in self.parts])
        return covers


def quantity(
    frame: Frame,
    label: str,
    metric: str,
    variant: str,
    *,
    about: Metric,
    level: Level | None = None,
    where: Mapping[str, Facet] | None = None,
) -> Quantity:
    """The number of `metric` for the system `label`, over the rows that have the facets `where`.

    `samples` averages the units of each sample (pooled, or mean of ratios, as `about.pooled` says) and then the
    samples, each counting once (paper, appendix B); `run` takes all units at once (released code).
    """
    level = level or default_level(variant)
    asked = frame.where(frame.asked(metric), where or {})
    column = frame.column(label, metric, variant)
    empty = about.empty if variant == "release" else None
    if column is None:
        return _nothing(len(frame.samples), len(asked), empty)
    return measure(frame.where(column, where or {}), len(frame.samples), len(asked), about, level, empty)


def by_facet(
    frame: Frame,
    label: str,
    metric: str,
    variant: str,
    facet: str,
    *,
    about: Metric,
    level: Level | None = None,
    where: Mapping[str, Facet] | None = None,
) -> dict[Facet, Quantity]:
    """The number for each value of `facet` that occurs for some system, in the order of appearance."""
    _, values = frame.facet(facet)
    return {
        value: quantity(frame, label, metric, variant, about=about, level=level, where={**(where or {}), facet: value})
        for value in values
        if len(frame.where(frame.asked(metric), {**(where or {}), facet: value}))
    }


def measure(
    column: Column, samples: int, asked: int, about: Metric, level: Level, empty: float | None = None
) -> Quantity:
    """The number of the rows of `column`, in a run with so many samples, of so many units that could be measured."""
    import numpy as np

    rows = column.take(column.d > 0)
    top, bottom = (rows.n, rows.d) if about.pooled else (rows.n / rows.d, np.ones(len(rows)))
    num, den = (
        np.bincount(rows.sample, weights=rows.weight * each, minlength=samples).astype(np.float64)
        for each in (top, bottom)
    )
    if level == "samples":
        has = den > 0
        num, den = np.divide(num, den, out=np.zeros(samples), where=has), has.astype(np.float64)
    counts = Counts(
        n=len(rows),
        invalid=int(column.invalid.sum()),
        skipped=asked - len(rows) - int(np.isnan(column.n).sum()),
        samples=int((den > 0).sum()),
        hits=_hits(rows),
    )
    return Quantity((Part(num, den),), counts, empty)


def average(types: Mapping[Facet, Quantity], level: Level) -> Quantity | None:
    """`Avg.`: the unweighted mean of the type values of a sample, then over samples; at the level of the run the
    unweighted mean of the types over all questions (paper, B.5; released code). None: no type has a value."""
    import numpy as np

    parts = [quantity.parts[0] for quantity in types.values()]
    if not parts:
        return None
    counts = _total([quantity.counts for quantity in types.values()])
    if level == "run":
        return Quantity(tuple(parts), counts)
    num, den = sum(part.num for part in parts), sum(part.den for part in parts)
    has = np.asarray(den) > 0
    value = np.divide(num, den, out=np.zeros(len(has)), where=has)
    return Quantity((Part(value, has.astype(np.float64)),), counts)


def axis(types: Mapping[Facet, Quantity], names: Sequence[str]) -> Quantity | None:
    """The score of an axis: the unweighted mean of its types' values. None: none of its types occurs."""
    found = [types[name] for name in names if name in types]
    if not found:
        return None
    return Quantity(tuple(quantity.parts[0] for quantity in found), _total([one.counts for one in found]))


def _nothing(samples: int, asked: int, empty: float | None) -> Quantity:
    import numpy as np

    return Quantity((Part(np.zeros(samples), np.zeros(samples)),), Counts(skipped=asked), empty)


def _hits(rows: Column) -> int | None:
    import numpy as np

    plain = np.all((rows.d == 1) & ((rows.n == 0) | (rows.n == 1))) and np.ptp(rows.weight) == 0 if len(rows) else False
    return int(rows.n.sum()) if plain else None


def _total(counts: Sequence[Counts]) -> Counts:
    return Counts(
        n=sum(one.n for one in counts),
        invalid=sum(one.invalid for one in counts),
        skipped=sum(one.skipped for one in counts),
        samples=max(one.samples for one in counts),
    )
