"""The axes of charts: lines across them with round numbers beside."""

from __future__ import annotations

from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box

LINES, ROOM = 4, 1.1
"""Stretches of an axis, and how much longer it is than what it measures, at least."""


def ceiling(most: int) -> int:
    """A round number a little above `most` whose quarters are round too."""
    ten = 1
    while True:
        for factor in (10, 15, 20, 25, 30, 40, 50, 75):
            if LINES * factor * ten > ROOM * most:
                return LINES * factor * ten
        ten *= 10


def amounts(sheet: Sheet, box: Box, low: int, high: int, style: Style) -> None:
    """Lines from left to right, amounts on the left."""
    for share in range(LINES + 1):
        y = box.bottom - (box.bottom - box.top) * share / LINES
        sheet.pen.line((box.left, y, box.right, y), fill="#dddddd" if share else "#777777")
        sheet.text(box.left - 8, y - 8, _short(sheet, low + (high - low) * share // LINES), style, "r")


def across(sheet: Sheet, box: Box, most: int, style: Style) -> None:
    """Lines from top to bottom, amounts below."""
    for share in range(LINES + 1):
        x = box.left + (box.right - box.left) * share / LINES
        sheet.pen.line((x, box.top, x, box.bottom), fill="#dddddd" if share else "#777777")
        sheet.text(x, box.bottom + 6, _short(sheet, most * share // LINES), style, "m")


def shares(sheet: Sheet, box: Box, style: Style) -> None:
    """Shares of the maximum on the left of a curve that fills `box`."""
    floor, top = box.bottom - 26, box.top + 6
    for share in range(LINES + 1):
        y = floor - (floor - top) * share / LINES - 8
        sheet.text(box.left - 8, y, f"{100 * share // LINES} %", style, "r")


def _short(sheet: Sheet, amount: int) -> str:
    """An amount as axes have it, thousands in short, so that it looks like no value."""
    if amount < 1000:
        return str(amount)
    return f"{amount / 10_000:g}万" if sheet.spec.language == "zh" else f"{amount / 1000:g}k"
