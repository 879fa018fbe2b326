"""What a run comes to on a terminal: in short at the end of a run, in full when asked."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING

from memarena_report.breakdowns import abstention_table, facet_tables, stage_facet_tables, type_table
from memarena_report.costs import time_table, usage_table
from memarena_report.facts import facts_tables
from memarena_report.flags import flags
from memarena_report.judging import is_judged, judging
from memarena_report.known_wrong import overlay_table
from memarena_report.lost import forgetting_table, lost_table, reach_table, reasons_table
from memarena_report.repeats import repeats_table, variance_table
from memarena_report.run_setup import setup
from memarena_report.scores import Scores
from memarena_report.stagecosts import stage_costs
from memarena_report.table import Table
from memarena_report.tables import main_table, stage_tables
from memarena_report.terminal import COMPACT, flag_lines, reasons_of, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType
    from rich.text import Text


_UNITS = {"share": "percent, with 95 % intervals", "points": "points of percent, with 95 % intervals"}


def all_tables(scores: Scores, variant: str = "paper") -> list[Table]:
    """Every table of a run, the main one first."""
    tables = [main_table(scores, variant)]
    if scores.has("qa_c"):
        tables += [type_table(scores, variant=variant), *facet_tables(scores, variant=variant)]
        tables += filter(None, (abstention_table(scores, variant), overlay_table(scores, variant)))
    followed = (lost_table, stage_costs, reasons_table, reach_table, forgetting_table)
    tables += filter(None, (made(scores, variant) for made in followed))
    tables += facts_tables(scores, variant)
    tables += [*stage_tables(scores, variant), *stage_facet_tables(scores, variant)]
    tables += filter(
        None, (repeats_table(scores, variant), variance_table(scores, variant), time_table(scores), usage_table(scores))
    )
    return tables


def short_summary(scores: Scores, width: int) -> Iterator[RenderableType]:
    """The main table, set tightly, how the run was set up, and the flags."""
    from rich.text import Text

    table = main_table(scores)
    yield Text()
    yield _heading(table, "percent, below it the 95 % interval", judging(scores.header).mark)
    yield from table_of(table, width, COMPACT)
    yield Text()
    yield _setup_line(scores)
    yield from flag_lines(flags(scores))


def grid_summary(table: Table, width: int, judge: str) -> Iterator[RenderableType]:
    """The table of a sweep, set tightly; `judge`: who judged it, and how far to be trusted."""
    yield _heading(table, "percent, below it the 95 % interval", judge)
    yield from table_of(table, width, COMPACT)


def where_all(scores: Scores) -> str:
    """The command that shows all tables."""
    path = shlex.quote(str(scores.store.path))
    return f"All tables, with n and why a number is missing: memarena report {path}"


def full_summary(scores: Scores, width: int, variant: str = "paper") -> Iterator[RenderableType]:
    """Every table, cut to `width` characters, why numbers of the main one are undefined, the setup, and the flags."""
    from rich.text import Text

    tables = all_tables(scores, variant)
    judge = judging(scores.header).mark
    for table in tables:
        alike = len({column.unit for column in table.columns}) == 1
        yield Text()
        yield _heading(table, _UNITS.get(table.columns[0].unit, "95 % intervals"), judge)
        yield from table_of(table.upright() if alike else table, width)
    yield from reasons_of(tables[0])
    yield Text()
    yield _setup_line(scores)
    yield from flag_lines(flags(scores))


def _heading(table: Table, numbers: str, judge: str) -> Text:
    from rich.text import Text

    place = ", ".join(filter(None, (table.variant, table.level)))
    told = "; ".join((place, numbers, judge) if is_judged(table) else (place, numbers))
    return Text(table.title, style="bold").append(f"  {told}", style="not bold dim")


def _setup_line(scores: Scores) -> Text:
    from rich.text import Text

    return Text("· " + "; ".join(f"{name}: {value}" for name, value in setup(scores)), style="dim")
