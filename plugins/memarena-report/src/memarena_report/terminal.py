"""The tables on a terminal (rich): a wide table is cut into several that fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memarena_report.flags import Flag
from memarena_report.pairing import Pair, verdict
from memarena_report.scores import Number
from memarena_report.table import Column, Table, between, reasons, shown

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table as RichTable

_PADDING = 2


def table_of(table: Table, width: int) -> Iterator[RenderableType]:
    """`table` in pieces of at most `width` characters, each with the names of the systems."""
    names = max((len(row.key) + len(row.role) + 3 for row in table.rows), default=0)
    wide = [_width(column, [row.numbers[place] for row in table.rows]) for place, column in enumerate(table.columns)]
    start = 0
    while start < len(wide):
        stop, used = start + 1, names + wide[start] + 2 * _PADDING
        while stop < len(wide) and used + wide[stop] + _PADDING <= width:
            used += wide[stop] + _PADDING
            stop += 1
        yield _piece(table, start, stop)
        start = stop


def _piece(table: Table, start: int, stop: int) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, show_edge=False)
    made.add_column("")
    for column in table.columns[start:stop]:
        made.add_column(Text(column.title), justify="right", no_wrap=True)
    for row in table.rows:
        name = Text(row.key, style="dim" if row.role else "bold")
        if row.role:
            name.append(f" {row.role}", style="dim italic")
        made.add_row(
            name,
            *(
                _cell(number, column)
                for number, column in zip(row.numbers[start:stop], table.columns[start:stop], strict=True)
            ),
        )
    return made


def _cell(number: Number, column: Column) -> RenderableType:
    from rich.text import Text

    cell = Text(shown(number.value, column.unit), justify="right")
    interval = between(number, column.unit)
    if interval:
        cell.append(f"\n{interval}", style="dim")
    if number.invalid:
        cell.append(f"\n{number.invalid} invalid", style="yellow")
    return cell


def _width(column: Column, found: Sequence[Number]) -> int:
    texts = [text for one in found for text in (shown(one.value, column.unit), between(one, column.unit))]
    return max(len(text) for text in (column.title, *texts))


def reasons_of(table: Table) -> Iterator[RenderableType]:
    """One line for each reason why numbers of `table` are undefined."""
    from rich.text import Text

    for name, why, titles in reasons(table):
        yield Text(f"– {name}: {', '.join(titles)}: {why}", style="dim")


def flag_lines(flags: Sequence[Flag]) -> Iterator[RenderableType]:
    """One line a flag."""
    from rich.text import Text

    for flag in flags:
        yield Text(f"{'!' if flag.level == 'warning' else '·'} {flag.text}", style="yellow" * (flag.level == "warning"))


def pairs_table(pairs: Sequence[Pair], column: Column) -> RichTable:
    """Comparisons of one metric, two lines each: left and right, their values, difference and interval, both p."""
    from rich import box
    from rich.table import Table as RichTable

    made = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1), pad_edge=False, show_edge=False)
    made.add_column("left\nright", overflow="fold")
    for title in (column.title, "difference\n95 %", "p (Holm)\np alone", "detectable", "n\nsamples"):
        made.add_column(title, justify="right", no_wrap=True)
    made.add_column("higher", overflow="fold")
    for pair in pairs:
        made.add_row(*_pair_cells(pair, column.unit))
    return made


def _pair_cells(pair: Pair, unit: str) -> Iterator[RenderableType]:
    from rich.text import Text

    seen = pair.difference
    texts = [shown(None)] * 4 + [f"{pair.units:,}\n0"]
    if seen is not None:
        span = "–" if seen.lo is None else f"{signed(seen.lo, unit)} to {signed(seen.hi or 0.0, unit)}"
        texts = [
            f"{shown(seen.left, unit)}\n{shown(seen.right, unit)}",
            f"{signed(seen.value, unit)}\n{span}",
            f"{chance(pair.p_holm)}\n{chance(seen.p)}",
            shown(seen.detectable, unit),
            f"{pair.units:,}\n{seen.samples:,}",
        ]
    return map(Text, (f"{pair.left}\n{pair.right}", *texts, verdict(pair)))


def signed(value: float, unit: str) -> str:
    """A difference with its sign."""
    return f"{'+' if value > 0 else '−' if value < 0 else '±'}{shown(abs(value), unit)}"


def chance(p: float | None) -> str:
    """A p value as a table shows it."""
    if p is None:
        return "–"
    return "<0.001" if p < 0.001 else f"{p:.3f}"
