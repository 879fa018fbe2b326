"""Badges: a card with a name, a head, a strap."""

from __future__ import annotations

from memarena_builder.pictures import ornaments, photo
from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.palette import palette
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Drawing, PictureSpec
from memarena_builder.pictures.words import words

WIDTH, MARGIN, BAND = 420, 30, 92
GREYS = ("#4a4a4a", "#6a6a6a", "#8a8a8a")


def draw(spec: PictureSpec) -> Drawing:
    """A badge. Its band has the colour of a field that is shown as a colour, and is grey where there is none."""
    rows = [0 if field.shown == "colour" else height(field, 34) + 4 for field in spec.fields]
    sheet = Sheet(spec, WIDTH, BAND + 236 + sum(rows) + 46)
    rng, own = sheet.rng, words(spec.language, sheet.rng)
    band = next((number for number, field in enumerate(spec.fields) if field.shown == "colour"), None)
    own_colour = None if band is None else spec.fields[band].value
    colour = rng.choice(GREYS) if own_colour is None else palette(own_colour)[own_colour]
    sheet.pen.rectangle((0, 0, WIDTH - 1, sheet.height - 1), fill="#fdfdfd", outline="#b5b5b5")
    _band(sheet, colour, band)
    face = rng.choice(("sans", "grotesk", "slab"))
    left = rng.random() < 0.5
    tone = rng.choice(("#9aa0a6", "#8b857d", "#7f8a94"))
    ornaments.portrait(sheet, MARGIN if left else WIDTH - MARGIN - 104, BAND + 22, 104, 128, tone)
    x = MARGIN + 122 if left else MARGIN
    motto = own.one("badge_lines")
    sheet.text(x, BAND + 30, motto, sheet.fitted(motto, Style(face, 17, "#777777"), WIDTH - 2 * MARGIN - 122))
    style = Style(face, 29).bold()
    for row, line in enumerate(sheet.lines(spec.subject, style, WIDTH - 2 * MARGIN - 122)[:3]):
        sheet.text(x, BAND + 60 + 34 * row, line, sheet.fitted(line, style, WIDTH - 2 * MARGIN - 122))
    top = BAND + 178
    for number, field in enumerate(spec.fields):
        if number == band:
            continue
        small = Style(face, 18, "#666666")
        sheet.text(MARGIN, top, field.label, sheet.fitted(field.label, small, 128))
        place(sheet, number, Area(MARGIN + 140, top - 3, WIDTH - 2 * MARGIN - 140), Style(face, 22).bold())
        top += rows[number]
    ornaments.barcode(sheet, MARGIN, top + 16, 150, 34)
    sheet.text(WIDTH - MARGIN, top + 26, own.one("return_to"), Style(face, 13, "#888888"), "r")
    return sheet.done(photo.perhaps(rng, 0.7))


def _band(sheet: Sheet, colour: str, field: int | None) -> None:
    """The band with the slot for the strap; plain, or with a fold."""
    pen, middle = sheet.pen, WIDTH // 2
    pen.rectangle((0, 0, WIDTH, BAND), fill=colour)
    if sheet.rng.random() < 0.4:
        pen.rectangle((0, sheet.height - 14, WIDTH, sheet.height), fill=colour)
    pen.rounded_rectangle((middle - 40, 16, middle + 40, 32), 8, fill="#e9e9e9", outline="#555555")
    pen.line((0, BAND, WIDTH, BAND), fill="#555555")
    if field is not None:
        sheet.mark(field, Box(MARGIN, 44, WIDTH - MARGIN, BAND - 12))
