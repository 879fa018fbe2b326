"""Scores with and without the questions whose gold is known to be wrong, and the ceiling that this sets."""

from __future__ import annotations

from dataclasses import replace

from memarena_report.levels import LEVELS, Counts, Part, Quantity, default_level
from memarena_report.scores import Scores, numbers
from memarena_report.table import Column, Row, Table, metric_column

_FLAG = "known_wrong"


def wrong_items(scores: Scores) -> int:
    """How many questions an overlay marks as wrong; 0 where none was used."""
    if not scores.has("qa_c"):
        return 0
    return len(set(scores.frame.where(scores.frame.asked("qa_c"), {_FLAG: True}).unit.tolist()))


def overlay_table(scores: Scores, variant: str = "paper") -> Table | None:
    """Answers with and without known wrong questions, and the highest share that the key allows; None: no overlay."""
    if not wrong_items(scores):
        return None
    level = default_level(variant)
    columns: list[Column] = []
    for metric in ("qa_c", "f1"):
        if scores.has(metric):
            whole = metric_column(scores, metric)
            columns += [
                replace(whole, key=f"{metric}:all", title=f"{whole.title}, all", group="", about="all questions"),
                replace(
                    whole,
                    key=f"{metric}:sound",
                    title=f"{whole.title}, sound",
                    group="",
                    about="without the questions whose gold is known to be wrong",
                ),
            ]
    columns.append(
        Column(
            "ceiling", "ceiling", "", "share", "neither", "share of the questions whose gold is not known to be wrong"
        )
    )
    rows = []
    for system in scores.systems:
        found: list[Quantity | None] = []
        for column in columns[:-1]:
            metric, _, part = column.key.partition(":")
            where = {_FLAG: False} if part == "sound" else None
            found.append(scores.quantity(system.label, metric, variant, where=where))
        found.append(_ceiling(scores, system.label, variant))
        rows.append(Row(system.label, system.role, tuple(numbers(found))))
    title = f"With and without {wrong_items(scores):,} questions whose gold is known to be wrong"
    return Table("overlay", title, tuple(columns), tuple(rows), variant, LEVELS[level])


def _ceiling(scores: Scores, label: str, variant: str) -> Quantity | None:
    """The share of sound questions among those that `label` was asked."""
    import numpy as np

    column = scores.frame.column(label, "qa_c", variant)
    if column is None:
        return None
    samples = len(scores.frame.samples)
    sound = scores.frame.where(column, {_FLAG: False})
    num, den = (np.bincount(one.sample, minlength=samples).astype(np.float64) for one in (sound, column))
    if default_level(variant) == "samples":
        num, den = np.divide(num, den, out=np.zeros(samples), where=den > 0), (den > 0).astype(np.float64)
    return Quantity((Part(num, den),), Counts(n=len(column), samples=int((den > 0).sum())))


def above_ceiling(table: Table) -> list[str]:
    """The systems whose QA-C over all questions is higher than the key allows."""
    places = {column.key: place for place, column in enumerate(table.columns)}
    found = []
    for row in table.rows:
        seen, most = row.numbers[places["qa_c:all"]].value, row.numbers[places["ceiling"]].value
        if seen is not None and most is not None and seen > most:
            found.append(row.key)
    return found
