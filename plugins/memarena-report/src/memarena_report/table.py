"""What a table is: columns, rows and numbers, as data; how it looks is decided elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from memarena_report.levels import Quantity
from memarena_report.scores import Number, Scores, System, numbers

Better = Literal["high", "low", "neither"]

STAGES: Mapping[str, str] = {
    "write": "Write",
    "maintain": "Maintain",
    "retrieve": "Retrieve",
    "use": "Use",
    "cost": "Cost",
}
"""The stages of a memory, in the order in which they happen, as they are titled."""

_MOST_COLUMNS = 12
_MOST_LETTERS = 80


@dataclass(frozen=True, slots=True)
class Column:
    """A column of numbers of one kind."""

    key: str
    title: str
    group: str = ""
    unit: str = "share"
    better: Better = "high"
    about: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row; `role` is `floor` or `oracle` where it is no system under test, and `value` in a transposed table."""

    key: str
    role: str
    numbers: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with everything that a reader needs to understand it."""

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    variant: str = ""
    level: str = ""
    about: str = ""

    def transposed(self) -> Table:
        """Rows and columns exchanged; all columns of `self` must be of one kind."""
        kind = self.columns[0]
        columns = tuple(replace(kind, key=row.key, title=row.key, group="", about="") for row in self.rows)
        rows = tuple(
            Row(column.title, "value", tuple(row.numbers[place] for row in self.rows))
            for place, column in enumerate(self.columns)
        )
        return replace(self, columns=columns, rows=rows)

    def upright(self) -> Table:
        """`self`, turned where it would be too wide to read; all columns must be of one kind."""
        wide = len(self.columns) > _MOST_COLUMNS or sum(len(column.title) for column in self.columns) > _MOST_LETTERS
        return self.transposed() if wide else self

    def as_object(self) -> dict[str, Any]:
        """The table for a program: each row has its numbers by the key of the column."""
        keys = [column.key for column in self.columns]
        return {
            "key": self.key,
            "title": self.title,
            "variant": self.variant,
            "level": self.level,
            "columns": self.columns,
            "rows": [
                {"key": row.key, "role": row.role, "numbers": dict(zip(keys, row.numbers, strict=True))}
                for row in self.rows
            ],
        }


def metric_column(scores: Scores, metric: str) -> Column:
    """The column of a metric, as `metrics.json` describes it."""
    about = scores.metrics[metric]
    group = STAGES.get(about.stage, about.stage)
    return Column(metric, about.title, group, about.unit, about.better, about.about)


def rows_of(
    systems: Sequence[System], keys: Sequence[str], cells: Mapping[tuple[str, str], tuple[Quantity | None, str]]
) -> tuple[Row, ...]:
    """All numbers of a table at once, so that their intervals share the draws."""
    places = [(system.label, key) for system in systems for key in keys]
    found = [cells.get(place, (None, "no such unit")) for place in places]
    flat = numbers([one for one, _ in found], {place: why for place, (_, why) in enumerate(found)})
    width = len(keys)
    return tuple(
        Row(system.label, system.role, tuple(flat[place * width : (place + 1) * width]))
        for place, system in enumerate(systems)
    )


def _seconds(value: float) -> str:
    if value >= 1000 or value == 0:
        return f"{value:,.0f} s"
    factor, unit = (1, "s") if value >= 1 else (1e3, "ms") if value >= 1e-3 else (1e6, "µs")
    return f"{value * factor:.3g} {unit}"


FORMATS: Mapping[str, Callable[[float], str]] = {
    "share": lambda value: f"{100 * value:.1f}",
    "points": lambda value: f"{'+' if value > 0 else '−' if value < 0 else '±'}{100 * abs(value):.1f}",
    "seconds": _seconds,
    "tokens": lambda value: f"{value:,.0f}",
    "items": lambda value: f"{value:,.1f}",
}


def shown(value: float | None, unit: str = "share") -> str:
    """`value` as a table shows it: shares in percent, differences of shares (`points`) with their sign, `–` where it is
    undefined."""
    if value is None:
        return "–"
    return FORMATS[unit](value) if unit in FORMATS else f"{value:.3g}"


def reasons(table: Table) -> list[tuple[str, str, list[str]]]:
    """Why numbers of `table` are undefined: the row, the reason, and the columns (all: `all scores`); what goes without
    saying (no note) is left out."""
    found: dict[tuple[str, str], list[str]] = {}
    for row in table.rows:
        for column, number in zip(table.columns, row.numbers, strict=True):
            if number.value is None and number.note:
                found.setdefault((row.key, number.note), []).append(column.title)
    every = len(table.columns)
    return [(name, why, titles if len(titles) < every else ["all scores"]) for (name, why), titles in found.items()]


def between(number: Number, unit: str = "share") -> str:
    """The interval of `number` as a table shows it, its unit once; "" where there is none."""
    if number.value is None or number.lo is None:
        return ""
    low, high = shown(number.lo, unit), shown(number.hi, unit)
    if unit == "points":
        return f"{low} to {high}"
    shared = high.partition(" ")[2]
    return f"{low.removesuffix(f' {shared}') if shared else low}–{high}"
