"""Dashboards: a window of a program with tiles."""

from __future__ import annotations

import re
from typing import NamedTuple

from memarena_builder.pictures.marks import Area
from memarena_builder.pictures.palette import SCHEMES, Scheme
from memarena_builder.pictures.rows import split, stacked, stacked_height
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, SIDE, BAR, HEAD, GAP, CHART = 940, 172, 56, 92, 18, 190


class Theme(NamedTuple):
    """Colours of a program."""

    ground: str
    tile: str
    ink: str
    soft: str
    edge: str


THEMES = (
    Theme("#f3f5f8", "#ffffff", "#1b2733", "#667485", "#dde2e8"),
    Theme("#ffffff", "#f7f7f9", "#20202a", "#6d6d78", "#e3e3ea"),
    Theme("#1b1f27", "#262c37", "#eef2f6", "#9fabb8", "#323a47"),
    Theme("#f7f4ef", "#fffdf9", "#33291f", "#80715f", "#e6ddd0"),
)
UP, DOWN = "#2e9e62", "#cf4b4b"
FEWEST_WEEKS, MANY_DAYS = 2, 28
"""Weeks of the shortest of `dashboard_ranges`; days of which not every third has room for its name."""
OVERVIEW = 0
"""The entry of the menu that such a page is."""
SHORT = 9
"""Letters of a value that leaves room beside it."""
_MEASURE = re.compile(r"[\d.,]+ ?(?:%|ms|°C|euros|元)|\d{1,2}|[\d.]+ / 5")
"""Values that rise and fall, so that an arrow says something; no versions, codes or stages."""


def draw(spec: PictureSpec) -> Drawing:
    """A window: menu, head with the subject, a tile a field, a chart of something else, what happened last."""
    own, rest = split(spec)
    sheet = Sheet(spec, WIDTH, 1800)
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    theme, scheme = rng.choice(THEMES), rng.choice(SCHEMES)
    face = rng.choice(("sans", "grotesk"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=theme.ground)
    top = _tiles(sheet, own + rest, theme, scheme.accent, face)
    across = WIDTH - SIDE - 2 * GAP
    ranges = said.all("dashboard_ranges")
    weeks = rng.randrange(len(ranges))
    listed = rng.random() < 0.6
    wide = round(across * 0.6) if listed else across
    _curves(sheet, said, theme, (scheme.accent, face), (SIDE + GAP, top, SIDE + GAP + wide), 7 * (FEWEST_WEEKS + weeks))
    if listed:
        _log(sheet, said, theme, face, (SIDE + 2 * GAP + wide, top, WIDTH - GAP))
    sheet.end(top + CHART + GAP)
    _window(sheet, said, theme, scheme, (face, ranges[weeks]))
    return sheet.done()


def _tiles(sheet: Sheet, shown: list[int], theme: Theme, accent: str, face: str) -> int:
    """A tile a field: those that are drawn over the whole width, others two or three in a row; the row below."""
    spec, rng = sheet.spec, sheet.rng
    label, value = Style("sans", 16), Style("sans-bold", 30)
    drawn = [each for each in shown if spec.fields[each].shown in ("tick", "position", "trend", "count")]
    plain = [each for each in shown if each not in drawn]
    rng.shuffle(plain)
    y, full = BAR + HEAD, WIDTH - SIDE - 2 * GAP
    white = theme._replace(tile="#ffffff", soft="#555555")
    for each in drawn:
        high = stacked_height(spec, each, label, value) + 2 * GAP
        _tile(sheet, each, (SIDE + GAP, y, full, high), white, face)
        y += high + GAP
    many = 3 if len(plain) in (3, 5, 6) and max(len(spec.fields[each].value) for each in plain) < 13 else 2
    low = stacked_height(spec, plain[0], label, value) + 2 * GAP + 8 if plain else 0
    for first in range(0, len(plain), many):
        row = plain[first : first + many]
        wide = (full - GAP * (len(row) - 1)) // len(row)
        for at, each in enumerate(row):
            at_box = (SIDE + GAP + at * (wide + GAP), y, wide, low)
            _tile(sheet, each, at_box, theme, face)
            if spec.fields[each].shown == "text" and _MEASURE.fullmatch(spec.fields[each].value):
                _trace(sheet, at_box, accent, len(spec.fields[each].value) < SHORT)
        y += low + GAP
    return y


def _tile(sheet: Sheet, field: int, at: tuple[int, int, int, int], theme: Theme, face: str) -> None:
    """A tile with the field in it; `at`: left, top, width, height."""
    x, y, wide, high = at
    sheet.pen.rounded_rectangle((x, y, x + wide, y + high), 9, fill=theme.tile, outline=theme.edge)
    ink = "#1b2733" if theme.tile == "#ffffff" else theme.ink
    area = Area(x + GAP, y + GAP, wide - 2 * GAP)
    stacked(sheet, field, area, Style(face, 16, theme.soft), Style(face, 29, ink).bold())


def _trace(sheet: Sheet, at: tuple[int, int, int, int], accent: str, roomy: bool) -> None:
    """An arrow for where it goes in a corner of a tile, and the course of the last days where there is room."""
    x, y, wide, high = at
    rng, pen, right = sheet.rng, sheet.pen, x + wide - GAP
    rises = rng.random() < 0.5
    if roomy and wide > 320:
        points = [
            (right - 110 + 11 * step, y + high - 24 - rng.uniform(0, 14) - (1.6 if rises else -0.4) * step)
            for step in range(11)
        ]
        pen.line(points, fill=accent, width=2, joint="curve")
    flat, tip = (y + 26, y + 16) if rises else (y + 17, y + 27)
    pen.polygon((right - 16, flat, right, flat, right - 8, tip), fill=UP if rises else DOWN)


def _window(sheet: Sheet, said: Words, theme: Theme, scheme: Scheme, told: tuple[str, str]) -> None:
    """What stands around the tiles; `told`: face, and the time that they show."""
    pen, rng, accent, (face, asked) = sheet.pen, sheet.rng, scheme.accent, told
    pen.rectangle((0, 0, WIDTH, BAR), fill=scheme.dark)
    if rng.random() < 0.5:
        for at, ink in enumerate(("#ff5f56", "#ffbd2e", "#27c93f")):
            pen.ellipse((18 + 24 * at, 20, 32 + 24 * at, 34), fill=ink)
    else:
        pen.rounded_rectangle((18, 14, 46, 42), 7, fill=accent)
        pen.line((25, 35, 32, 24, 39, 30), fill="#ffffff", width=3)
    sheet.text(SIDE + GAP, 15, said.one("dashboard_titles"), Style(face, 21, "#ffffff"))
    pen.rounded_rectangle((WIDTH - 400, 12, WIDTH - 130, 44), 15, fill="#ffffff")
    pen.ellipse((WIDTH - 388, 20, WIDTH - 376, 32), outline="#888888", width=2)
    pen.line((WIDTH - 378, 31, WIDTH - 373, 36), fill="#888888", width=2)
    sheet.text(WIDTH - 364, 18, said.one("dashboard_search"), Style(face, 15, "#8a8f96"))
    pen.arc((WIDTH - 104, 18, WIDTH - 84, 40), 180, 360, fill="#ffffff", width=3)
    pen.line((WIDTH - 106, 38, WIDTH - 82, 38), fill="#ffffff", width=3)
    pen.ellipse((WIDTH - 88, 12, WIDTH - 78, 22), fill=DOWN)
    pen.ellipse((WIDTH - 52, 12, WIDTH - 20, 44), fill=accent)
    pen.ellipse((WIDTH - 42, 17, WIDTH - 30, 29), fill="#ffffff")
    pen.pieslice((WIDTH - 48, 31, WIDTH - 24, 55), 180, 360, fill="#ffffff")
    pen.rectangle((0, BAR, SIDE, sheet.height), fill=theme.tile)
    pen.line((SIDE, BAR, SIDE, sheet.height), fill=theme.edge)
    for at, name in enumerate(said.all("menu")):
        y = BAR + 26 + 44 * at
        if at == OVERVIEW:
            pen.rectangle((0, y - 8, 5, y + 28), fill=accent)
        _icon(sheet, at, 20, y, theme.soft)
        sheet.text(48, y - 2, name, Style(face, 17, theme.ink if at == OVERVIEW else theme.soft))
    title = sheet.spec.subject
    sheet.within(SIDE + GAP, BAR + 28, title, Style(face, 32, theme.ink).bold(), WIDTH - SIDE - 260)
    style = Style(face, 15, theme.ink)
    left = WIDTH - GAP - sheet.length(asked, style) - 48
    pen.rounded_rectangle((left, BAR + 32, WIDTH - GAP, BAR + 66), 7, fill=theme.tile, outline=theme.edge)
    sheet.text(left + 14, BAR + 40, asked, style)
    pen.polygon((WIDTH - GAP - 24, BAR + 46, WIDTH - GAP - 12, BAR + 46, WIDTH - GAP - 18, BAR + 54), fill=theme.soft)


def _icon(sheet: Sheet, number: int, x: int, y: int, ink: str) -> None:
    """One of the small signs of the menu."""
    pen = sheet.pen
    if number == 0:
        for dx, dy in ((0, 0), (10, 0), (0, 10), (10, 10)):
            pen.rectangle((x + dx, y + dy, x + dx + 6, y + dy + 6), outline=ink, width=2)
    elif number == 1:
        for dy in (2, 8, 14):
            pen.line((x, y + dy, x + 17, y + dy), fill=ink, width=2)
    elif number == 2:
        for dx, dy in ((0, 8), (6, 2), (12, 11)):
            pen.rectangle((x + dx, y + dy, x + dx + 4, y + 17), fill=ink)
    elif number == 3:
        pen.ellipse((x + 4, y, x + 13, y + 9), outline=ink, width=2)
        pen.arc((x, y + 10, x + 17, y + 26), 180, 360, fill=ink, width=2)
    else:
        pen.ellipse((x + 1, y + 1, x + 16, y + 16), outline=ink, width=3)
        pen.ellipse((x + 6, y + 6, x + 11, y + 11), outline=ink, width=2)


def _curves(
    sheet: Sheet, said: Words, theme: Theme, look: tuple[str, str], at: tuple[int, int, int], count: int
) -> None:
    """A tile with bars or a line of something else by `count` days; `at`: left, top, right."""
    rng, pen, (accent, face), (left, top, right) = sheet.rng, sheet.pen, look, at
    bottom = top + CHART
    pen.rounded_rectangle((left, top, right, bottom), 9, fill=theme.tile, outline=theme.edge)
    sheet.text(left + GAP, top + 12, said.one("dashboard_curves"), Style(face, 16, theme.soft))
    small = Style(face, 13, theme.soft)
    floor, ceiling, start = bottom - 34, top + 48, left + 58
    for share in range(4):
        y = floor - (floor - ceiling) * share / 3
        pen.line((start, y, right - GAP, y), fill=theme.edge)
        sheet.text(start - 10, y - 8, str(20 * share), small, "r")
    step = (right - GAP - start) / count
    levels = [rng.uniform(0.15, 0.95) for _ in range(count)]
    points = [(start + step * (place + 0.3), floor - (floor - ceiling) * level) for place, level in enumerate(levels)]
    if rng.random() < 0.5:
        for x, y in points:
            pen.rectangle((x, y, x + step * 0.6, floor), fill=accent)
    else:
        pen.line(points, fill=accent, width=3, joint="curve")
    days = said.all("weekdays")
    for place in range(0, count, 3 if count < MANY_DAYS else 4):
        sheet.text(start + step * (place + 0.5), floor + 8, days[place % 7], small, "m")


def _log(sheet: Sheet, said: Words, theme: Theme, face: str, at: tuple[int, int, int]) -> None:
    """A tile with what happened last; `at`: left, top, right."""
    pen, (left, top, right) = sheet.pen, at
    pen.rounded_rectangle((left, top, right, top + CHART), 9, fill=theme.tile, outline=theme.edge)
    sheet.text(left + GAP, top + 12, said.one("dashboard_lists"), Style(face, 16, theme.soft))
    for row, text in enumerate(said.some("dashboard_log", 4)):
        y = top + 46 + 35 * row
        pen.ellipse((left + GAP, y + 4, left + GAP + 10, y + 14), fill=sheet.rng.choice((UP, "#d9a441", "#4f86c6")))
        sheet.within(left + GAP + 20, y, text, Style(face, 15, theme.ink), right - left - 140)
        sheet.within(right - GAP, y + 1, said.one("dashboard_ago"), Style(face, 13, theme.soft), 92, "r")
