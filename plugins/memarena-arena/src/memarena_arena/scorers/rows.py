"""The rows of one record, as a scorer collects them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, Protocol

from memarena.errors import PluginError
from memarena.records import Metric, QuestionRecord, SampleRecord, SessionRecord, Stat
from memarena_arena.metrics.units import Ratio

AnyRecord = SessionRecord | QuestionRecord | SampleRecord
Better = Literal["high", "low", "neither"]
Facets = Mapping[str, str | int | float | bool]

_ROUNDING = 1e-9


class Scorer(Protocol):
    """What a row says of its scorer."""

    name: str
    revision: int
    metrics: Mapping[str, Metric]


class Rows:
    """Collects the rows of `record`; `stats` holds them."""

    __slots__ = ("_facets", "_sample_id", "_scorer", "_unit", "stats")

    def __init__(self, record: AnyRecord, scorer: Scorer, facets: Facets) -> None:
        self._sample_id = record.sample_id
        self._scorer = scorer
        self._facets = facets
        self._unit = record.unit
        self.stats: list[Stat] = []

    def add(
        self, metric: str, ratio: Ratio | None, variant: str = "", unit: str = "", facets: Facets | None = None
    ) -> None:
        """Add a row, or none where `ratio` is None. Raises PluginError for a share that is no share."""
        if ratio is None:
            return
        n, d, invalid = ratio
        scorer = self._scorer
        # A share, which most are, passes the first comparison; NaN passes none.
        if n is not None and d is not None and not (0 <= n <= d and d > 0) and not self._in_range(metric, n, d):
            raise PluginError(f"scorer {scorer.name!r} gives {metric} = {n} / {d} for {unit or self._unit!r}")
        self.stats.append(
            Stat(
                sample_id=self._sample_id,
                unit=unit or self._unit,
                scorer=scorer.name,
                revision=scorer.revision,
                metric=metric,
                variant=variant,
                n=n,
                d=d,
                invalid=invalid,
                facets=self._facets if facets is None else facets,
            )
        )

    def add_variants(self, metric: str, paper: Ratio | None, release: Ratio | None, strict: Ratio | None) -> None:
        """Add one row where the three agree, else one for each of them that is there."""
        if paper == release == strict:
            self.add(metric, paper)
            return
        self.add(metric, paper, "paper")
        self.add(metric, release, "release")
        self.add(metric, strict, "strict")

    def _in_range(self, metric: str, n: float, d: float) -> bool:
        most = d + _ROUNDING if self._scorer.metrics[metric].unit == "share" else float("inf")
        return 0 <= n <= most and 0 < d < float("inf")
