"""Values within an area: as text, or as what is to be seen. Drawers may have ways of their own."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from memarena_builder.pictures.fonts import HAND
from memarena_builder.pictures.palette import palette
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Field, Part, Shown
from memarena_builder.world.values import number_of, read_count

LINE, INK, FULL = "#555555", "#2b4a8b", "#c8433a"
"""Of frames, of things that are counted, of the marked cell."""
TICK = 17
"""Pixels of the side of a box to tick."""
STEP, CELL, TREND, OPTION = 28, 34, 128, 32
"""Pixels, at most, for a thing that is counted, for a cell of a grid, for a curve, for an option."""


class Area(NamedTuple):
    """Where a value goes: upper left corner, width, and height of what is not text."""

    x: int
    y: int
    width: int
    height: int = 64


def number(value: str) -> int:
    """The number that a value begins with: 14 for `14 stools`, 3 for `three`."""
    return number_of(value) if value[:1].isdecimal() else read_count(value.split(maxsplit=1)[0])


def height(field: Field, line: int) -> int:
    """Pixels that the value of a field needs, where a line of text needs `line`."""
    if field.shown == "tick":
        return OPTION * len(field.options)
    if field.shown == "count":
        return max(line, STEP * math.ceil(number(field.value) / _across(field.value)))
    if field.shown == "position":
        return max(line, CELL * len(cells(field.options)[0]) + 26)
    return max(line, TREND + 6) if field.shown == "trend" else line


def _across(value: str) -> int:
    """Things in a row."""
    return min(10, max(4, math.ceil(number(value) / 2)))


def place(sheet: Sheet, field: int, area: Area, style: Style) -> Box:
    """Show the value of the field at place `field` in `area`."""
    shown = sheet.spec.fields[field].shown
    if shown == "text":
        value = sheet.spec.fields[field].value
        return sheet.value(field, area.x, area.y, sheet.fitted(value, style, area.width))
    return _WAYS[shown](sheet, field, area, style)


def _colour(sheet: Sheet, field: int, area: Area, style: Style) -> Box:
    box = Box(area.x, area.y, area.x + min(area.width, 4 * style.size), area.y + round(1.3 * style.size))
    own = sheet.spec.fields[field].value
    fill = palette(own)[own]
    if sheet.rng.random() < 0.5:
        sheet.pen.rounded_rectangle(box, 5, fill=fill, outline=LINE)
    else:
        box = box._replace(right=box.left + box.bottom - box.top)
        sheet.pen.ellipse(box, fill=fill, outline=LINE)
    inner = (box.right - box.left) // 4, (box.bottom - box.top) // 4
    sheet.mark(field, Box(box.left + inner[0], box.top + inner[1], box.right - inner[0], box.bottom - inner[1]))
    return box


def _count(sheet: Sheet, field: int, area: Area, style: Style) -> Box:
    """Things in rows in a frame, none touching another."""
    many = number(sheet.spec.fields[field].value)
    across = _across(sheet.spec.fields[field].value)
    step = min(STEP, area.width // across)
    rows = max(1, math.ceil(many / across))
    box = Box(area.x, area.y, area.x + across * step, area.y + rows * step)
    spots = [(box.left + one % across * step, box.top + one // across * step) for one in range(many)]
    if style.face == HAND:
        _dabs(sheet, spots, step)
    else:
        sheet.pen.rectangle(box, fill="#ffffff", outline=LINE)
        thing = sheet.rng.choice((sheet.pen.ellipse, sheet.pen.rectangle))
        for x, y in spots:
            thing((x + step // 5, y + step // 5, x + step * 4 // 5, y + step * 4 // 5), fill=INK)
    sheet.mark(field, box)
    return box


def _dabs(sheet: Sheet, spots: Sequence[tuple[int, int]], step: int) -> None:
    """Dabs of a pen, none like another, none touching another; `step`: pixels from one to the next."""
    for x, y in spots:
        middle = x + step / 2 + sheet.rng.uniform(-1.5, 1.5), y + step / 2 + sheet.rng.uniform(-2, 2)
        reach = [step * sheet.rng.uniform(0.24, 0.33) for _ in range(9)]
        turns = [2 * math.pi * at / len(reach) for at in range(len(reach))]
        edge = [
            (middle[0] + far * math.cos(turn), middle[1] + far * math.sin(turn))
            for far, turn in zip(reach, turns, strict=True)
        ]
        sheet.pen.polygon(edge, fill=INK)


def _tick(sheet: Sheet, field: int, area: Area, style: Style) -> Box:
    """One option a line, a box before each."""
    own = sheet.spec.fields[field]
    style = style._replace(size=min(style.size, 23))
    parts = []
    right = area.x
    cross = sheet.rng.random() < 0.5
    for row, option in enumerate(own.options):
        top = area.y + row * OPTION
        box = Box(area.x, top, area.x + TICK, top + TICK)
        sheet.pen.rectangle(box, fill="#ffffff", outline="#222222", width=2)
        if option == own.value:
            tick(sheet, box, cross=cross)
        fitting = sheet.fitted(option, style, area.width - TICK - 10)
        right = max(right, sheet.text(box.right + 9, top - 1, option, fitting).right)
        parts.append(Part(option, box))
    whole = Box(area.x, area.y, right, area.y + len(own.options) * OPTION)
    sheet.mark(field, whole, parts)
    return whole


def tick(sheet: Sheet, box: Box, *, cross: bool) -> None:
    """Tick a box, as with a pen."""
    ink = "#1d2f7a"
    if cross:
        sheet.pen.line((box.left + 2, box.top + 2, box.right - 2, box.bottom - 2), fill=ink, width=3)
        sheet.pen.line((box.right - 2, box.top + 2, box.left + 2, box.bottom - 2), fill=ink, width=3)
    else:
        middle = (box.left + (box.right - box.left) * 2 // 5, box.bottom - 3)
        points = (box.left + 3, (box.top + box.bottom) // 2), middle, (box.right + 2, box.top - 3)
        sheet.pen.line(points, fill=ink, width=4, joint="curve")


def cells(options: tuple[str, ...]) -> tuple[list[str], list[str]]:
    """Rows and columns of a grid whose cells are called like `B3`."""
    return list(dict.fromkeys(each[0] for each in options)), list(dict.fromkeys(each[1:] for each in options))


def _position(sheet: Sheet, field: int, area: Area, style: Style) -> Box:
    """A grid with letters at its rows and numbers over its columns; one cell is filled."""
    own = sheet.spec.fields[field]
    rows, columns = cells(own.options)
    small = Style("sans", 13, "#333333")
    step = min(CELL, (area.width - 22) // len(columns))
    left, top = area.x + 20, area.y + 19
    parts = []
    for across, column in enumerate(columns):
        sheet.text(left + across * step + step // 2, area.y, column, small, "m")
    for down, row in enumerate(rows):
        sheet.text(area.x + 7, top + down * step + step // 2 - 8, row, small, "m")
        for across, column in enumerate(columns):
            box = Box(left + across * step, top + down * step, left + (across + 1) * step, top + (down + 1) * step)
            fill, edge = (FULL, "#7d2a24") if row + column == own.value else ("#f3f3ee", "#9a9a94")
            seat = (box.left + 3, box.top + 3, box.right - 3, box.bottom - 3)
            sheet.pen.rounded_rectangle(seat, 6, fill=fill, outline=edge)
            parts.append(Part(row + column, box))
    whole = Box(area.x, area.y, left + len(columns) * step, top + len(rows) * step)
    sheet.mark(field, whole, parts)
    return whole


def _trend(sheet: Sheet, field: int, area: Area, style: Style) -> Box:
    """A small line chart; every other stretch has its name below."""
    return curve(sheet, field, Box(area.x, area.y, area.x + min(area.width, 640), area.y + TREND), INK)


def curve(sheet: Sheet, field: int, box: Box, ink: str) -> Box:
    """A curve through all options of a field within `box`, names below, the highest point at its value."""
    own = sheet.spec.fields[field]
    names = own.options
    step = (box.right - box.left - 24) / len(names)
    floor, ceiling = box.bottom - 26, box.top + 6
    levels = heights(sheet, names.index(own.value), len(names))
    points = [
        (box.left + 12 + step * (at + 0.5), floor - 8 - (floor - ceiling - 8) * level)
        for at, level in enumerate(levels)
    ]
    for share in range(5):
        y = ceiling + (floor - ceiling) * share / 4
        sheet.pen.line((box.left, y, box.right, y), fill="#d9dde2")
    sheet.pen.line((box.left, floor, box.right, floor), fill="#888888")
    sheet.pen.line(points, fill=ink, width=3, joint="curve")
    small = Style("sans", 13, "#444444")
    every = math.ceil(max(sheet.length(name, small) for name in names) * 1.25 / step)
    parts = []
    for at, (name, (x, y)) in enumerate(zip(names, points, strict=True)):
        sheet.pen.ellipse((x - 3, y - 3, x + 3, y + 3), fill=ink)
        sheet.pen.line((x, floor, x, floor + 4), fill="#888888")
        if at % every == 0:
            sheet.text(x, floor + 6, name, small, "m")
        parts.append(Part(name, Box(round(x - step / 2), box.top, round(x + step / 2), round(floor))))
    sheet.mark(field, box, parts)
    return box


def heights(sheet: Sheet, top: int, count: int) -> list[float]:
    """Levels from 0 to 1 with one clear peak, at place `top`."""
    wide = sheet.rng.uniform(0.12, 0.3) * count
    made = []
    for at in range(count):
        level = 0.78 * math.exp(-(((at - top) / wide) ** 2)) + sheet.rng.uniform(0, 0.1)
        made.append(1.0 if at == top else min(level, 0.82))
    return made


_WAYS: Mapping[Shown, Callable[[Sheet, int, Area, Style], Box]] = {
    "colour": _colour, "count": _count, "tick": _tick, "position": _position, "trend": _trend,
}  # fmt: skip
