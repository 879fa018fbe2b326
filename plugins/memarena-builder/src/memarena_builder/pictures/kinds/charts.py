"""Charts: bars, lines, pies."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from memarena_builder.pictures import photo
from memarena_builder.pictures.kinds import axes
from memarena_builder.pictures.marks import Area, curve, height, number, place
from memarena_builder.pictures.palette import SCHEMES, Scheme
from memarena_builder.pictures.rows import small_print, split
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, HEIGHT, TOP, SIDE = 720, 480, 100, 60
INKS = ("#4c78a8", "#f58518", "#54a24b", "#b279a2", "#9d755d", "#72b7b2", "#8a8a8a")
_Plot = Callable[[Sheet, int, Box, Words, Scheme, str], None]


class Entry(NamedTuple):
    """One of the things that a chart compares."""

    name: str
    amount: int
    field: int
    """The field with the subject's amount; -1 for others."""


def bars(spec: PictureSpec) -> Drawing:
    """The subject among others, upright or lying; amounts stand at the bars."""
    return _chart(spec, _bars)


def lines(spec: PictureSpec) -> Drawing:
    """A line through months; the last point has its amount. A field shown as a trend is the line itself."""
    return _chart(spec, _line)


def pie(spec: PictureSpec) -> Drawing:
    """The subject's share among others, as a pie or a ring."""
    return _chart(spec, _pie)


def _chart(spec: PictureSpec, plot: _Plot) -> Drawing:
    own, rest = split(spec)
    more = own[1:]
    sheet = Sheet(spec, WIDTH, HEIGHT + 74 + sum(height(spec.fields[each], 34) + 10 for each in more))
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    scheme, face = rng.choice(SCHEMES), rng.choice(("sans", "grotesk", "serif", "slab"))
    ground = rng.choice(("#ffffff", "#ffffff", scheme.light, "#fafafa"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=ground)
    field = spec.fields[own[0]]
    sheet.within(SIDE, 22, f"{spec.subject} – {field.label}", Style(face, 26, scheme.dark).bold(), WIDTH - 2 * SIDE)
    unit = said.one("chart_units", field.name)
    told = said.one("chart_titles", field.name)
    sheet.within(SIDE, 58, f"{told} ({unit})" if unit else told, Style(face, 16, "#666666"), WIDTH - 2 * SIDE)
    box = Box(SIDE, TOP, WIDTH - SIDE, HEIGHT - 30)
    if field.shown == "trend":
        axes.shares(sheet, box, Style(face, 13, "#777777"))
        curve(sheet, own[0], box, scheme.accent)
    elif field.shown == "text" and field.value[:1].isdigit() and field.value.split()[0].replace(",", "").isdigit():
        plot(sheet, own[0], box, said, scheme, face)
    else:
        place(sheet, own[0], Area(box.left + 30, box.top + 50, box.right - box.left - 60), Style(face, 34, scheme.dark))
    top = HEIGHT
    for each in more:
        wide = sheet.text(SIDE, top, spec.fields[each].label, Style(face, 18, "#555555")).right
        place(sheet, each, Area(wide + 20, top, WIDTH - SIDE - wide - 20), Style(face, 20))
        top += height(spec.fields[each], 34) + 10
    sheet.pen.line((SIDE, top, WIDTH - SIDE, top), fill="#cccccc")
    small_print(sheet, rest, Area(SIDE, top + 10, WIDTH - 2 * SIDE), Style(face, 15, "#5e5e5e"))
    return sheet.done(photo.perhaps(rng, 0.15))


def _amounts(sheet: Sheet, value: int, count: int) -> list[int]:
    """Others' amounts, none near the subject's."""
    rng = sheet.rng
    return [round(value * rng.choice((rng.uniform(0.35, 0.85), rng.uniform(1.15, 1.5)))) for _ in range(count)]


def _entries(sheet: Sheet, field: int, said: Words, count: int) -> list[Entry]:
    """The subject among `count` others, in any order."""
    own = sheet.spec.fields[field]
    value, others = number(own.value), said.some("chart_series", count, own.name)
    entries = [
        Entry(name, amount, -1)
        for name, amount in zip(others, _amounts(sheet, value, len(others)), strict=True)
        if name != sheet.spec.subject
    ]
    entries.insert(sheet.rng.randint(0, len(entries)), Entry(sheet.spec.subject, value, field))
    return entries


def _bars(sheet: Sheet, field: int, box: Box, said: Words, scheme: Scheme, face: str) -> None:
    entries = _entries(sheet, field, said, sheet.rng.randint(3, 5))
    if sheet.rng.random() < 0.4:
        entries.sort(key=lambda entry: -entry.amount)
    (_lying if sheet.rng.random() < 0.5 else _upright)(sheet, entries, box, scheme, face)


def _upright(sheet: Sheet, entries: list[Entry], box: Box, scheme: Scheme, face: str) -> None:
    step = (box.right - box.left) / len(entries)
    floor, most = box.bottom - 34, axes.ceiling(max(entry.amount for entry in entries))
    axes.amounts(sheet, box._replace(bottom=floor), 0, most, Style(face, 13, "#777777"))
    for at, (name, amount, field) in enumerate(entries):
        middle, top = box.left + step * (at + 0.5), floor - (floor - box.top) * amount / most
        fill = scheme.dark if field >= 0 else scheme.accent
        sheet.pen.rectangle((middle - step * 0.31, top, middle + step * 0.31, floor), fill=fill)
        _amount(sheet, field, amount, middle, top - 24, Style(face, 18), "m")
        small = Style(face, 15)
        for row, line in enumerate(sheet.lines(name, small, round(step) - 4)[:2]):
            sheet.within(middle, floor + 6 + 17 * row, line, small, round(step) - 4, "m")


def _lying(sheet: Sheet, entries: list[Entry], box: Box, scheme: Scheme, face: str) -> None:
    step = (box.bottom - box.top - 20) / len(entries)
    names = Style(face, 17)
    left = box.left + min(190, max(sheet.length(entry.name, names) for entry in entries)) + 12
    most = axes.ceiling(max(entry.amount for entry in entries))
    wide = box.right - left - 60
    axes.across(sheet, Box(left, box.top, left + wide, box.bottom - 20), most, Style(face, 13, "#777777"))
    for at, (name, amount, field) in enumerate(entries):
        middle, right = box.top + step * (at + 0.5), left + wide * amount / most
        fill = scheme.dark if field >= 0 else scheme.accent
        sheet.pen.rectangle((left, middle - step * 0.3, right, middle + step * 0.3), fill=fill)
        sheet.within(left - 10, middle - 10, name, names, 190, "r")
        _amount(sheet, field, amount, right + 10, middle - 11, Style(face, 18), "l")


def _amount(sheet: Sheet, field: int, amount: int, x: float, y: float, style: Style, align: str) -> None:
    if field >= 0:
        sheet.value(field, x, y, style.bold(), align)
    else:
        sheet.text(x, y, f"{amount:,}" if "," in _own_value(sheet) else str(amount), style, align)


def _own_value(sheet: Sheet) -> str:
    return sheet.spec.fields[split(sheet.spec)[0][0]].value


def _line(sheet: Sheet, field: int, box: Box, said: Words, scheme: Scheme, face: str) -> None:
    rng, value = sheet.rng, number(sheet.spec.fields[field].value)
    names, last = said.all("months"), sheet.spec.day.month - 1
    months = [names[(last - back) % 12][:3] for back in range(7, -1, -1)]
    amounts = [*_walk(sheet, value, len(months) - 1), value]
    low, high = 0, axes.ceiling(max(amounts))
    floor, right = box.bottom - 28, box.right - 112
    step = (right - box.left - 28) / (len(months) - 1)
    points = [
        (box.left + 14 + step * at, floor - (floor - box.top) * (amount - low) / (high - low))
        for at, amount in enumerate(amounts)
    ]
    axes.amounts(sheet, Box(box.left, box.top, right, floor), low, high, Style(face, 13, "#777777"))
    if rng.random() < 0.4:
        sheet.pen.polygon([(points[0][0], floor), *points, (points[-1][0], floor)], fill=scheme.light)
    sheet.pen.line(points, fill=scheme.accent, width=4, joint="curve")
    for month, (x, y) in zip(months, points, strict=True):
        sheet.pen.ellipse((x - 5, y - 5, x + 5, y + 5), fill=scheme.dark)
        sheet.text(x, floor + 8, month, Style(face, 15), "m")
    x, y = points[-1]
    sheet.value(field, x + 16, y - 12, Style(face, 20, scheme.dark).bold())


def _walk(sheet: Sheet, value: int, count: int) -> list[int]:
    """Amounts that lead up to `value` as such things go, none near it."""
    rng, share, out = sheet.rng, sheet.rng.choice((0.55, 0.7, 1.3, 1.5)), []
    for _ in range(count):
        share = min(1.6, max(0.4, share + rng.uniform(-0.18, 0.18)))
        out.append(round(value * (share if abs(share - 1) > 0.1 else share + 0.14)))
    return out


def _pie(sheet: Sheet, field: int, box: Box, said: Words, scheme: Scheme, face: str) -> None:
    rng = sheet.rng
    entries = _entries(sheet, field, said, rng.randint(2, 4))
    whole, radius = sum(entry.amount for entry in entries), 150
    x, y = box.left + 170, (box.top + box.bottom) // 2
    inks = rng.sample(INKS, len(entries))
    at = float(rng.randint(0, 359))
    for (_, amount, own), ink in zip(entries, inks, strict=True):
        turn = 360 * amount / whole
        pull = 10 if own >= 0 else 0
        shift = pull * math.cos(math.radians(at + turn / 2)), pull * math.sin(math.radians(at + turn / 2))
        corners = x - radius + shift[0], y - radius + shift[1], x + radius + shift[0], y + radius + shift[1]
        sheet.pen.pieslice(corners, at, at + turn, fill=ink, outline="#ffffff", width=3)
        at += turn
    if rng.random() < 0.4:
        sheet.pen.ellipse((x - 70, y - 70, x + 70, y + 70), fill="#ffffff")
    left, top = box.left + 345, y - 26 * len(entries)
    for (name, amount, own), ink in zip(entries, inks, strict=True):
        sheet.pen.rectangle((left, top + 3, left + 20, top + 23), fill=ink)
        wide = sheet.within(left + 32, top + 2, name, Style(face, 18), 170).right
        _amount(sheet, own, amount, max(wide + 14, left + 170), top + 2, Style(face, 18), "l")
        top += 52
