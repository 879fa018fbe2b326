"""Wall calendars: a month with entries by hand."""

from __future__ import annotations

import calendar

from memarena_builder.pictures import photo
from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.palette import SCHEMES, Scheme
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, MARGIN, HEAD, CELL, LINE = 780, 30, 142, 72, 44
INKS = ("#b3262e", "#1c3f94", "#1d1d1d", "#0d5a4a")
MARKERS = ("#fff3a0", "#ffd9e2", "#d6f0d2", "#d2e6fa")


def draw(spec: PictureSpec) -> Drawing:
    """The month in which it was sent, weeks from Monday, with what is on; below it lines for notes, where the fields
    stand among others."""
    month = spec.day.year, spec.day.month
    weeks = len(calendar.monthcalendar(*month))
    sheet = Sheet(spec, WIDTH, HEAD + weeks * CELL + 1200)
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    scheme, face = rng.choice(SCHEMES), rng.choice(("sans", "serif", "grotesk", "slab"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=rng.choice(("#ffffff", "#fdfcf8", scheme.light)))
    if rng.random() < 0.5:
        sheet.pen.rectangle((0, 0, WIDTH, 96), fill=scheme.dark)
        ink = "#ffffff"
    else:
        ink = scheme.dark
        for x in range(40, WIDTH - 30, 36):
            sheet.pen.ellipse((x - 6, 4, x + 6, 16), fill="#777777")
    head = said.one("calendar_head").format(month=said.all("months")[month[1] - 1], year=month[0])
    sheet.text(MARGIN, 34, head, Style(face, 36, ink).bold())
    sheet.within(WIDTH - MARGIN, 42, spec.subject, Style(face, 26, ink), 330, "r")
    written = Style("hand", 19, rng.choice(INKS))
    _grid(sheet, said, month, weeks, Style(face, 17), written)
    top = _notes(sheet, said, HEAD + weeks * CELL + 18, written._replace(size=27), (face, scheme))
    sheet.end(top)
    return sheet.done(photo.perhaps(rng, 0.7))


def _notes(sheet: Sheet, said: Words, top: int, style: Style, look: tuple[str, Scheme]) -> int:
    """Ruled lines with the fields by hand; the row below."""
    rng, (face, scheme) = sheet.rng, look
    sheet.text(MARGIN, top, said.one("calendar_titles"), Style(face, 17, scheme.accent).bold())
    top += 32
    order = list(range(len(sheet.spec.fields)))
    rng.shuffle(order)
    for number in order:
        field = sheet.spec.fields[number]
        top += 0 if field.shown == "text" else 12
        tall = height(field, LINE)
        left = sheet.within(MARGIN + 10 + rng.randint(0, 12), top, f"{field.label}:", style, 250).right + 18
        place(sheet, number, Area(left, top, WIDTH - MARGIN - left), style)
        sheet.pen.line((MARGIN, top + tall - 8, WIDTH - MARGIN, top + tall - 8), fill="#c9c9c4")
        top += tall
    return top + 22


def _grid(sheet: Sheet, said: Words, month: tuple[int, int], weeks: int, style: Style, written: Style) -> None:
    rng, pen = sheet.rng, sheet.pen
    wide = (WIDTH - 2 * MARGIN) // 7
    for at, name in enumerate(said.all("weekdays")):
        sheet.text(MARGIN + wide * at + wide // 2, HEAD - 30, name, style.bold(), "m")
    first, days = calendar.monthrange(*month)
    notes = dict(zip(rng.sample(range(1, days + 1), 10), said.some("calendar_notes", 10), strict=False))
    circled, away, marker = rng.randint(1, days), rng.randint(3, days - 6), rng.choice(MARKERS)
    stay = range(away, away + rng.randint(3, 5)) if rng.random() < 0.6 else range(0)
    for cell in range(7 * weeks):
        day = cell - first + 1
        x, y = MARGIN + cell % 7 * wide, HEAD + cell // 7 * CELL
        if not 1 <= day <= days:
            continue
        pen.rectangle((x, y, x + wide, y + CELL), outline="#b9b9b9", fill="#ffffff" if cell % 7 < 5 else "#f1f1ee")
        if day in stay:
            pen.rectangle((x + 1, y + 50, x + wide - 1, y + 64), fill=marker)
        sheet.text(x + 8, y + 5, str(day), style)
        if day in notes:
            own = written if rng.random() < 0.7 else written._replace(ink=rng.choice(INKS))
            _entry(sheet, notes[day], (x + 10, y + 28), own, wide - 16)
        elif day == circled:
            for shift in (0, 2):
                pen.arc((x + 1 - shift, y - 2, x + 36, y + 29 + shift), 12, 385, fill="#c0392b", width=3)


def _entry(sheet: Sheet, note: str, at: tuple[int, int], style: Style, wide: int) -> None:
    """Something that is on, on two lines at most; now and then it is off."""
    off = sheet.rng.random() < 0.1
    for row, line in enumerate(sheet.lines(note, style, wide)[:2]):
        box = sheet.within(at[0], at[1] + 20 * row, line, style, wide)
        if off:
            y = (box.top + box.bottom) // 2
            sheet.pen.line((box.left - 2, y + 2, box.right + 2, y - 2), fill=style.ink, width=2)
