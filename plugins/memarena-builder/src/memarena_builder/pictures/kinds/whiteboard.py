"""Whiteboards, written on with markers."""

from __future__ import annotations

from memarena_builder.pictures import photo
from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, MARGIN = 820, 52
MARKERS = ("#1c3f94", "#1d1d1d", "#b3262e", "#1f7a3d")
NOTES = ("#fff3a0", "#ffd9e2", "#d6f0d2", "#d2e6fa")


def draw(spec: PictureSpec) -> Drawing:
    """A board with the subject as its head, fields as a list, notes and doodles beside it."""
    rows = [height(field, 44) + 10 for field in spec.fields]
    sheet = Sheet(spec, WIDTH, max(460, 160 + sum(rows) + 50), "#fafbfb")
    rng, own = sheet.rng, words(spec.language, sheet.rng)
    sheet.hand = sheet.hand._replace(weight=0.115)
    _frame(sheet)
    main, other = rng.sample(MARKERS, 2)
    title = sheet.fitted(spec.subject, Style("hand", 42, main), 500)
    box = sheet.text(MARGIN, 48, spec.subject, title)
    wave = [(x, box.bottom + 10 + rng.uniform(-2, 2)) for x in range(box.left, box.right, 14)]
    sheet.pen.line(wave, fill=main, width=4, joint="curve")
    style = Style("hand", 30, rng.choice((main, other)))
    mixed = rng.random() < 0.5
    bullet = rng.choice(("- ", "· ", "* ", "→ "))
    top = 132
    for number, field in enumerate(spec.fields):
        lead = f"{bullet}{field.label}:"
        written = sheet.text(MARGIN, top, lead, sheet.fitted(lead, style, 260))
        left = written.right + 18
        ink = style._replace(ink=other if mixed else style.ink)
        place(sheet, number, Area(left, top, 560 - left), ink)
        top += rows[number]
    _aside(sheet, own, other)
    return sheet.done(photo.desk(rng)._replace(colour=rng.choice(("#b8b4aa", "#d5d2c8", "#9fa7ad")), wood=False))


def _frame(sheet: Sheet) -> None:
    rng = sheet.rng
    for _ in range(5):
        x, y = rng.randint(0, WIDTH), rng.randint(0, sheet.height)
        smear = (x, y, x + rng.randint(60, 260), y + rng.randint(8, 30))
        sheet.pen.ellipse(smear, fill="#f3f5f6")
    for edge, grey in ((0, "#8d9296"), (5, "#c4c8cb"), (11, "#9da2a6")):
        sheet.pen.rectangle((edge, edge, WIDTH - 1 - edge, sheet.height - 1 - edge), outline=grey, width=6)


def _aside(sheet: Sheet, own: Words, ink: str) -> None:
    """Sticky notes, or a box with a list, in the right part."""
    rng = sheet.rng
    notes = own.some("board_notes", 2)
    if rng.random() < 0.6:
        for number, note in enumerate(notes):
            x, y = 612 + rng.randint(0, 22), 62 + number * 176 + rng.randint(0, 20)
            sheet.pen.rectangle((x + 4, y + 4, x + 144, y + 134), fill="#dfe2e3")
            sheet.pen.rectangle((x, y, x + 140, y + 130), fill=rng.choice(NOTES))
            style = Style("hand", 21, "#333333")
            for row, line in enumerate(sheet.lines(note, style, 120)):
                sheet.text(x + 12, y + 18 + row * 30, line, style)
    else:
        style = Style("hand", 22, ink)
        sheet.pen.rounded_rectangle((600, 66, 780, 76 + 44 * (len(notes) + 1)), 18, outline=ink, width=3)
        sheet.text(690, 76, own.one("board_titles"), style, "m")
        for number, note in enumerate(notes, 1):
            sheet.text(614, 74 + 42 * number, note, sheet.fitted(note, style, 156))
        x, y = 690, 300
        points = [(x + step * 3, y + rng.uniform(-14, 14)) for step in range(-22, 23, 4)]
        sheet.pen.line(points, fill=ink, width=3, joint="curve")
