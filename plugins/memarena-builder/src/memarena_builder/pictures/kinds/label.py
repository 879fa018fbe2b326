"""Labels on products, medicine, files, animals and devices."""

from __future__ import annotations

from memarena_builder.pictures import ornaments, photo
from memarena_builder.pictures.marks import Area
from memarena_builder.pictures.palette import SCHEMES, Scheme
from memarena_builder.pictures.rows import cells, pairs, split
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, MARGIN, LINE = 580, 36, 38
METALS = ("#c9ccd0", "#d8d3c6", "#b9bfc6")
PLATED = ("firmware", "maker")
"""Attributes of what has a type plate."""


def draw(spec: PictureSpec) -> Drawing:
    """A type plate of metal with rivets, or a label of paper: in rows with bars, or with a stripe and cells."""
    sheet = Sheet(spec, WIDTH, 1500)
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    scheme, face = rng.choice(SCHEMES), rng.choice(("sans", "grotesk", "mono", "slab"))
    metal = spec.about in PLATED and rng.random() < 0.7
    ground = rng.choice(METALS) if metal else rng.choice(("#ffffff", scheme.light, "#fbf6e6"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=ground)
    design = _plate if metal else rng.choice((_rows, _striped))
    sheet.end(design(sheet, said, scheme, face))
    _edge(sheet, scheme, metal=metal)
    return sheet.done(photo.perhaps(rng, 0.75))


def _plate(sheet: Sheet, said: Words, scheme: Scheme, face: str) -> int:
    """Maker, name, engraved rows; the row below."""
    own, rest = split(sheet.spec)
    about = sheet.spec.about
    middle, wide = WIDTH // 2, WIDTH - 2 * MARGIN - 20
    sheet.within(middle, 30, said.one("label_heads", about), Style(face, 18, "#444444"), wide, "m")
    sheet.within(middle, 58, sheet.spec.subject, Style(face, 36, "#222222").bold(), wide, "m")
    sheet.pen.line((MARGIN, 114, WIDTH - MARGIN, 114), fill="#666666", width=2)
    area = Area(MARGIN + 8, 130, WIDTH - 2 * MARGIN - 16)
    order = rest[:1] + own + rest[1:]
    top = pairs(sheet, order, area, Style(face, 18, "#4c4c4c"), Style(face, 22).bold(), line=LINE - 2, gap=2, share=0.4)
    sheet.pen.line((MARGIN, top + 4, WIDTH - MARGIN, top + 4), fill="#777777")
    _marks(sheet, MARGIN + 12, top + 18)
    sheet.within(WIDTH - MARGIN - 8, top + 24, said.one("label_lines", about), Style(face, 16, "#444444"), 300, "r")
    return top + 78


def _rows(sheet: Sheet, said: Words, scheme: Scheme, face: str) -> int:
    """A head, the name, rows, bars and arrows; the row below."""
    own, rest = split(sheet.spec)
    about = sheet.spec.about
    middle, wide = WIDTH // 2, WIDTH - 2 * MARGIN - 20
    sheet.within(middle, 28, said.one("label_heads", about), Style(face, 19, scheme.accent), wide, "m")
    sheet.within(middle, 58, sheet.spec.subject, Style(face, 38, scheme.dark).bold(), wide, "m")
    sheet.pen.line((MARGIN, 118, WIDTH - MARGIN, 118), fill="#666666", width=2)
    area = Area(MARGIN + 6, 134, WIDTH - 2 * MARGIN - 12)
    order = own + rest if sheet.spec.seed % 2 else rest[:1] + own + rest[1:]
    top = pairs(sheet, order, area, Style(face, 19, "#4c4c4c"), Style(face, 23).bold(), line=LINE, gap=4, share=0.42)
    ornaments.barcode(sheet, MARGIN + 6, top + 14, 200, 56)
    if said.all("label_heads", about) == said.all("label_heads"):
        _arrows(sheet, WIDTH - MARGIN - 130, top + 16, scheme.dark)
    else:
        ornaments.squares(sheet, WIDTH - MARGIN - 72, top + 8, 60)
    motto = said.one("label_lines", about)
    sheet.within(MARGIN + 6, top + 80, motto, Style(face, 16, "#555555"), WIDTH - 2 * MARGIN - 90)
    return top + 122


def _striped(sheet: Sheet, said: Words, scheme: Scheme, face: str) -> int:
    """A stripe with who made it, the name, the facts large, others in cells; the row below."""
    own, rest = split(sheet.spec)
    about = sheet.spec.about
    wide = WIDTH - 2 * MARGIN
    sheet.pen.rectangle((10, 10, WIDTH - 11, 70), fill=scheme.dark)
    sheet.within(MARGIN, 26, said.one("label_heads", about), Style(face, 24, "#ffffff").bold(), wide)
    sheet.within(MARGIN, 88, sheet.spec.subject, Style(face, 34).bold(), wide)
    area = Area(MARGIN, 142, wide)
    top = pairs(sheet, own, area, Style(face, 19, "#4c4c4c"), Style(face, 28).bold(), line=42, gap=4, share=0.36)
    sheet.pen.line((MARGIN, top + 4, WIDTH - MARGIN, top + 4), fill=scheme.accent, width=2)
    small = Style(face, 14, "#666666")
    top = cells(sheet, rest, Area(MARGIN, top + 14, wide), small, Style(face, 19), across=2 if len(rest) > 1 else 1)
    ornaments.barcode(sheet, MARGIN, top + 6, 220, 44)
    ornaments.squares(sheet, WIDTH - MARGIN - 58, top - 4, 58)
    sheet.within(MARGIN, top + 60, said.one("label_lines", about), Style(face, 15, "#555555"), wide - 80)
    return top + 100


def _edge(sheet: Sheet, scheme: Scheme, *, metal: bool) -> None:
    pen, height = sheet.pen, sheet.height
    if not metal:
        pen.rounded_rectangle((10, 10, WIDTH - 11, height - 11), 16, outline=scheme.dark, width=4)
        return
    pen.rectangle((8, 8, WIDTH - 9, height - 9), outline="#8b8f94", width=3)
    for x in (26, WIDTH - 26):
        for y in (26, height - 26):
            pen.ellipse((x - 8, y - 8, x + 8, y + 8), fill="#9a9ea3", outline="#6c7075")
            pen.line((x - 5, y - 4, x + 5, y + 4), fill="#5f6368", width=2)


def _marks(sheet: Sheet, x: int, y: int) -> None:
    """Signs of conformity, of double insulation, of what goes into no bin."""
    pen, ink = sheet.pen, "#3a3a3a"
    pen.arc((x, y, x + 30, y + 30), 60, 300, fill=ink, width=4)
    pen.arc((x + 24, y, x + 54, y + 30), 60, 300, fill=ink, width=4)
    pen.line((x + 28, y + 15, x + 42, y + 15), fill=ink, width=4)
    pen.rectangle((x + 70, y + 2, x + 98, y + 30), outline=ink, width=3)
    pen.rectangle((x + 77, y + 9, x + 91, y + 23), outline=ink, width=3)
    pen.polygon((x + 116, y + 8, x + 138, y + 8, x + 134, y + 28, x + 120, y + 28), outline=ink)
    pen.line((x + 113, y + 2, x + 142, y + 31), fill=ink, width=2)
    pen.line((x + 142, y + 2, x + 113, y + 31), fill=ink, width=2)


def _arrows(sheet: Sheet, x: int, y: int, ink: str) -> None:
    """Which way is up."""
    for shift in (0, 34, 92):
        if shift == 92:
            sheet.pen.rectangle((x + shift, y, x + shift + 34, y + 38), outline=ink, width=3)
            sheet.pen.line((x + shift + 6, y + 10, x + shift + 28, y + 10), fill=ink, width=2)
        else:
            sheet.pen.polygon((x + shift, y + 16, x + shift + 12, y, x + shift + 24, y + 16), fill=ink)
            sheet.pen.rectangle((x + shift + 8, y + 16, x + shift + 16, y + 38), fill=ink)
