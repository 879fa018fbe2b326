"""Notes by hand: on a yellow slip, on lined paper, on squared paper."""

from __future__ import annotations

from memarena_builder.pictures import photo
from memarena_builder.pictures.marks import Area
from memarena_builder.pictures.rows import pairs, small_print, split, tallness
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import words

WIDTH, MARGIN, LINE = 520, 44, 46
SLIPS = ("#fff2a8", "#ffe0e6", "#dcf3d8", "#d9eafb")


def draw(spec: PictureSpec) -> Drawing:
    """A head, the subject, the facts one a line; the decoys as a scribbled last lines."""
    own, rest = split(spec)
    order = own + rest[:2]
    sheet = Sheet(spec, WIDTH, max(360, 176 + tallness(spec, order, LINE) + 80))
    rng, said = sheet.rng, words(spec.language, sheet.rng)
    paper = rng.choice(("slip", "lined", "squared"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=rng.choice(SLIPS) if paper == "slip" else "#fdfdfa")
    if paper != "slip":
        for y in range(30, sheet.height, 24 if paper == "squared" else LINE):
            sheet.pen.line((0, y, WIDTH, y), fill="#cfdcec")
    if paper == "squared":
        for x in range(12, WIDTH, 24):
            sheet.pen.line((x, 0, x, sheet.height), fill="#cfdcec")
    ink = rng.choice(("#1f2f86", "#222222", "#0d5a4a", "#7a1f2b"))
    head = sheet.text(MARGIN, 34, said.one("note_heads"), Style("hand", 30, ink))
    if rng.random() < 0.6:
        sheet.pen.line((head.left, head.bottom + 7, head.right + 6, head.bottom + 4), fill=ink, width=3)
    sheet.text(MARGIN, 94, spec.subject, sheet.fitted(spec.subject, Style("hand", 36, ink), WIDTH - 2 * MARGIN))
    style = Style("hand", 28, ink)
    top = pairs(sheet, order, Area(MARGIN, 160, WIDTH - 2 * MARGIN), style, style, line=LINE, share=0.45)
    small_print(sheet, rest[2:], Area(MARGIN, top + 20, WIDTH - 2 * MARGIN), Style("hand", 20, ink))
    return sheet.done(photo.desk(rng))
