"""Whiteboards, written on with markers."""

from __future__ import annotations

from memarena_builder.pictures import photo
from memarena_builder.pictures.marks import Area, height, place, tick
from memarena_builder.pictures.rows import split
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, MARGIN, ASIDE = 860, 52, 610
MARKERS = ("#1c3f94", "#1d1d1d", "#b3262e", "#1f7a3d")
NOTES = ("#fff3a0", "#ffd9e2", "#d6f0d2", "#d2e6fa")
WALLS = ("#b8b4aa", "#d5d2c8", "#9fa7ad")


def draw(spec: PictureSpec) -> Drawing:
    """A board after a meeting: the subject as its head, a list, tasks with ticks, a sketch, notes stuck to it."""
    sheet = Sheet(spec, WIDTH, 1600, "#fafbfb")
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    sheet.hand = sheet.hand._replace(weight=0.115)
    for _ in range(5):
        x, y = rng.randint(0, WIDTH), rng.randint(0, 480)
        sheet.pen.ellipse((x, y, x + rng.randint(60, 260), y + rng.randint(8, 30)), fill="#f3f5f6")
    main, other = rng.sample(MARKERS, 2)
    title = sheet.fitted(spec.subject, Style("hand", 42, main), 500)
    box = sheet.text(MARGIN, 48, spec.subject, title)
    wave = [(x, box.bottom + 10 + rng.uniform(-2, 2)) for x in range(box.left, box.right, 14)]
    sheet.pen.line(wave, fill=main, width=4, joint="curve")
    own, rest = split(spec)
    order = own + rest
    rng.shuffle(order)
    top = _list(sheet, order, Style("hand", 29, rng.choice((main, other))), other)
    below = rng.choice((_sketch, _sketch, _tasks))(sheet, said, other, top + 16)
    beside = rng.choice((_stuck, _stuck, _framed))(sheet, said, other)
    sheet.end(max(470, below + 46, beside + 40))
    for edge, grey in ((0, "#8d9296"), (5, "#c4c8cb"), (11, "#9da2a6")):
        sheet.pen.rectangle((edge, edge, WIDTH - 1 - edge, sheet.height - 1 - edge), outline=grey, width=6)
    return sheet.done(photo.desk(rng)._replace(colour=rng.choice(WALLS), wood=False))


def _list(sheet: Sheet, order: list[int], style: Style, other: str) -> int:
    """The fields as a list; the row below."""
    rng, top = sheet.rng, 128
    mixed = rng.random() < 0.5
    bullet = rng.choice(("- ", "· ", "* ", "→ "))
    for number in order:
        field = sheet.spec.fields[number]
        lead = f"{bullet}{field.label}:"
        left = sheet.within(MARGIN + rng.randint(0, 8), top, lead, style, 300).right + 16
        ink = style._replace(ink=other if mixed else style.ink)
        box = place(sheet, number, Area(left, top, ASIDE - 20 - left), ink)
        if not field.fact_id and rng.random() < 0.2:
            sheet.pen.line((box.left - 3, box.bottom + 5, box.right + 5, box.bottom + 2), fill=other, width=3)
        top += height(field, 40) + rng.randint(6, 12)
    return top


def _sketch(sheet: Sheet, said: Words, ink: str, top: int) -> int:
    """Three boxes with arrows and a cloud; the row below."""
    rng, x = sheet.rng, MARGIN + 8
    style = Style("hand", 22, ink)
    for number, text in enumerate(said.row("board_boxes")):
        wide = sheet.length(text, style) + 30
        y = top + rng.randint(0, 8)
        _wobbly(sheet, Box(x, y, x + wide, y + 46), ink)
        sheet.text(x + 14, y + 12, text, style)
        x += wide
        if number < 2:
            sheet.pen.line((x + 6, y + 24, x + 44, y + 22), fill=ink, width=3)
            sheet.pen.line((x + 34, y + 14, x + 45, y + 22, x + 34, y + 31), fill=ink, width=3, joint="curve")
            x += 50
    cloud = (x + 26, top - 6, x + 26 + 104, top + 52)
    if cloud[2] < ASIDE - 10:
        sheet.pen.ellipse(cloud, outline=ink, width=3)
        sheet.text((cloud[0] + cloud[2]) // 2, top + 10, said.one("board_clouds"), style, "m")
    return top + 62


def _wobbly(sheet: Sheet, box: Box, ink: str) -> None:
    """A frame as a hand draws it."""
    rng = sheet.rng
    corners = [(box.left, box.top), (box.right, box.top), (box.right, box.bottom), (box.left, box.bottom)]
    points = [(x + rng.randint(-3, 3), y + rng.randint(-3, 3)) for x, y in corners]
    sheet.pen.line([*points, points[0], points[1]], fill=ink, width=3, joint="curve")


def _tasks(sheet: Sheet, said: Words, ink: str, top: int) -> int:
    """Small tasks with boxes, some done; the row below."""
    rng, style = sheet.rng, Style("hand", 22, ink)
    for number, text in enumerate(said.some("board_tasks", 4)):
        x, y = MARGIN + 8 + number % 2 * 270, top + number // 2 * 38
        box = Box(x, y + 2, x + 19, y + 21)
        sheet.pen.rectangle(box, outline=ink, width=2)
        if rng.random() < 0.5:
            tick(sheet, box, cross=False)
        sheet.within(x + 30, y, text, style, 230)
    return top + 84


def _stuck(sheet: Sheet, said: Words, ink: str) -> int:
    """Notes that stick to the right part; the row below."""
    rng = sheet.rng
    top = 56
    for note in said.some("board_notes", rng.randint(2, 3)):
        x, y = ASIDE + 26 + rng.randint(0, 50), top + rng.randint(0, 14)
        sheet.pen.rectangle((x + 4, y + 4, x + 144, y + 124), fill="#dfe2e3")
        sheet.pen.rectangle((x, y, x + 140, y + 120), fill=rng.choice(NOTES))
        style = Style("hand", 21, "#333333")
        for row, line in enumerate(sheet.lines(note, style, 116)):
            sheet.text(x + 12, y + 18 + row * 30, line, style)
        top = y + 132
    return top


def _framed(sheet: Sheet, said: Words, ink: str) -> int:
    """A list in a frame, and the curve of something; the row below."""
    rng, style = sheet.rng, Style("hand", 22, ink)
    tasks = said.some("board_tasks", rng.randint(3, 4))
    left, bottom = ASIDE + 16, 118 + 40 * len(tasks)
    _wobbly(sheet, Box(left, 62, WIDTH - 36, bottom), ink)
    sheet.text((left + WIDTH - 36) // 2, 74, said.one("board_titles"), style, "m")
    for number, text in enumerate(tasks):
        box = sheet.within(left + 14, 114 + 38 * number, text, style, WIDTH - 66 - left)
        if rng.random() < 0.35:
            y = (box.top + box.bottom) // 2
            sheet.pen.line((box.left - 3, y + 3, box.right + 4, y - 3), fill=ink, width=3)
    floor = bottom + 120
    sheet.pen.line((left + 6, bottom + 20, left + 6, floor, WIDTH - 46, floor), fill=ink, width=3)
    points = [(left + 14 + step * 20, floor - 12 - step * 9 + rng.uniform(-14, 14)) for step in range(9)]
    sheet.pen.line(points, fill=ink, width=3, joint="curve")
    return floor
