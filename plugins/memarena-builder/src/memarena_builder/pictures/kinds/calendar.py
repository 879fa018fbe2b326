"""Wall calendars: a month with entries by hand."""

from __future__ import annotations

import calendar
import random

from memarena_builder.pictures import photo
from memarena_builder.pictures.marks import Area
from memarena_builder.pictures.palette import SCHEMES
from memarena_builder.pictures.rows import pairs, small_print, split, tallness
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, MARGIN, HEAD, CELL = 780, 30, 142, 66
YEARS = (2026, 2028)


def draw(spec: PictureSpec) -> Drawing:
    """A month, weeks from Monday; small entries that mean nothing, and the fields as notes below, one day circled."""
    own, rest = split(spec)
    line, month = 44, _month(spec.seed)
    weeks = len(calendar.monthcalendar(*month))
    sheet = Sheet(spec, WIDTH, HEAD + weeks * CELL + 34 + tallness(spec, own, line, 10) + 62)
    rng, said = sheet.rng, words(spec.language, sheet.rng)
    scheme = rng.choice(SCHEMES)
    face = rng.choice(("sans", "serif", "grotesk", "slab"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=rng.choice(("#ffffff", "#fdfcf8", scheme.light)))
    if rng.random() < 0.5:
        sheet.pen.rectangle((0, 0, WIDTH, 96), fill=scheme.dark)
        ink = "#ffffff"
    else:
        ink = scheme.dark
        for x in range(40, WIDTH - 30, 36):
            sheet.pen.ellipse((x - 6, 4, x + 6, 16), fill="#777777")
    sheet.text(MARGIN, 34, f"{said.all('months')[month[1] - 1]} {month[0]}", Style(face, 36, ink).bold())
    name = sheet.fitted(spec.subject, Style(face, 26, ink), 330)
    sheet.text(WIDTH - MARGIN, 42, spec.subject, name, "r")
    _grid(sheet, said, month, weeks, Style(face, 17))
    style = Style("hand", 28, rng.choice(("#b3262e", "#1c3f94", "#1d1d1d")))
    bottom = HEAD + weeks * CELL + 20
    area = Area(MARGIN + 8, bottom, WIDTH - 2 * MARGIN - 16)
    bottom = pairs(sheet, own, area, style, style, line=line, gap=10, share=0.34)
    small_print(sheet, rest, Area(MARGIN, bottom + 8, WIDTH - 2 * MARGIN), Style(face, 16, "#666666"))
    return sheet.done(photo.perhaps(rng, 0.7))


def _month(seed: int) -> tuple[int, int]:
    """Year and month; any will do."""
    rng = random.Random(seed)
    return rng.randint(*YEARS), rng.randint(1, 12)


def _grid(sheet: Sheet, said: Words, month: tuple[int, int], weeks: int, style: Style) -> None:
    rng, pen = sheet.rng, sheet.pen
    wide = (WIDTH - 2 * MARGIN) // 7
    for at, name in enumerate(said.all("weekdays")):
        sheet.text(MARGIN + wide * at + wide // 2, HEAD - 30, name, style.bold(), "m")
    first, days = calendar.monthrange(*month)
    notes = said.some("calendar_notes", 7)
    busy = rng.sample(range(1, days + 1), len(notes))
    circled = rng.randint(1, days)
    for place in range(7 * weeks):
        day = place - first + 1
        x, y = MARGIN + place % 7 * wide, HEAD + place // 7 * CELL
        if not 1 <= day <= days:
            continue
        pen.rectangle((x, y, x + wide, y + CELL), outline="#b9b9b9", fill="#ffffff" if place % 7 < 5 else "#f1f1ee")
        sheet.text(x + 8, y + 5, str(day), style)
        if day in busy:
            note = notes[busy.index(day)]
            ink = Style("hand", 19, "#3c4f76")
            sheet.text(x + 10, y + 32, note, sheet.fitted(note, ink, wide - 16))
        elif day == circled:
            for shift in (0, 2):
                pen.arc((x + 1 - shift, y - 2, x + 36, y + 29 + shift), 12, 385, fill="#c0392b", width=3)
