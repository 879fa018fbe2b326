"""Forms that somebody filled in."""

from __future__ import annotations

from collections.abc import Callable

from memarena_builder.pictures import ornaments, photo
from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.palette import PAPERS, SCHEMES, Scheme
from memarena_builder.pictures.rows import split
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, MARGIN, HEAD, GAP = 660, 36, 118, 12
"""Pixels; the last is between two fields on lines. Cells of a table touch."""
INKS = ("#1f2f86", "#222222", "#14508c")
NAME = -1
"""Stands for the line with the subject among the places of fields."""
_Design = Callable[[Sheet, str, Style, Box, Scheme], Area]


def draw(spec: PictureSpec) -> Drawing:
    """A form: cells with small labels, or lines, or a table; filled in by hand or by machine, signed, stamped."""
    sheet = Sheet(spec, WIDTH, 1800)
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    scheme = rng.choice(SCHEMES)
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=rng.choice(PAPERS))
    print_face = rng.choice(("sans", "serif", "slab", "grotesk"))
    filled = Style("hand", 25, rng.choice(INKS)) if rng.random() < 0.65 else Style("mono", 20)
    _head(sheet, said, scheme, print_face)
    design: _Design = rng.choice((_cells, _lines, _table))
    small = Style(print_face, 15, "#4a4a4a")
    top = HEAD
    for row in _rows(spec, sheet):
        top = _row(sheet, row, (design, small, filled, scheme), said, top)
    top = _foot(sheet, said, small, top)
    sheet.end(top)
    return sheet.done(photo.perhaps(rng))


def _rows(spec: PictureSpec, sheet: Sheet) -> list[list[int]]:
    """Which fields stand side by side: the name first, then facts and others mixed, the narrow ones in pairs."""
    own, rest = split(spec)
    order = own + rest
    sheet.rng.shuffle(order)
    wide = [number for number in order if spec.fields[number].shown != "text" or len(spec.fields[number].value) > 16]
    narrow = [number for number in order if number not in wide]
    rows = [narrow[at : at + 2] for at in range(0, len(narrow), 2)] + [[number] for number in wide]
    sheet.rng.shuffle(rows)
    return [[NAME], *rows]


def _row(sheet: Sheet, row: list[int], look: tuple[_Design, Style, Style, Scheme], said: Words, top: int) -> int:
    """One row of the form; the row below."""
    design, small, filled, scheme = look
    fields = sheet.spec.fields
    tall = max(66 if number == NAME else height(fields[number], 34) + 26 for number in row)
    gap = GAP if design is _lines else 0
    wide = (WIDTH - 2 * MARGIN - gap * (len(row) - 1)) // len(row)
    for at, number in enumerate(row):
        left = MARGIN + at * (wide + gap)
        label = said.one("form_name") if number == NAME else fields[number].label
        area = design(sheet, label, small, Box(left, top, left + wide, top + tall), scheme)
        if number == NAME:
            sheet.within(area.x, area.y, sheet.spec.subject, filled, area.width)
        else:
            ticked = fields[number].shown == "tick"
            place(sheet, number, area, Style(small.face, 18) if ticked else filled)
    return top + tall + (6 if design is _lines else 0)


def _head(sheet: Sheet, said: Words, scheme: Scheme, face: str) -> None:
    own = [sheet.spec.fields[number] for number in split(sheet.spec)[0]]
    one = len({tuple(said.all("form_titles", field.name)) for field in own}) == 1
    title, office = said.one("form_titles", own[0].name if one else ""), said.one("form_heads")
    banner = sheet.rng.random() < 0.5
    if banner:
        sheet.pen.rectangle((0, 0, WIDTH, 70), fill=scheme.dark)
    ink = "#ffffff" if banner else scheme.dark
    sheet.within(MARGIN, 18, title, Style(face, 30, ink).bold(), WIDTH - 2 * MARGIN - 180)
    sheet.within(WIDTH - MARGIN, 28, office, Style(face, 17, ink), 170, "r")
    if not banner:
        sheet.pen.line((MARGIN, 66, WIDTH - MARGIN, 66), fill=scheme.dark, width=3)
    sheet.text(MARGIN, 80, said.one("form_notes"), Style(face, 14, "#666666"))
    sheet.text(WIDTH - MARGIN, 80, said.one("form_sections"), Style(face, 14, "#666666").bold(), "r")


def _cells(sheet: Sheet, label: str, small: Style, box: Box, scheme: Scheme) -> Area:
    sheet.pen.rectangle(box, outline="#777777", width=1)
    sheet.within(box.left + 8, box.top + 5, label, small._replace(size=14), box.right - box.left - 16)
    return Area(box.left + 18, box.top + 26, box.right - box.left - 30)


def _lines(sheet: Sheet, label: str, small: Style, box: Box, scheme: Scheme) -> Area:
    left = box.left + (box.right - box.left) * 2 // 5
    if box.right - box.left > WIDTH // 2:
        left = box.left + 180
    sheet.within(box.left, box.top + 18, label, small._replace(size=18), left - box.left - 10)
    for x in range(left, box.right, 7):
        sheet.pen.line((x, box.bottom - 12, x + 3, box.bottom - 12), fill="#888888")
    return Area(left + 8, box.top + 12, box.right - left - 14)


def _table(sheet: Sheet, label: str, small: Style, box: Box, scheme: Scheme) -> Area:
    middle = box.left + min(180, (box.right - box.left) * 2 // 5)
    sheet.pen.rectangle((box.left, box.top, middle, box.bottom), fill=scheme.light, outline=scheme.accent)
    sheet.pen.rectangle((middle, box.top, box.right, box.bottom), outline=scheme.accent)
    style = small._replace(size=17, ink=scheme.dark)
    sheet.within(box.left + 10, box.top + 18, label, style, middle - box.left - 18)
    return Area(middle + 12, box.top + 14, box.right - middle - 22)


def _foot(sheet: Sheet, said: Words, small: Style, top: int) -> int:
    """Consent, signature, what the office fills in; the row below."""
    rng = sheet.rng
    y = top + 20
    for text in said.some("consent", rng.randint(1, 2)):
        sheet.pen.rectangle((MARGIN, y, MARGIN + 14, y + 14), outline="#333333")
        if rng.random() < 0.8:
            sheet.pen.line((MARGIN + 3, y + 7, MARGIN + 7, y + 12, MARGIN + 16, y - 3), fill=ornaments.INK, width=2)
        sheet.text(MARGIN + 24, y - 2, text, small._replace(size=14))
        y += 26
    y += 56
    for left, right, name in ((MARGIN, 236, "place_date"), (WIDTH - MARGIN - 230, WIDTH - MARGIN, "signature")):
        sheet.pen.line((left, y, right, y), fill="#777777")
        sheet.text(left, y + 4, said.one(name), small._replace(size=13))
    ornaments.signature(sheet, WIDTH - MARGIN - 200, y - 16, 120)
    sheet.text(MARGIN + 6, y - 30, said.one("form_dated"), Style("hand", 22, ornaments.INK))
    if rng.random() < 0.6:
        box = (MARGIN, y + 36, WIDTH - MARGIN, y + 94)
        sheet.pen.rectangle(box, fill="#ececea", outline="#b5b5b0")
        sheet.text(MARGIN + 10, y + 42, said.one("form_office"), small._replace(size=13, ink="#666666"))
        ornaments.stamp(sheet, rng.randint(250, 520), y + 64, said.one("stamps"))
        y += 70
    return y + 56
