"""The tables on a terminal (rich): a wide table is cut into several that fit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memarena_report.flags import Flag
from memarena_report.pairing import Pair, verdict
from memarena_report.scores import Number
from memarena_report.stopping import Stopped
from memarena_report.table import Column, Row, Table, between, reasons, shown

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.table import Table as RichTable

_LONGEST_NAME = 30


class Look(NamedTuple):
    """How a table is set."""

    gap: int
    """Blanks between two columns."""
    title: Callable[[str], str]
    """The title of a column, a line or several."""
    between: Callable[[Number, str], str]
    """An interval, given the unit; "" where there is none."""
    counts: Callable[[Number], Sequence[str]]
    """What stands below a number and its interval, a line each."""
    aside: str
    """What stands between the name of a system and `floor` or `oracle`."""


def _whole_percents(number: Number, unit: str) -> str:
    if unit != "share" or number.value is None or number.lo is None:
        return ""
    return f"{100 * number.lo:.0f}–{100 * (number.hi or 0.0):.0f}"


def _all_counts(number: Number) -> Sequence[str]:
    counted = {"n": number.n, "skipped": number.skipped if number.n else 0, "invalid": number.invalid}
    return [f"{name} {count:,}" for name, count in counted.items() if count]


def _failed(number: Number) -> Sequence[str]:
    return [f"{number.invalid:,} inv."] if number.invalid else []


PLAIN = Look(gap=3, title=str, between=between, counts=_all_counts, aside=" ")
"""Everything."""
COMPACT = Look(
    gap=1, title=lambda title: title.replace("@", "\n@"), between=_whole_percents, counts=_failed, aside="\n"
)
"""Intervals of shares alone, in whole percents: the main table of a run in 120 characters."""


def table_of(table: Table, width: int, look: Look = PLAIN) -> Iterator[RenderableType]:
    """`table` in pieces of at most `width` characters, each with the names of its rows."""
    names = max((len(line) for row in table.rows for line in _named(row, look).split("\n")), default=0)
    wide = [
        max(_widths(column, [row.numbers[place] for row in table.rows], look))
        for place, column in enumerate(table.columns)
    ]
    start = 0
    while start < len(wide):
        stop, used = start + 1, min(names, _LONGEST_NAME) + look.gap + wide[start]
        while stop < len(wide) and used + look.gap + wide[stop] <= width:
            used += look.gap + wide[stop]
            stop += 1
        yield _piece(table, start, stop, look)
        start = stop


def _piece(table: Table, start: int, stop: int, look: Look) -> RichTable:
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable(box=box.SIMPLE_HEAD, padding=(0, look.gap - 1, 0, 0), pad_edge=False, show_edge=False)
    made.add_column("", max_width=_LONGEST_NAME, overflow="fold")
    for column in table.columns[start:stop]:
        made.add_column(Text(look.title(column.title), justify="right"), justify="right", no_wrap=True)
    for row in table.rows:
        made.add_row(
            Text(_named(row, look), style="dim" if _role(row) else "bold"),
            *(
                _cell(number, column, look)
                for number, column in zip(row.numbers[start:stop], table.columns[start:stop], strict=True)
            ),
        )
    return made


def _role(row: Row) -> str:
    """What is said beside the name of a system; nothing where the rows are no systems."""
    return "" if row.role == "value" else row.role


def _named(row: Row, look: Look) -> str:
    return f"{row.key}{look.aside}{_role(row)}" if _role(row) else row.key


def _cell(number: Number, column: Column, look: Look) -> RenderableType:
    from rich.text import Text

    cell = Text(shown(number.value, column.unit), justify="right")
    for line in filter(None, (look.between(number, column.unit), *look.counts(number))):
        cell.append(f"\n{line}", style="yellow" if "inv" in line else "dim")
    return cell


def _widths(column: Column, found: Sequence[Number], look: Look) -> Iterator[int]:
    yield from map(len, look.title(column.title).split("\n"))
    for number in found:
        yield len(shown(number.value, column.unit))
        yield len(look.between(number, column.unit))
        yield from map(len, look.counts(number))


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

    made = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    longest = max((len(name) for pair in pairs for name in (pair.left, pair.right)), default=0)
    made.add_column("left\nright", overflow="fold", min_width=min(longest, _LONGEST_NAME))
    for title in (column.title, "difference\n95 %", "p (Holm)\np alone", "detect-\nable", "n\nsamples"):
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


def stopped_table(stopped: Sequence[Stopped]) -> RichTable:
    """Where each comparison stopped, two lines each: left and right, questions asked and of how many, those saved."""
    from rich import box
    from rich.table import Table as RichTable
    from rich.text import Text

    made = RichTable(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False, show_edge=False)
    longest = max((len(name) for one in stopped for name in (one.left, one.right)), default=0)
    made.add_column("left\nright", overflow="fold", min_width=min(longest, _LONGEST_NAME))
    for title in ("asked\nof", "saved\nshare"):
        made.add_column(title, justify="right", no_wrap=True)
    made.add_column("higher", overflow="fold")
    for one in stopped:
        share = shown(one.saved / one.questions if one.questions else None)
        texts = (f"{one.left}\n{one.right}", f"{one.asked:,}\n{one.questions:,}", f"{one.saved:,}\n{share}")
        made.add_row(*map(Text, (*texts, one.higher or "undecided")))
    return made


def signed(value: float, unit: str) -> str:
    """A difference with its sign."""
    return f"{'+' if value > 0 else '−' if value < 0 else '±'}{shown(abs(value), unit).lstrip('+±')}"


def chance(p: float | None) -> str:
    """A p value as a table shows it."""
    if p is None:
        return "–"
    return "<0.001" if p < 0.001 else f"{p:.3f}"
