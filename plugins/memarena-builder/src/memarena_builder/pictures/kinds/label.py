"""Labels on products, crates and devices."""

from __future__ import annotations

from memarena_builder.pictures import ornaments, photo
from memarena_builder.pictures.marks import Area
from memarena_builder.pictures.palette import SCHEMES, Scheme
from memarena_builder.pictures.rows import pairs, split, tallness
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import words

WIDTH, MARGIN = 560, 34
METALS = ("#c9ccd0", "#d8d3c6", "#b9bfc6")


def draw(spec: PictureSpec) -> Drawing:
    """A paper label with bars, or a type plate of metal with rivets."""
    own, rest = split(spec)
    order = own + rest if spec.seed % 2 else rest[:1] + own + rest[1:]
    line = 38
    sheet = Sheet(spec, WIDTH, 158 + tallness(spec, order, line, 4) + 106)
    rng, said = sheet.rng, words(spec.language, sheet.rng)
    scheme, face = rng.choice(SCHEMES), rng.choice(("sans", "grotesk", "mono", "slab"))
    metal = rng.random() < 0.35
    ground = rng.choice(METALS) if metal else rng.choice(("#ffffff", scheme.light, "#fbf6e6"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=ground)
    _edge(sheet, scheme, metal=metal)
    head = said.one("label_heads")
    sheet.text(WIDTH // 2, 30, head, Style(face, 19, "#444444" if metal else scheme.accent), "m")
    title = sheet.fitted(
        spec.subject, Style(face, 38, "#222222" if metal else scheme.dark).bold(), WIDTH - 2 * MARGIN - 20
    )
    sheet.text(WIDTH // 2, 62, spec.subject, title, "m")
    sheet.pen.line((MARGIN, 122, WIDTH - MARGIN, 122), fill="#666666", width=2)
    area = Area(MARGIN + 6, 138, WIDTH - 2 * MARGIN - 12)
    top = pairs(sheet, order, area, Style(face, 19, "#4c4c4c"), Style(face, 23).bold(), line=line, gap=4, share=0.42)
    motto = said.one("label_lines")
    if metal:
        sheet.text(WIDTH // 2, top + 34, motto, Style(face, 18, "#444444"), "m")
    else:
        ornaments.barcode(sheet, MARGIN + 6, top + 14, 200, 56)
        _arrows(sheet, WIDTH - MARGIN - 130, top + 20, scheme.dark)
        sheet.text(WIDTH - MARGIN - 6, top + 70, motto, Style(face, 16, "#555555"), "r")
    return sheet.done(photo.perhaps(rng, 0.75))


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


def _arrows(sheet: Sheet, x: int, y: int, ink: str) -> None:
    """Which way is up."""
    for shift in (0, 34, 92):
        if shift == 92:
            sheet.pen.rectangle((x + shift, y, x + shift + 34, y + 38), outline=ink, width=3)
            sheet.pen.line((x + shift + 6, y + 10, x + shift + 28, y + 10), fill=ink, width=2)
        else:
            sheet.pen.polygon((x + shift, y + 16, x + shift + 12, y, x + shift + 24, y + 16), fill=ink)
            sheet.pen.rectangle((x + shift + 8, y + 16, x + shift + 16, y + 38), fill=ink)
