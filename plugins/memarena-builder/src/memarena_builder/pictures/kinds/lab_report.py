"""Laboratory reports: a table of findings."""

from __future__ import annotations

from memarena_builder.pictures import ornaments, photo
from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.palette import PAPERS, SCHEMES, Scheme
from memarena_builder.pictures.rows import cells, split
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, MARGIN, LINE = 720, 44, 36
COLUMNS = (MARGIN + 12, MARGIN + 210, MARGIN + 366, WIDTH - MARGIN - 170)
FAR = 0.22
"""How often a finding lies outside of its range."""


def draw(spec: PictureSpec) -> Drawing:
    """A letterhead, whom it is about, a table where the facts stand among measures, a remark, a signature."""
    own, rest = split(spec)
    sheet = Sheet(spec, WIDTH, 1800)
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    scheme, face = rng.choice(SCHEMES), rng.choice(("sans", "serif", "grotesk", "slab"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=rng.choice(PAPERS))
    about = spec.about
    _letterhead(sheet, said, about, scheme, face)
    sheet.within(MARGIN, 112, said.one("lab_titles", about), Style(face, 27).bold(), WIDTH - 2 * MARGIN)
    small = Style(face, 14, "#666666")
    sheet.text(MARGIN, 160, said.one("re"), small)
    sheet.within(MARGIN, 180, spec.subject, Style(face, 23), WIDTH - 2 * MARGIN)
    top = 222
    if rest:
        area = Area(MARGIN, top, WIDTH - 2 * MARGIN)
        top = cells(sheet, rest, area, small, Style(face, 17), across=min(4, len(rest))) + 6
    top = _table(sheet, said, own, scheme, Style(face, 17), top)
    for line in sheet.lines(said.one("lab_foot"), small, WIDTH - 2 * MARGIN):
        sheet.text(MARGIN, top, line, small)
        top += 19
    ornaments.signature(sheet, WIDTH - MARGIN - 190, top + 44, 130)
    sheet.pen.line((WIDTH - MARGIN - 210, top + 64, WIDTH - MARGIN, top + 64), fill="#888888")
    sheet.text(WIDTH - MARGIN - 210, top + 68, said.one("lab_signed"), small)
    if rng.random() < 0.4:
        ornaments.stamp(sheet, MARGIN + 120, top + 54, said.one("stamps"), scheme.accent)
    sheet.end(top + 112)
    return sheet.done(photo.perhaps(rng, 0.5))


def _letterhead(sheet: Sheet, said: Words, about: str, scheme: Scheme, face: str) -> None:
    """The house with its sign and street."""
    name, street = said.one("lab_names", about), said.one("lab_streets")
    head, small = Style(face, 22, scheme.dark).bold(), Style(face, 14, "#666666")
    if sheet.rng.random() < 0.5:
        sheet.pen.ellipse((MARGIN, 26, MARGIN + 46, 72), outline=scheme.accent, width=6)
        sheet.pen.line((MARGIN + 23, 36, MARGIN + 23, 62), fill=scheme.accent, width=5)
        sheet.pen.line((MARGIN + 10, 49, MARGIN + 36, 49), fill=scheme.accent, width=5)
        sheet.within(MARGIN + 62, 28, name, head, WIDTH - 2 * MARGIN - 62)
        sheet.text(MARGIN + 62, 60, street, small)
    else:
        sheet.within(WIDTH - MARGIN, 28, name, head, WIDTH - 2 * MARGIN, "r")
        sheet.text(WIDTH - MARGIN, 60, street, small, "r")
    sheet.pen.line((MARGIN, 92, WIDTH - MARGIN, 92), fill=scheme.accent, width=2)


def _table(sheet: Sheet, said: Words, own: list[int], scheme: Scheme, style: Style, top: int) -> int:
    """Facts and measures mixed, with units and ranges; the row below."""
    spec, rng, head = sheet.spec, sheet.rng, top
    sheet.pen.rectangle((MARGIN, top, WIDTH - MARGIN, top + LINE), fill=scheme.dark)
    for x, name in zip(COLUMNS, said.all("lab_columns"), strict=True):
        sheet.text(x, top + 8, name, style._replace(ink="#ffffff"))
    top += LINE
    measures = said.all("lab_rows", spec.about)
    rng.shuffle(measures)
    order = own + [-1] * min(rng.randint(4, 6), len(measures))
    rng.shuffle(order)
    for at, number in enumerate(order):
        field = spec.fields[number] if number >= 0 else None
        tall = LINE if field is None else height(field, LINE) + (8 if field.shown != "text" else 0)
        if at % 2:
            sheet.pen.rectangle((MARGIN, top, WIDTH - MARGIN, top + tall), fill=scheme.light)
        if field is None:
            _measure(sheet, said, measures.pop(), style, top + 8)
        else:
            sheet.within(COLUMNS[0], top + 8, field.label, style, 180)
            wide = COLUMNS[2] if field.shown == "text" else WIDTH - MARGIN
            place(sheet, number, Area(COLUMNS[1], top + 7, wide - COLUMNS[1] - 12), style)
            if field.shown == "text":
                sheet.text(COLUMNS[2], top + 8, said.one("lab_units", field.name), style._replace(ink="#555555"))
        top += tall
    sheet.pen.rectangle((MARGIN, head, WIDTH - MARGIN, top), outline=scheme.accent)
    return top + 18


def _measure(sheet: Sheet, said: Words, row: list[object], style: Style, y: int) -> None:
    """A finding, in its range or a little outside of it."""
    name, unit, low, high, digits = row
    assert isinstance(low, float) and isinstance(high, float) and isinstance(digits, int)
    rng, width = sheet.rng, high - low
    value, note = rng.uniform(low + 0.1 * width, high - 0.1 * width), ""
    if rng.random() < FAR:
        above = low == 0 or rng.random() < 0.5
        value = high + rng.uniform(0.1, 0.3) * width if above else max(0.0, low - rng.uniform(0.1, 0.2) * width)
        note = said.one("lab_high" if above else "lab_low")
    found = style.bold() if note else style
    soft = style._replace(ink="#555555")
    sheet.within(COLUMNS[0], y, str(name), style, 180)
    sheet.text(COLUMNS[1], y, f"{value:.{digits}f}", found)
    sheet.text(COLUMNS[2], y, str(unit), soft)
    sheet.text(COLUMNS[3], y, f"{low:.{digits}f} - {high:.{digits}f}", soft)
    if note:
        sheet.text(WIDTH - MARGIN - 10, y, note, found._replace(ink="#a8323c"), "r")
