"""What floor plans show of a room from above."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from memarena_builder.pictures.sheet import Sheet
from memarena_builder.pictures.spec import Box


def furnish(sheet: Sheet, kind: str, room: Box, ink: str) -> None:
    """Draw what stands in a room; raises KeyError for a `kind` that there is not."""
    KINDS[kind](sheet, Box(room.left + 9, room.top + 9, room.right - 9, room.bottom - 9), ink)


def one(sheet: Sheet, about: str, x: int, y: int, ink: str) -> None:
    """One of the things that stand in a row in a room of a plan about an attribute, 44 pixels wide and 40 high."""
    _ROWS.get(about, _desk)(sheet, x, y, ink)


def _car(sheet: Sheet, x: int, y: int, ink: str) -> None:
    sheet.pen.rounded_rectangle((x, y + 8, x + 44, y + 30), 7, outline=ink, width=2)
    sheet.pen.rectangle((x + 11, y + 11, x + 15, y + 27), outline=ink)
    sheet.pen.rectangle((x + 30, y + 11, x + 33, y + 27), outline=ink)


def _bed(sheet: Sheet, x: int, y: int, ink: str) -> None:
    sheet.pen.rectangle((x, y + 6, x + 44, y + 30), outline=ink, width=2)
    sheet.pen.rounded_rectangle((x + 4, y + 10, x + 14, y + 26), 3, outline=ink)
    sheet.pen.line((x + 20, y + 6, x + 20, y + 30), fill=ink)


def _desk(sheet: Sheet, x: int, y: int, ink: str) -> None:
    sheet.pen.rectangle((x, y, x + 44, y + 20), outline=ink, width=2)
    sheet.pen.rectangle((x + 14, y + 3, x + 30, y + 7), outline=ink)
    sheet.pen.ellipse((x + 14, y + 23, x + 30, y + 39), outline=ink, width=2)


def _shelves(sheet: Sheet, room: Box, ink: str) -> None:
    for x in range(room.left, room.right - 20, 24):
        sheet.pen.rectangle((x, room.top, x + 22, room.top + 14), outline=ink)
        sheet.pen.line((x, room.top, x + 22, room.top + 14), fill=ink)


def _counter(sheet: Sheet, room: Box, ink: str) -> None:
    pen = sheet.pen
    pen.rectangle((room.left, room.top, room.right, room.top + 18), outline=ink)
    pen.rounded_rectangle((room.left + 8, room.top + 3, room.left + 34, room.top + 15), 4, outline=ink)
    for x in (42, 56):
        pen.ellipse((room.left + x, room.top + 4, room.left + x + 10, room.top + 14), outline=ink)


def _plants(sheet: Sheet, room: Box, ink: str) -> None:
    for x, y in ((room.left + 12, room.top + 12), (room.right - 14, room.top + 12)):
        sheet.pen.ellipse((x - 10, y - 10, x + 10, y + 10), outline=ink)
        for dx, dy in ((8, 0), (-8, 0), (0, 8), (0, -8), (5, 5), (-5, -5), (5, -5), (-5, 5)):
            sheet.pen.line((x, y, x + dx, y + dy), fill=ink)


def _steps(sheet: Sheet, room: Box, ink: str) -> None:
    high = min(26, (room.bottom - room.top) // 3)
    for x in range(room.left + 6, room.right - 4, 11):
        sheet.pen.line((x, room.top, x, room.top + high), fill=ink)
    y = room.top + high // 2
    sheet.pen.line((room.left, y, room.right - 6, y), fill=ink)
    sheet.pen.line((room.right - 12, y - 5, room.right - 6, y, room.right - 12, y + 5), fill=ink)


def _cross(sheet: Sheet, room: Box, ink: str) -> None:
    side = min(40, (room.bottom - room.top) // 2 - 6)
    box = (room.left, room.top, room.left + side, room.top + side)
    sheet.pen.rectangle(box, outline=ink, width=2)
    sheet.pen.line((box[0], box[1], box[2], box[3]), fill=ink)
    sheet.pen.line((box[0], box[3], box[2], box[1]), fill=ink)


def _sofa(sheet: Sheet, room: Box, ink: str) -> None:
    x, y = room.left + 4, room.top + 2
    sheet.pen.rounded_rectangle((x, y, x + 66, y + 22), 5, outline=ink)
    sheet.pen.rectangle((x + 8, y + 7, x + 58, y + 22), outline=ink)
    sheet.pen.ellipse((room.right - 30, y, room.right - 8, y + 22), outline=ink)


def _basins(sheet: Sheet, room: Box, ink: str) -> None:
    for x in range(room.left + 4, min(room.right - 24, room.left + 90), 28):
        sheet.pen.rounded_rectangle((x, room.top, x + 18, room.top + 8), 2, outline=ink)
        sheet.pen.ellipse((x + 1, room.top + 7, x + 17, room.top + 25), outline=ink)


def _racks(sheet: Sheet, room: Box, ink: str) -> None:
    for x in range(room.left + 6, room.right - 20, 20):
        sheet.pen.rounded_rectangle((x, room.top + 2, x + 10, room.top + 24), 5, outline=ink)
    sheet.pen.line((room.left, room.top + 13, room.right, room.top + 13), fill=ink)


def _chairs(sheet: Sheet, room: Box, ink: str) -> None:
    left, right = room.left + 16, min(room.right - 16, room.left + 130)
    if room.bottom - room.top < 100:
        right = (room.left + room.right) // 2 - 50
    sheet.pen.rounded_rectangle((left, room.top + 10, right, room.top + 26), 6, outline=ink)
    for x in range(left + 6, right - 10, 19):
        sheet.pen.ellipse((x, room.top, x + 9, room.top + 8), outline=ink)
        sheet.pen.ellipse((x, room.top + 28, x + 9, room.top + 36), outline=ink)


KINDS: Mapping[str, Callable[[Sheet, Box, str], None]] = {
    "shelves": _shelves, "counter": _counter, "plants": _plants, "steps": _steps, "cross": _cross, "sofa": _sofa,
    "basins": _basins, "chairs": _chairs, "racks": _racks,
}  # fmt: skip
"""What stands in a room, by the name that `rooms` in `words` has for it."""
_ROWS: Mapping[str, Callable[[Sheet, int, int, str], None]] = {"parking": _car, "ward": _bed, "bedroom": _bed}
