"""Forms that somebody filled in."""

from __future__ import annotations

from memarena_builder.pictures import ornaments, photo
from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.palette import PAPERS, SCHEMES, Scheme
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, MARGIN, HEAD, FOOT = 640, 36, 108, 118


def draw(spec: PictureSpec) -> Drawing:
    """A form: cells with small labels, or lines, or a table; filled in by hand or by machine."""
    tall = [height(field, 34) + 24 for field in spec.fields]
    sheet = Sheet(spec, WIDTH, HEAD + 66 + sum(tall) + FOOT)
    rng, own = sheet.rng, words(spec.language, sheet.rng)
    scheme = rng.choice(SCHEMES)
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=rng.choice(PAPERS))
    print_face = rng.choice(("sans", "serif", "slab", "grotesk"))
    filled = (
        Style("hand", 25, rng.choice(("#1f2f86", "#222222", "#14508c"))) if rng.random() < 0.6 else Style("mono", 20)
    )
    _head(sheet, own, scheme, print_face)
    design = rng.choice((_cells, _lines, _table))
    small = Style(print_face, 15, "#4a4a4a")
    top = HEAD
    for number in range(-1, len(spec.fields)):
        tallness = 66 if number < 0 else tall[number]
        label = own.one("re") if number < 0 else spec.fields[number].label
        area = design(sheet, label, small, top, tallness, scheme)
        if number < 0:
            sheet.text(area.x, area.y, spec.subject, sheet.fitted(spec.subject, filled, area.width))
        else:
            ticked = spec.fields[number].shown == "tick"
            place(sheet, number, area, Style(print_face, 18) if ticked else filled)
        top += tallness
    _foot(sheet, own, small, top)
    return sheet.done(photo.perhaps(rng))


def _head(sheet: Sheet, own: Words, scheme: Scheme, face: str) -> None:
    title, office = own.one("form_titles"), own.one("form_heads")
    banner = sheet.rng.random() < 0.5
    if banner:
        sheet.pen.rectangle((0, 0, WIDTH, 70), fill=scheme.dark)
    ink = "#ffffff" if banner else scheme.dark
    sheet.text(MARGIN, 18, title, Style(face, 30, ink).bold())
    sheet.text(WIDTH - MARGIN, 28, office, Style(face, 17, ink), "r")
    if not banner:
        sheet.pen.line((MARGIN, 66, WIDTH - MARGIN, 66), fill=scheme.dark, width=3)
    sheet.text(MARGIN, 78, own.one("form_notes"), Style(face, 14, "#666666"))


def _cells(sheet: Sheet, label: str, small: Style, top: int, tall: int, scheme: Scheme) -> Area:
    sheet.pen.rectangle((MARGIN, top, WIDTH - MARGIN, top + tall), outline="#777777", width=1)
    sheet.text(MARGIN + 8, top + 5, label, small._replace(size=14))
    return Area(MARGIN + 20, top + 24, WIDTH - 2 * MARGIN - 40)


def _lines(sheet: Sheet, label: str, small: Style, top: int, tall: int, scheme: Scheme) -> Area:
    y = top + tall - 12
    left = MARGIN + 190
    sheet.text(MARGIN, top + 18, label, sheet.fitted(label, small._replace(size=18), 178))
    for x in range(left, WIDTH - MARGIN, 7):
        sheet.pen.line((x, y, x + 3, y), fill="#888888")
    return Area(left + 10, top + 12, WIDTH - MARGIN - left - 20)


def _table(sheet: Sheet, label: str, small: Style, top: int, tall: int, scheme: Scheme) -> Area:
    middle = MARGIN + 200
    sheet.pen.rectangle((MARGIN, top, middle, top + tall), fill=scheme.light, outline=scheme.accent)
    sheet.pen.rectangle((middle, top, WIDTH - MARGIN, top + tall), outline=scheme.accent)
    sheet.text(MARGIN + 12, top + 18, label, sheet.fitted(label, small._replace(size=17, ink=scheme.dark), 178))
    return Area(middle + 14, top + 14, WIDTH - MARGIN - middle - 28)


def _foot(sheet: Sheet, own: Words, small: Style, top: int) -> None:
    rng = sheet.rng
    y = top + 22
    sheet.pen.rectangle((MARGIN, y, MARGIN + 14, y + 14), outline="#333333")
    if rng.random() < 0.7:
        sheet.pen.line((MARGIN + 3, y + 7, MARGIN + 7, y + 12, MARGIN + 16, y - 3), fill=ornaments.INK, width=2)
    sheet.text(MARGIN + 24, y - 2, own.one("consent"), small._replace(size=14))
    sheet.pen.line((WIDTH - MARGIN - 190, top + 76, WIDTH - MARGIN, top + 76), fill="#777777")
    sheet.text(WIDTH - MARGIN - 190, top + 80, own.one("signature"), small._replace(size=13))
    ornaments.signature(sheet, WIDTH - MARGIN - 170, top + 60, 110)
    if rng.random() < 0.5:
        ornaments.stamp(sheet, MARGIN + 170, top + 76, own.one("stamps"))
