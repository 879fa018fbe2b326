"""Badges: a card with a name, a head, a strap."""

from __future__ import annotations

import random

from memarena_builder.pictures import ornaments, photo
from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.palette import palette
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, MARGIN, BAND = 420, 30, 112
GREYS = ("#4a4a4a", "#6a6a6a", "#8a8a8a")


def draw(spec: PictureSpec) -> Drawing:
    """A badge. Its band has the colour of a field that is shown as a colour, and is grey where there is none."""
    sheet = Sheet(spec, WIDTH, 1600)
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    band = next((number for number, field in enumerate(spec.fields) if field.shown == "colour"), None)
    colour = rng.choice(GREYS)
    if band is not None:
        colour = palette(spec.fields[band].value)[spec.fields[band].value]
    face = rng.choice(("sans", "grotesk", "slab"))
    sheet.pen.rectangle((0, 0, WIDTH - 1, sheet.height), fill="#fdfdfd")
    top = rng.choice((_beside, _beside, _centred))(sheet, said, face)
    shown = [number for number in range(len(spec.fields)) if number != band]
    rng.shuffle(shown)
    value = Style(face, 21).bold()
    for number in shown:
        field = spec.fields[number]
        sheet.within(MARGIN, top, field.label, Style(face, 17, "#666666"), 128)
        place(sheet, number, Area(MARGIN + 140, top - 2, WIDTH - 2 * MARGIN - 140), value)
        top += height(field, 32) + 4
    sheet.pen.line((MARGIN, top + 6, WIDTH - MARGIN, top + 6), fill="#cccccc")
    if rng.random() < 0.6:
        ornaments.barcode(sheet, MARGIN, top + 20, 150, 36)
    else:
        ornaments.squares(sheet, MARGIN, top + 16, 44)
    if rng.random() < 0.5:
        _chip(sheet, WIDTH - MARGIN - 48, top + 18)
    sheet.within(MARGIN, top + 68, said.one("return_to"), Style(face, 13, "#888888"), WIDTH - 2 * MARGIN)
    sheet.end(top + 104)
    _band(sheet, said, colour, band, face)
    return sheet.done(photo.perhaps(rng, 0.7))


def _beside(sheet: Sheet, said: Words, face: str) -> int:
    """The head beside the name; the row below."""
    left = sheet.rng.random() < 0.5
    tone = sheet.rng.choice(("#9aa0a6", "#8b857d", "#7f8a94"))
    ornaments.portrait(sheet, MARGIN if left else WIDTH - MARGIN - 108, BAND + 20, 108, 134, tone)
    x, wide = MARGIN + 126 if left else MARGIN, WIDTH - 2 * MARGIN - 126
    sheet.within(x, BAND + 28, said.one("badge_lines", sheet.spec.about), Style(face, 16, "#777777"), wide)
    style = Style(face, 28).bold()
    for row, line in enumerate(sheet.lines(sheet.spec.subject, style, wide)[:3]):
        sheet.within(x, BAND + 58 + 34 * row, line, style, wide)
    return BAND + 178


def _centred(sheet: Sheet, said: Words, face: str) -> int:
    """The head above the name; the row below."""
    tone, middle, wide = sheet.rng.choice(("#9aa0a6", "#8b857d", "#7f8a94")), WIDTH // 2, WIDTH - 2 * MARGIN
    ornaments.portrait(sheet, middle - 58, BAND + 18, 116, 144, tone)
    sheet.within(middle, BAND + 174, sheet.spec.subject, Style(face, 30).bold(), wide, "m")
    sheet.within(middle, BAND + 214, said.one("badge_lines", sheet.spec.about), Style(face, 16, "#777777"), wide, "m")
    return BAND + 250


def _chip(sheet: Sheet, x: int, y: int) -> None:
    """The chip of a card, a little worn."""
    pen = sheet.pen
    pen.rounded_rectangle((x, y, x + 46, y + 36), 6, fill="#cdb273", outline="#8f7a45")
    pen.line((x, y + 12, x + 16, y + 12, x + 16, y + 36), fill="#8f7a45")
    pen.line((x + 46, y + 12, x + 30, y + 12, x + 30, y + 36), fill="#8f7a45")
    pen.line((x + 16, y + 24, x + 30, y + 24), fill="#8f7a45")


def _band(sheet: Sheet, said: Words, colour: str, field: int | None, face: str) -> None:
    """The band with the slot for the strap; the house stands on white above it, so that the band stays plain."""
    pen, middle = sheet.pen, WIDTH // 2
    pen.rectangle((0, 0, WIDTH, BAND), fill=colour)
    if sheet.rng.random() < 0.4:
        pen.rectangle((0, sheet.height - 14, WIDTH, sheet.height), fill=colour)
    pen.rectangle((0, 0, WIDTH, 58), fill="#fdfdfd")
    house = random.Random(sheet.spec.house).choice(said.all("badge_firms"))
    firm = sheet.within(middle + 12, 35, house, Style(face, 16, "#444444").bold(), 320, "m")
    pen.ellipse((firm.left - 26, 34, firm.left - 8, 52), outline="#444444", width=4)
    pen.rounded_rectangle((middle - 40, 10, middle + 40, 26), 8, fill="#c9c9c9", outline="#555555")
    pen.line((0, BAND, WIDTH, BAND), fill="#555555")
    pen.rectangle((0, 0, WIDTH - 1, sheet.height - 1), outline="#b5b5b5")
    if field is not None:
        sheet.mark(field, Box(MARGIN, 66, WIDTH - MARGIN, BAND - 8))
