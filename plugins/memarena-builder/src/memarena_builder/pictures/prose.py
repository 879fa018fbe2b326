"""Sentences with the value of a field in them."""

from __future__ import annotations

from typing import NamedTuple

from memarena_builder.pictures.sheet import Sheet, Style, words_of

BLANK = "{V}"
"""Stands for the value."""
APART = 7
"""Pixels, at least, between the value and its neighbours."""


class Piece(NamedTuple):
    """A stretch of a line."""

    text: str
    wide: int
    own: bool
    """Whether it is the value."""


def laid(sheet: Sheet, told: str, value: str, style: Style, width: int) -> list[list[Piece]]:
    """`told`, with `value` for its `{V}`, in lines no wider than `width`; the value is never broken."""
    before, blank, after = told.partition(BLANK)
    tokens = [(word, False) for word in words_of(before)] + [(value, True)] * bool(blank)
    tokens += [(word, False) for word in words_of(after)]
    lines: list[list[Piece]] = [[]]
    for text, own in tokens:
        first = not lines[-1]
        piece = _piece(sheet, text.lstrip() if first else text, style, own=own, near=not first)
        if lines[-1] and sum(each.wide for each in lines[-1]) + piece.wide > width:
            lines.append([])
            piece = _piece(sheet, text.lstrip(), style, own=own, near=False)
        lines[-1].append(piece)
    return [line for line in lines if line]


def _piece(sheet: Sheet, text: str, style: Style, *, own: bool, near: bool) -> Piece:
    return Piece(text, sheet.length(text, style) + (APART * (2 if near else 1) if own else 0), own)


def breadth(lines: list[list[Piece]]) -> int:
    """Pixels of the widest line."""
    return max(sum(piece.wide for piece in line) for line in lines)


def write(sheet: Sheet, lines: list[list[Piece]], field: int, x: int, y: int, style: Style, line: int) -> int:
    """Write lines, `line` pixels each, with the value of the field at place `field`; the row below."""
    for pieces in lines:
        at = x
        for number, piece in enumerate(pieces):
            if piece.own:
                sheet.value(field, at + (APART if number else 0), y, style)
            else:
                sheet.text(at, y, piece.text, style)
            at += piece.wide
        y += line
    return y
