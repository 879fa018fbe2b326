"""Dashboards: a window of a program with tiles."""

from __future__ import annotations

from typing import NamedTuple

from memarena_builder.pictures.marks import Area
from memarena_builder.pictures.palette import SCHEMES
from memarena_builder.pictures.rows import small_print, split, stacked, stacked_height
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, SIDE, BAR, GAP = 900, 168, 56, 18


class _Theme(NamedTuple):
    ground: str
    tile: str
    ink: str
    soft: str
    edge: str


THEMES = (
    _Theme("#f3f5f8", "#ffffff", "#1b2733", "#667485", "#dde2e8"),
    _Theme("#ffffff", "#f7f7f9", "#20202a", "#6d6d78", "#e3e3ea"),
    _Theme("#1b1f27", "#262c37", "#eef2f6", "#9fabb8", "#323a47"),
    _Theme("#f7f4ef", "#fffdf9", "#33291f", "#80715f", "#e6ddd0"),
)


def draw(spec: PictureSpec) -> Drawing:
    """A window: menu, head with the subject, tiles for the fields, tiles of curves that say nothing."""
    own, rest = split(spec)
    label, value = Style("sans", 16), Style("sans-bold", 30)
    shown = own + rest[: max(0, 4 - len(own))]
    low = stacked_height(spec, rest[0] if rest else own[0], label, value) + 2 * GAP
    wide_ones = [each for each in shown if stacked_height(spec, each, label, value) + 2 * GAP > low]
    tiles = sum(stacked_height(spec, each, label, value) + 3 * GAP for each in wide_ones)
    plain = [each for each in shown if each not in wide_ones]
    rows = (len(plain) + 1) // 2
    sheet = Sheet(spec, WIDTH, BAR + 86 + tiles + rows * (low + GAP) + 150)
    rng, said = sheet.rng, words(spec.language, sheet.rng)
    theme, scheme = rng.choice(THEMES), rng.choice(SCHEMES)
    face = rng.choice(("sans", "grotesk"))
    _window(sheet, said, theme, scheme.accent, scheme.dark, face)
    y, full = BAR + 86, WIDTH - SIDE - 2 * GAP
    for each in wide_ones:
        high = stacked_height(spec, each, label, value) + 2 * GAP
        _tile(sheet, each, (SIDE + GAP, y, full, high), theme._replace(tile="#ffffff", soft="#555555"), face)
        y += high + GAP
    rng.shuffle(plain)
    half = (full - GAP) // 2
    for at, each in enumerate(plain):
        x = SIDE + GAP + at % 2 * (half + GAP)
        _tile(sheet, each, (x, y + at // 2 * (low + GAP), half, low), theme, face)
    _curves(sheet, theme, scheme.accent, sheet.height - 150)
    left = [each for each in rest if each not in shown]
    small_print(sheet, left, Area(SIDE + GAP, sheet.height - 30, WIDTH - SIDE - 2 * GAP), Style(face, 16, theme.soft))
    return sheet.done()


def _tile(sheet: Sheet, field: int, at: tuple[int, int, int, int], theme: _Theme, face: str) -> None:
    """A tile with the field in it; `at`: left, top, width, height."""
    x, y, wide, high = at
    sheet.pen.rounded_rectangle((x, y, x + wide, y + high), 9, fill=theme.tile, outline=theme.edge)
    ink = "#1b2733" if theme.tile == "#ffffff" else theme.ink
    area = Area(x + GAP, y + GAP, wide - 2 * GAP)
    stacked(sheet, field, area, Style(face, 16, theme.soft), Style(face, 29, ink).bold())


def _window(sheet: Sheet, said: Words, theme: _Theme, accent: str, dark: str, face: str) -> None:
    pen = sheet.pen
    pen.rectangle((0, 0, WIDTH, sheet.height), fill=theme.ground)
    pen.rectangle((0, 0, WIDTH, BAR), fill=dark)
    if sheet.rng.random() < 0.5:
        for at, ink in enumerate(("#ff5f56", "#ffbd2e", "#27c93f")):
            pen.ellipse((18 + 24 * at, 20, 32 + 24 * at, 34), fill=ink)
    else:
        pen.rounded_rectangle((18, 14, 46, 42), 7, fill=accent)
    sheet.text(SIDE + GAP, 15, said.one("dashboard_titles"), Style(face, 21, "#ffffff"))
    pen.ellipse((WIDTH - 52, 12, WIDTH - 20, 44), fill=accent)
    pen.rectangle((0, BAR, SIDE, sheet.height), fill=theme.tile)
    pen.line((SIDE, BAR, SIDE, sheet.height), fill=theme.edge)
    chosen = sheet.rng.randrange(5)
    for at, name in enumerate(said.all("menu")[:5]):
        y = BAR + 26 + 44 * at
        if at == chosen:
            pen.rectangle((0, y - 8, 5, y + 28), fill=accent)
        pen.rounded_rectangle((20, y, 36, y + 16), 4, outline=theme.soft, width=2)
        sheet.text(48, y - 2, name, Style(face, 17, theme.ink if at == chosen else theme.soft))
    title = sheet.spec.subject
    sheet.text(SIDE + GAP, BAR + 26, title, sheet.fitted(title, Style(face, 32, theme.ink).bold(), WIDTH - SIDE - 60))


def _curves(sheet: Sheet, theme: _Theme, accent: str, top: int) -> None:
    """A wide tile with bars or a line, no numbers."""
    rng, pen = sheet.rng, sheet.pen
    left, right, bottom = SIDE + GAP, WIDTH - GAP, top + 106
    pen.rounded_rectangle((left, top, right, bottom), 9, fill=theme.tile, outline=theme.edge)
    count = rng.randint(18, 30)
    step = (right - left - 40) / count
    levels = [rng.uniform(0.15, 0.95) for _ in range(count)]
    if rng.random() < 0.5:
        for at, level in enumerate(levels):
            x = left + 20 + step * at
            pen.rectangle((x, bottom - 12 - 80 * level, x + step * 0.6, bottom - 12), fill=accent)
    else:
        points = [(left + 20 + step * at, bottom - 14 - 76 * level) for at, level in enumerate(levels)]
        pen.line(points, fill=accent, width=3, joint="curve")
