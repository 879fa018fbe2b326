"""Tickets and permits with a stub."""

from __future__ import annotations

from memarena_builder.pictures import ornaments, photo
from memarena_builder.pictures.marks import Area
from memarena_builder.pictures.palette import SCHEMES
from memarena_builder.pictures.rows import small_print, split, stacked, stacked_height
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import words

WIDTH, STUB, MARGIN = 760, 190, 30


def draw(spec: PictureSpec) -> Drawing:
    """A ticket: head, name, the facts large, small print; a stub behind a row of holes, left or right."""
    own, rest = split(spec)
    label, value = Style("sans", 16), Style("sans", 34)
    facts = sum(stacked_height(spec, each, label, value) + 12 for each in own)
    sheet = Sheet(spec, WIDTH, max(300, 150 + facts + 70))
    rng, said = sheet.rng, words(spec.language, sheet.rng)
    scheme, face = rng.choice(SCHEMES), rng.choice(("sans", "slab", "grotesk", "mono"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=rng.choice((scheme.light, "#fffdf6", "#f6f6f6")))
    right = rng.random() < 0.7
    left, edge = (MARGIN, WIDTH - STUB) if right else (STUB + MARGIN, STUB)
    wide = WIDTH - STUB - 2 * MARGIN
    head = (0, 0, WIDTH - STUB, 60) if right else (STUB, 0, WIDTH, 60)
    sheet.pen.rectangle(head, fill=scheme.dark)
    title = said.one("ticket_titles")
    sheet.text(left, 12, title, Style(face, 30, "#ffffff").bold())
    sheet.text(left, 78, spec.subject, sheet.fitted(spec.subject, Style(face, 27), wide))
    top = 124
    for each in own:
        small = label._replace(face=face, ink="#666666")
        top = stacked(sheet, each, Area(left, top, wide), small, Style(face, 34, scheme.dark).bold()) + 12
    small_print(sheet, rest, Area(left, sheet.height - 60, wide), Style(face, 16, "#555555"))
    for y in range(6, sheet.height, 16):
        sheet.pen.ellipse((edge - 3, y, edge + 3, y + 6), fill="#9b9b9b")
    start = edge + 26 if right else 26
    ornaments.barcode(sheet, start, 80, STUB - 54, 90)
    sheet.pen.rectangle((start, 26, start + STUB - 54, 60), outline=scheme.accent, width=3)
    note = Style(face, 15, "#555555")
    for row, line in enumerate(sheet.lines(said.one("ticket_notes"), note, STUB - 50)):
        sheet.text(start, 190 + 20 * row, line, note)
    return sheet.done(photo.perhaps(rng, 0.65))
