"""How far the repeats of a run lie apart."""

from __future__ import annotations

from statistics import stdev

from memarena_report.levels import LEVELS, default_level, measure
from memarena_report.scores import Number, Scores
from memarena_report.table import Row, Table, metric_column
from memarena_report.tables import main_metrics


def repeats_table(scores: Scores, variant: str = "paper") -> Table | None:
    """The standard deviation of each score over the repeats; None for a run with one repeat."""
    if scores.settings["repeats"] < 2:
        return None
    metrics = main_metrics(scores)
    rows = [
        Row(system.label, system.role, tuple(_spread(scores, system.label, metric, variant) for metric in metrics))
        for system in scores.systems
    ]
    columns = tuple(metric_column(scores, metric) for metric in metrics)
    title = "Standard deviation over repeats"
    return Table("repeats", title, columns, tuple(rows), variant, LEVELS[default_level(variant)])


def _spread(scores: Scores, label: str, metric: str, variant: str) -> Number:
    column = scores.frame.column(label, metric, variant)
    if column is None:
        return Number(None, note="nothing to measure")
    about, samples, level = scores.metrics[metric], len(scores.frame.samples), default_level(variant)
    seen = [
        measure(column.take(column.repeat == repeat), samples, 0, about, level).value
        for repeat in range(scores.settings["repeats"])
    ]
    values = [value for value in seen if value is not None]
    if len(values) < 2:
        return Number(None, note="fewer than two repeats have a value")
    return Number(stdev(values), n=len(values), note="n counts repeats")
