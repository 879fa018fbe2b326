"""The table of a sweep: each system at each point of the grid."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from memarena_report.scores import Scores
from memarena_report.table import Row, Table, metric_column
from memarena_report.tables import main_metrics, metrics_table

if TYPE_CHECKING:
    from memarena.store import RunStore


def grid_table(stores: Mapping[str, RunStore], variant: str = "paper") -> Table:
    """One row a point and system, the points of a system together; one column a score that every point has.

    Retrieval at k has the largest k that every point reaches, so that a column means one thing.
    """
    scores = {name: Scores(store) for name, store in stores.items()}
    smallest = min(scores.values(), key=lambda one: int(one.settings["top_k"]))
    metrics = [name for name in main_metrics(smallest) if all(one.has(name) for one in scores.values())]
    tables = {name: metrics_table(one, "main", "", metrics, variant) for name, one in scores.items()}
    labels = dict.fromkeys(row.key for table in tables.values() for row in table.rows)
    rows = tuple(
        Row(f"{label} {name}", row.role, row.numbers)
        for label in labels
        for name, table in tables.items()
        for row in table.rows
        if row.key == label
    )
    first = next(iter(tables.values()))
    columns = tuple(metric_column(smallest, name) for name in metrics)
    return Table("grid", "Sweep", columns, rows, variant, first.level)
