"""The tables of a run on a terminal (rich): about a hundred lines for half a dozen memories."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from memarena_aha.suite.brief import losses, scores
from memarena_aha.suite.runcard import RunCard
from memarena_aha.suite.sheets import Sheet, board

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["lost", "scored", "short"]

_GAP = 2
"""Blanks between two columns."""


def short(card: RunCard, width: int) -> Iterator[RenderableType]:
    """The board and what to beware of."""
    yield from _sheet(board(card), width)
    yield from _warnings(card.warnings)


def lost(card: RunCard, width: int) -> Iterator[RenderableType]:
    """The board, cards and funnels, contrasts, and what to beware of."""
    yield from _sheets(losses(card), width)
    yield from _warnings(card.warnings)


def scored(card: RunCard, width: int, *, published: bool = False) -> Iterator[RenderableType]:
    """The board, the cards and those of the paper, and what to beware of."""
    yield from _sheets(scores(card, published=published), width)
    yield from _warnings(card.warnings)


def _sheets(sheets: Sequence[Sheet], width: int) -> Iterator[RenderableType]:
    """Tables cut to `width` characters."""
    for sheet in sheets:
        yield from _sheet(sheet, width)


def _sheet(sheet: Sheet, width: int) -> Iterator[RenderableType]:
    """A table in pieces that fit, each with the names of its rows."""
    from rich.text import Text

    yield Text()
    yield Text(sheet.title, style="bold").append(f"  {sheet.about}", style="not bold dim")
    columns = [[title, *(row[place] for row in sheet.rows)] for place, title in enumerate(sheet.columns)]
    wide = [max(map(len, column)) for column in columns]
    start = 1
    while start < len(columns):
        stop, used = start + 1, wide[0] + _GAP + wide[start]
        while stop < len(columns) and used + _GAP + wide[stop] <= width:
            used += _GAP + wide[stop]
            stop += 1
        yield _piece(columns, [0, *range(start, stop)])
        start = stop
    if sheet.foot:
        yield Text(sheet.foot, style="dim")


def _piece(columns: Sequence[Sequence[str]], places: Sequence[int]) -> RenderableType:
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, padding=(0, _GAP - 1, 0, 0), pad_edge=False, show_edge=False)
    for place in places:
        name = Text(columns[place][0], justify="right" if place else "left")
        table.add_column(name, justify="right" if place else "left", no_wrap=bool(place), overflow="fold")
    for row in range(1, len(columns[0])):
        table.add_row(*(Text(columns[place][row], style="" if place else "bold") for place in places))
    return table


def _warnings(warnings: Sequence[str]) -> Iterator[RenderableType]:
    from rich.text import Text

    for text in warnings:
        yield Text(f"! {text}", style="yellow")
