"""The rows of scores.jsonl: one a pair and score, from what the cells wrote."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from memarena.cells import CellSpec
from memarena.records import Stat
from memarena.store import RunStore
from memarena_aha.suite.conditions import FOREIGN, POISONED
from memarena_aha.suite.controls import BASELINE
from memarena_aha.suite.lines import LessonStages
from memarena_aha.suite.results import Outcome, PairRow, Results

__all__ = ["rows_of_run"]


def rows_of_run(run: RunStore, scorer: Any) -> Iterator[tuple[CellSpec, Sequence[Stat]]]:
    """Every cell that is done, in order, with its rows."""
    results = Results(run)
    for spec in results.done:
        yield spec, tuple(_Rows(results, spec, scorer).rows())


class _Rows:
    def __init__(self, results: Results, spec: CellSpec, scorer: Any) -> None:
        self._results = results
        self._spec = spec
        self._scorer = scorer
        self._pair: PairRow = results.pairs[spec.sample_id]

    def rows(self) -> Iterator[Stat]:
        spec, results = self._spec, self._results
        outcomes = results.by_cell[spec.label, spec.sample_id, spec.repeat]
        for condition, outcome in outcomes.items():
            if outcome.line.excluded:
                yield self._row("s", None, invalid=1, condition=condition)
            else:
                yield self._row("s", outcome.line.score, condition=condition)
        headline = results.headline(spec.label, spec.sample_id, spec.repeat)
        if spec.label != BASELINE and headline is not None:
            yield from self._headline(headline)

    def _headline(self, headline: Outcome) -> Iterator[Stat]:
        spec, results, p = self._spec, self._results, headline.line
        cold = results.cold(spec.sample_id, spec.repeat)
        yield self._row("p", p.score)
        if cold is not None:
            yield self._row("lift", p.score - cold.line.score)
        poisoned = results.outcome(spec.label, spec.sample_id, spec.repeat, POISONED)
        if poisoned is not None:
            yield self._row("poison", poisoned.line.score - p.score)
        foreign = results.outcome(spec.label, spec.sample_id, spec.repeat, FOREIGN)
        if foreign is not None and cold is not None:
            yield self._row("foreign", foreign.line.score - cold.line.score)
        yield from self._lessons(p.lessons)
        if p.memory_calls:
            yield self._stat("memory_errors", self._pair.sample_id, p.memory_errors, p.memory_calls)
        if p.steps:
            yield self._stat("shown_tokens", self._pair.sample_id, p.shown_tokens, p.steps)

    def _lessons(self, lessons: Any) -> Iterator[Stat]:
        stages: LessonStages
        for lesson_id, stages in lessons.items():
            for metric, got in (("write", stages.write), ("keep", stages.keep), ("used", stages.use)):
                if got is not None:
                    yield self._stat(metric, f"{self._pair.sample_id}:{lesson_id}", float(got), 1.0, lesson=lesson_id)
            yield self._stat(
                "retrieve", f"{self._pair.sample_id}:{lesson_id}", float(stages.retrieve), 1.0, lesson=lesson_id
            )

    def _row(self, metric: str, score: float | None, *, invalid: int = 0, condition: str = "") -> Stat:
        """A score of 0 to 100, or a difference of two, as a share."""
        unit = f"{self._pair.sample_id}:{condition}" if condition else self._pair.sample_id
        told = {"condition": condition} if condition else {}
        share, whole = (None, None) if score is None else (score / 100, 1.0)
        return self._stat(metric, unit, share, whole, invalid=invalid, **told)

    def _stat(
        self, metric: str, unit: str, n: float | None, d: float | None, *, invalid: int = 0, **facets: Any
    ) -> Stat:
        pair = self._pair
        return Stat(
            sample_id=pair.sample_id,
            unit=unit,
            scorer=self._scorer.name,
            revision=self._scorer.revision,
            metric=metric,
            n=n,
            d=d,
            invalid=invalid,
            facets={**pair.facets, "part": pair.part, "block": pair.block, **facets},
        )
