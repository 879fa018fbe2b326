"""A table whose columns have an order, as a chart with its legend and its numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from memarena_report.charts import Series, line_chart
from memarena_report.table import Table

if TYPE_CHECKING:
    from markupsafe import Markup

_COLOURS = 8


@dataclass(frozen=True, slots=True)
class Curve:
    """What the page shows of it."""

    table: Table
    x_title: str
    ticks: Sequence[str]
    series: Sequence[Series]
    chart: Markup


def curve_of(table: Table, x_title: str) -> Curve:
    """One line a row of `table`, one place on the axis a column; floors and oracles are drawn quietly."""
    ticks = [column.title for column in table.columns]
    series = [
        Series(row.key, place % _COLOURS, row.numbers, quiet=bool(row.role))
        for place, row in enumerate(table.rows)
        if any(number.value is not None for number in row.numbers)
    ]
    return Curve(table, x_title, ticks, series, line_chart(series, ticks, table.title, x_title))


def without_oracles(table: Table | None) -> Table | None:
    """`table` with the rows of systems alone; None where it has none."""
    rows = tuple(row for row in table.rows if row.role != "oracle") if table else ()
    return replace(table, rows=rows) if table and rows else None
