"""Fields in rows or in small print, the same for many kinds of pictures."""

from __future__ import annotations

from collections.abc import Sequence

from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import PictureSpec


def split(spec: PictureSpec) -> tuple[list[int], list[int]]:
    """Places of the fields with facts, and of the decoys; the first field stands for a fact where there is none."""
    own = [number for number, field in enumerate(spec.fields) if field.fact_id] or [0]
    return own, [number for number in range(len(spec.fields)) if number not in own]


def tallness(spec: PictureSpec, places: Sequence[int], line: int, gap: int = 0) -> int:
    """Pixels that `pairs` takes for these fields."""
    return sum(height(spec.fields[number], line) + gap for number in places)


def pairs(
    sheet: Sheet,
    places: Sequence[int],
    area: Area,
    label: Style,
    value: Style,
    *,
    line: int,
    gap: int = 0,
    share: float = 0.4,
) -> int:
    """Each label with its value to the right, `share` of the width for labels; the row below the last."""
    top, left = area.y, round(area.width * share)
    drop = max(0, (value.size - label.size) * 2 // 3)
    for number in places:
        field = sheet.spec.fields[number]
        sheet.text(area.x, top + drop, field.label, sheet.fitted(field.label, label, left - 10))
        place(sheet, number, Area(area.x + left, top, area.width - left), value)
        top += height(field, line) + gap
    return top


def stacked(sheet: Sheet, number: int, area: Area, label: Style, value: Style) -> int:
    """A label with its value below it; the row below."""
    field = sheet.spec.fields[number]
    sheet.text(area.x, area.y, field.label, sheet.fitted(field.label, label, area.width))
    top = area.y + _drop(label)
    place(sheet, number, Area(area.x, top, area.width), value)
    return top + height(field, value.size + 8)


def _drop(label: Style) -> int:
    """From the top of a label to the top of what stands below it."""
    return round(1.25 * label.size) + 7


def stacked_height(spec: PictureSpec, number: int, label: Style, value: Style) -> int:
    """Pixels that `stacked` takes."""
    return _drop(label) + height(spec.fields[number], value.size + 8)


def cells(sheet: Sheet, places: Sequence[int], area: Area, label: Style, value: Style, *, across: int) -> int:
    """Labels with their values below, `across` beside one another; the row below the last."""
    wide, top = area.width // across, area.y
    for first in range(0, len(places), across):
        row = places[first : first + across]
        for at, number in enumerate(row):
            stacked(sheet, number, Area(area.x + at * wide, top, wide - 14), label, value)
        top += max(stacked_height(sheet.spec, number, label, value) for number in row) + 6
    return top


def small_print(sheet: Sheet, places: Sequence[int], area: Area, style: Style) -> int:
    """Labels and values one after the other in as many lines as it takes; the row below the last."""
    x, y = area.x, area.y
    for number in places:
        field = sheet.spec.fields[number]
        wide = sheet.length(f"{field.label}: {field.value}", style) + 26
        if x > area.x and x + wide > area.x + area.width:
            x, y = area.x, y + style.size + 8
        box = sheet.text(x, y, f"{field.label}:", style)
        sheet.value(number, box.right + 7, y, style)
        x += wide
    return y + style.size + 8
