"""What a run comes to on a terminal: flags, scores, answers by type, reasons."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memarena_report.breakdowns import abstention_table, facet_table, type_table
from memarena_report.flags import flags
from memarena_report.known_wrong import overlay_table
from memarena_report.scores import Scores
from memarena_report.table import Table
from memarena_report.tables import main_table
from memarena_report.terminal import flag_lines, reasons_of, table_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType


def summary_tables(scores: Scores, width: int, variant: str = "paper") -> Iterator[RenderableType]:
    """The main table, then answers by type (and by the data set's own categories), cut to `width` characters."""
    from rich.text import Text

    shown = [main_table(scores, variant)]
    if scores.has("qa_c"):
        shown.append(type_table(scores, variant=variant))
        shown += filter(
            None,
            (
                facet_table(scores, "raw_type", variant=variant),
                abstention_table(scores, variant),
                overlay_table(scores, variant),
            ),
        )
    for table in shown:
        yield Text()
        yield Text(table.title, style="bold").append(f"  {_caption(table)}", style="not bold dim")
        yield from table_of(table, width)
    yield from reasons_of(shown[0])
    yield Text()
    yield from flag_lines(flags(scores))


def _caption(table: Table) -> str:
    return f"{table.variant}, {table.level}; percent, with 95 % intervals"
