"""What a scorer gives back: metrics, and the rows from which every number is computed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, Self

from memarena.records.base import Record
from memarena.records.history import QuestionRecord, SampleRecord, SessionRecord


class Metric(Record, frozen=True, kw_only=True):
    """How rows of one metric become numbers."""

    title: str
    """Column title, e.g. `Recall`."""
    stage: str
    """`write`, `maintain`, `retrieve`, `use`, `cost`."""
    pooled: bool = False
    """Within a sample: sum of n / sum of d (True), or mean of n / d over units (False)."""
    better: Literal["high", "low", "neither"] = "high"
    unit: str = "share"
    """`share` (shown in percent), `seconds`, `tokens`, `items`, ..."""
    empty: float | None = None
    """Value in `release` where there is nothing to average; None: undefined."""
    about: str = ""
    """One sentence with the source of the formula."""


class Stat(Record, frozen=True, kw_only=True):
    """One row a unit: numerator and denominator, from which every mean, interval and test is computed."""

    sample_id: str
    unit: str
    scorer: str
    revision: int
    metric: str
    variant: str = ""
    """`paper`, `release`, `strict`; "" where the three agree."""
    n: float | None = None
    """Numerator; None where the unit is invalid."""
    d: float | None = None
    """Denominator; None where the unit is invalid."""
    weight: float = 1.0
    invalid: int = 0
    """Judgements of this unit that failed."""
    facets: Mapping[str, str | int | float | bool] = {}

    @classmethod
    def of(
        cls,
        record: SessionRecord | QuestionRecord | SampleRecord,
        scorer: Any,
        *,
        n: float | None,
        d: float | None = 1.0,
        metric: str = "",
        unit: str = "",
        variant: str = "",
        weight: float = 1.0,
        invalid: int = 0,
        facets: Mapping[str, str | int | float | bool] | None = None,
    ) -> Self:
        """The row of `record` by `scorer` (its `name` and `revision` are taken); `metric` defaults to the name."""
        return cls(
            sample_id=record.sample_id,
            unit=unit or record.unit,
            scorer=scorer.name,
            revision=scorer.revision,
            metric=metric or scorer.name,
            variant=variant,
            n=n,
            d=d,
            weight=weight,
            invalid=invalid,
            facets=facets or {},
        )
