"""Notes by hand: on a yellow slip, on lined paper, on squared paper."""

from __future__ import annotations

from memarena_builder.pictures import photo
from memarena_builder.pictures.marks import Area, height, place
from memarena_builder.pictures.rows import split
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, MARGIN, LINE = 540, 46, 46
SLIPS = ("#fff2a8", "#ffe0e6", "#dcf3d8", "#d9eafb")
INKS = ("#1f2f86", "#222222", "#0d5a4a", "#7a1f2b")
LEAST = 380


def draw(spec: PictureSpec) -> Drawing:
    """What somebody wrote down for themselves: the subject, the facts, and what else is to be done."""
    own, rest = split(spec)
    sheet = Sheet(spec, WIDTH, 1400)
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    paper = rng.choice(("slip", "lined", "squared"))
    _paper(sheet, paper)
    ink = rng.choice(INKS)
    head = sheet.text(MARGIN, 36, said.one("note_heads"), Style("hand", 26, ink))
    if rng.random() < 0.6:
        sheet.pen.line((head.left, head.bottom + 7, head.right + 6, head.bottom + 4), fill=ink, width=3)
    subject = sheet.within(MARGIN, 86, spec.subject, Style("hand", 36, ink), WIDTH - 2 * MARGIN)
    if rng.random() < 0.3:
        around = (subject.left - 16, subject.top - 10, subject.right + 16, subject.bottom + 10)
        sheet.pen.arc(around, 8, 374, fill=ink, width=3)
    style, top = Style("hand", 28, ink), 152
    for number in own:
        top = _entry(sheet, number, top, style, ("", rng.choice((":", " =", " →"))))
    top = _else(sheet, said, rest, top + 14, style._replace(size=24))
    sheet.end(max(LEAST, top + 34))
    _fixed(sheet, paper)
    return sheet.done(photo.desk(rng))


def _paper(sheet: Sheet, paper: str) -> None:
    rng, pen = sheet.rng, sheet.pen
    pen.rectangle((0, 0, WIDTH, sheet.height), fill=rng.choice(SLIPS) if paper == "slip" else "#fdfdfa")
    if paper != "slip":
        for y in range(30, sheet.height, 24 if paper == "squared" else LINE):
            pen.line((0, y, WIDTH, y), fill="#d5e0ee")
    if paper == "squared":
        for x in range(12, WIDTH, 24):
            pen.line((x, 0, x, sheet.height), fill="#d5e0ee")
    if paper == "lined":
        pen.line((30, 0, 30, sheet.height), fill="#e8b4b4", width=2)


def _fixed(sheet: Sheet, paper: str) -> None:
    """A strip of tape, a pin, or the holes of a ring book."""
    pen, rng = sheet.pen, sheet.rng
    if paper == "lined":
        for y in range(40, sheet.height - 20, 100):
            pen.ellipse((8, y, 22, y + 14), fill="#7d7d78")
    elif rng.random() < 0.5:
        x = rng.randint(190, 300)
        pen.polygon((x, 0, x + 96, 0, x + 90, 24, x + 4, 22), fill="#e9e2c6")
    else:
        pen.ellipse((WIDTH // 2 - 10, 6, WIDTH // 2 + 10, 26), fill="#c0392b")
        pen.ellipse((WIDTH // 2 - 4, 9, WIDTH // 2 + 2, 15), fill="#e8a09a")


def _entry(sheet: Sheet, number: int, top: int, style: Style, around: tuple[str, str]) -> int:
    """A label between two signs and its value, which goes to the next line where both are too long; the row below."""
    field = sheet.spec.fields[number]
    left = sheet.within(MARGIN, top, f"{around[0]}{field.label}{around[1]}", style, 230).right + 16
    if field.shown != "text" or left + sheet.length(field.value, style) > WIDTH - MARGIN:
        top, left = top + LINE - 8, MARGIN + 26
    place(sheet, number, Area(left, top, WIDTH - MARGIN - left), style)
    return top + height(field, LINE - 4)


def _else(sheet: Sheet, said: Words, rest: list[int], top: int, style: Style) -> int:
    """Other things to think of, some of them done; the row below."""
    rng, lines = sheet.rng, [(number, "") for number in rest]
    lines += [(-1, task) for task in said.some("note_tasks", rng.randint(1, 3))]
    rng.shuffle(lines)
    bullet = rng.choice(("- ", "· ", "* "))
    for number, task in lines:
        if number >= 0:
            top = _entry(sheet, number, top, style, (bullet, ""))
            continue
        box = sheet.within(MARGIN, top, bullet + task, style, WIDTH - 2 * MARGIN)
        if rng.random() < 0.35:
            y = (box.top + box.bottom) // 2
            sheet.pen.line((box.left + 14, y + 2, box.right + 3, y - 2), fill=style.ink, width=3)
        top += LINE - 6
    return top
