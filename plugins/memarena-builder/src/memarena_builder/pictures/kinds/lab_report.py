"""Laboratory reports: a table of findings."""

from __future__ import annotations

from memarena_builder.pictures import ornaments, photo
from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.palette import PAPERS, SCHEMES
from memarena_builder.pictures.rows import small_print, split
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import words

WIDTH, MARGIN, LINE = 680, 40, 38
COLUMNS = (MARGIN + 12, MARGIN + 210, WIDTH - MARGIN - 120)


def draw(spec: PictureSpec) -> Drawing:
    """A letterhead, whom it is about, a table where the facts stand among measures, small print, a signature."""
    own, rest = split(spec)
    rows = [height(spec.fields[each], LINE) + (8 if spec.fields[each].shown != "text" else 0) for each in own]
    sheet = Sheet(spec, WIDTH, 262 + sum(rows) + 4 * LINE + 190)
    rng, said = sheet.rng, words(spec.language, sheet.rng)
    scheme, face = rng.choice(SCHEMES), rng.choice(("sans", "serif", "grotesk", "slab"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=rng.choice(PAPERS))
    style = Style(face, 18)
    if rng.random() < 0.5:
        sheet.pen.ellipse((MARGIN, 26, MARGIN + 46, 72), outline=scheme.accent, width=6)
        sheet.text(MARGIN + 62, 34, said.one("lab_names"), Style(face, 22, scheme.dark).bold())
    else:
        sheet.text(WIDTH - MARGIN, 34, said.one("lab_names"), Style(face, 22, scheme.dark).bold(), "r")
    sheet.pen.line((MARGIN, 86, WIDTH - MARGIN, 86), fill=scheme.accent, width=2)
    sheet.text(MARGIN, 104, said.one("lab_titles"), Style(face, 27).bold())
    sheet.text(MARGIN, 152, said.one("re"), Style(face, 15, "#666666"))
    sheet.text(MARGIN, 172, spec.subject, sheet.fitted(spec.subject, Style(face, 23), WIDTH - 2 * MARGIN))
    top = 218
    sheet.pen.rectangle((MARGIN, top, WIDTH - MARGIN, top + LINE), fill=scheme.dark)
    for x, name in zip(COLUMNS, said.all("lab_columns"), strict=True):
        sheet.text(x, top + 8, name, Style(face, 18, "#ffffff"))
    top += LINE
    order = own + [-1] * rng.randint(3, 4)
    rng.shuffle(order)
    measures = said.some("lab_rows", 6)
    for at, number in enumerate(order):
        tall = rows[own.index(number)] if number >= 0 else LINE
        if at % 2:
            sheet.pen.rectangle((MARGIN, top, WIDTH - MARGIN, top + tall), fill=scheme.light)
        label = spec.fields[number].label if number >= 0 else measures.pop()
        sheet.text(COLUMNS[0], top + 8, label, sheet.fitted(label, style, 180))
        if number >= 0:
            place(sheet, number, Area(COLUMNS[1], top + 7, COLUMNS[2] - COLUMNS[1] - 12), style)
        else:
            sheet.text(COLUMNS[1], top + 8, f"{rng.randint(10, 99) / 10:.1f}", style)
        sheet.text(COLUMNS[2], top + 8, said.one("lab_notes"), Style(face, 16, "#666666"))
        top += tall
    sheet.pen.rectangle((MARGIN, 218, WIDTH - MARGIN, top), outline=scheme.accent)
    small_print(sheet, rest, Area(MARGIN, top + 20, WIDTH - 2 * MARGIN), Style(face, 16, "#555555"))
    ornaments.signature(sheet, WIDTH - MARGIN - 190, top + 106, 130)
    sheet.pen.line((WIDTH - MARGIN - 210, top + 126, WIDTH - MARGIN, top + 126), fill="#888888")
    if rng.random() < 0.4:
        ornaments.stamp(sheet, MARGIN + 120, top + 112, said.one("stamps"), scheme.accent)
    return sheet.done(photo.perhaps(rng, 0.5))
