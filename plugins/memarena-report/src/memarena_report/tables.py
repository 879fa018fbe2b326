"""The table of a run: one row a system, one column a score."""

from __future__ import annotations

from collections.abc import Sequence

from memarena_report.costs import TIMED, seconds_of
from memarena_report.followed import BESIDE, BY_AGE, HAZARD, LOST, REACHED, STATE, UPDATE_FORMS
from memarena_report.levels import LEVELS, Level, Quantity, default_level
from memarena_report.scores import Scores
from memarena_report.table import STAGES, Column, Table, metric_column, rows_of

_BEFORE_RANKING = ("recall", "corr", "hallu", "irrel", "update", "int_rej", "rc")
_AFTER_RANKING = ("qa_c", "qa_h", "qa_o", "f1", "bleu1")

ELSEWHERE = frozenset({*LOST, *REACHED, *BESIDE, *STATE, *UPDATE_FORMS, BY_AGE, HAZARD})
"""Metrics that have tables of their own."""


def main_metrics(scores: Scores) -> list[str]:
    """The metrics of the main table that the run has; all metrics where it has none of them."""
    ranking = [f"{kind}@{_deepest(scores, kind)}" for kind in ("recall", "ndcg")]
    wanted = [*_BEFORE_RANKING, *ranking, *_AFTER_RANKING]
    return [name for name in wanted if scores.has(name)] or [name for name in scores.metrics if scores.has(name)]


def _deepest(scores: Scores, kind: str) -> int:
    """The largest k of `recall@k` or `ndcg@k` that the run has and that does not exceed its top_k."""
    ends = [name.removeprefix(f"{kind}@") for name in scores.metrics if name.startswith(f"{kind}@")]
    depths = [int(end) for end in ends if end.isdecimal()]
    return max((depth for depth in depths if depth <= scores.settings["top_k"]), default=min(depths, default=0))


def main_table(scores: Scores, variant: str = "paper", level: Level | None = None) -> Table:
    """One row a system, one column a score, and the time that a sample takes."""
    return metrics_table(scores, "main", "Scores", main_metrics(scores), variant, level, timed=True)


def stage_tables(scores: Scores, variant: str = "paper", level: Level | None = None) -> list[Table]:
    """For each stage the scores that no other table has."""
    shown = ELSEWHERE | set(main_metrics(scores))
    tables = []
    for stage in dict.fromkeys([*STAGES, *(metric.stage for metric in scores.metrics.values())]):
        names = [name for name, about in scores.metrics.items() if about.stage == stage and name not in shown]
        names = [name for name in names if scores.has(name)]
        if names:
            title = f"{STAGES.get(stage, stage)}: further scores"
            tables.append(metrics_table(scores, f"stage-{stage}", title, names, variant, level))
    return tables


def metrics_table(
    scores: Scores,
    key: str,
    title: str,
    metrics: Sequence[str],
    variant: str = "paper",
    level: Level | None = None,
    *,
    timed: bool = False,
) -> Table:
    """One row a system, one column a metric; with `timed` the seconds of a sample, too."""
    level = level or default_level(variant)
    columns = [metric_column(scores, name) for name in metrics]
    if timed:
        columns.append(
            Column(
                "time",
                "Time",
                STAGES["cost"],
                "seconds",
                "low",
                "seconds a sample to write, retrieve and (agents) answer",
            )
        )
    cells: dict[tuple[str, str], tuple[Quantity | None, str]] = {}
    for system in scores.systems:
        for name in metrics:
            seen = scores.quantity(system.label, name, variant, level)
            cells[system.label, name] = seen, scores.why(system, name, variant, seen) if seen.value is None else ""
        if timed:
            cells[system.label, "time"] = seconds_of(scores, system, TIMED), "not measured"
    rows = rows_of(scores.systems, [column.key for column in columns], cells)
    return Table(key, title, tuple(columns), rows, variant, LEVELS[level])
