"""Photos of shelves."""

from __future__ import annotations

from memarena_builder.pictures import photo
from memarena_builder.pictures.marks import INK, Area, number
from memarena_builder.pictures.rows import split, stacked, stacked_height
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Drawing, PictureSpec
from memarena_builder.pictures.words import words

WIDTH, BOARD, RAIL = 760, 14, 30
WALLS = ("#e9e4da", "#dfe5e8", "#efece6", "#d9ddd3")
WOODS = ("#a9835a", "#7b5a3c", "#c9ab82", "#8e8e8e")
THINGS = ("#c65f46", "#d9a441", "#6e9a5b", "#7a6a9c", "#b8848c", "#4f8a8b", "#a0a0a0", "#d8cbb0")
"""Colours of what stands about; none like that of things that are counted."""


def draw(spec: PictureSpec) -> Drawing:
    """Boards with binders and boxes, a card with the facts, tags at the edge; what is counted stands in a row."""
    own, rest = split(spec)
    label, value = Style("sans", 17), Style("sans", 29)
    counted = [each for each in own if spec.fields[each].shown == "count"]
    plated = [each for each in own if each not in counted]
    plate = sum(stacked_height(spec, each, label, value) + 8 for each in plated) + 62
    bay = max(150, plate + 34)
    sheet = Sheet(spec, WIDTH, 150 + bay + 4 * BOARD + 3 * RAIL + 158 * max(1, len(counted)) + 30)
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=rng.choice(WALLS))
    wood, face = rng.choice(WOODS), rng.choice(("sans", "grotesk", "slab"))
    tags, labels = list(rest), said.some("shelf_labels", 99)
    _row(sheet, labels, 30, WIDTH - 30, 150, face)
    _board(sheet, 150, wood, tags[:2], face)
    floor = 150 + BOARD + RAIL + bay
    left = rng.choice((50, WIDTH - 430))
    _row(sheet, labels, *((left + 400, WIDTH - 30) if left == 50 else (30, left - 20)), floor, face)
    _card(sheet, plated, left, floor - plate, floor, face)
    _board(sheet, floor, wood, tags[2:], face)
    for each in counted:
        floor += BOARD + RAIL + 132
        _counted(sheet, each, floor, face)
        _board(sheet, floor, wood, [], face)
    if not counted:
        floor += BOARD + RAIL + 132
        _row(sheet, labels, 30, WIDTH - 30, floor, face)
        _board(sheet, floor, wood, [], face)
    sheet.end(floor + BOARD + 40)
    for x in (0, WIDTH - 16):
        sheet.pen.rectangle((x, 0, x + 16, sheet.height), fill=wood)
    return sheet.done(photo.desk(rng)._replace(wood=False, angle=0.0, margin=0))


def _board(sheet: Sheet, y: int, wood: str, tags: list[int], face: str) -> None:
    """A board; tags are clipped to its edge."""
    pen, spec = sheet.pen, sheet.spec
    pen.rectangle((0, y, WIDTH, y + BOARD), fill=wood)
    pen.line((0, y + BOARD, WIDTH, y + BOARD), fill="#4a3b2c", width=3)
    pen.rectangle((16, y + BOARD + 3, WIDTH - 16, y + BOARD + 9), fill="#b7ab99")
    style = Style(face, 16, "#3c3a36")
    fields = [spec.fields[each] for each in tags]
    widths = [sheet.length(field.label, style) + sheet.length(field.value, style.bold()) + 30 for field in fields]
    free = (WIDTH - 100 - sum(widths)) // (len(tags) or 1)
    x = 60 + sheet.rng.randint(0, min(60, free))
    for each, field, wide in zip(tags, fields, widths, strict=True):
        pen.rectangle((x, y + 3, x + wide, y + BOARD + RAIL - 6), fill="#fffef6", outline="#8c8c84")
        end = sheet.text(x + 9, y + 11, field.label, style).right
        sheet.value(each, end + 11, y + 11, style.bold())
        x += wide + sheet.rng.randint(free // 2, free)


def _card(sheet: Sheet, plated: list[int], left: int, top: int, floor: int, face: str) -> None:
    """The card that says what lies here."""
    sheet.pen.rectangle((left + 4, top + 4, left + 384, floor - 1), fill="#9b968c")
    sheet.pen.rectangle((left, top, left + 380, floor - 1), fill="#fffef8", outline="#777777", width=2)
    sheet.within(left + 18, top + 14, sheet.spec.subject, Style(face, 25).bold(), 344)
    at = top + 52
    for each in plated:
        at = stacked(sheet, each, Area(left + 18, at, 344), Style(face, 17, "#5a5a5a"), Style(face, 29).bold()) + 8


def _row(sheet: Sheet, labels: list[str], left: int, right: int, floor: int, face: str) -> None:
    """Binders, boxes, books, a plant between two points of a board; each box takes one of the `labels`."""
    rng = sheet.rng
    x = left + rng.randint(0, 10)
    plant = rng.random() < 0.4
    while x < right - 30:
        wide, tall = rng.choice(((26, 104), (34, 112), (34, 112), (58, 62), (20, 88), (74, 50), (30, 96)))
        wide, tall = wide + rng.randint(-3, 6), tall + rng.randint(-8, 6)
        if x + wide > right:
            break
        if wide > 54 and not labels:
            wide = 30
        if plant and rng.random() < 0.2:
            _plant(sheet, x, floor)
            plant, wide = False, 52
        else:
            _thing(sheet, labels, Box(x, floor - tall, x + wide, floor - 1), face)
        x += wide + rng.choice((1, 2, 2, 14))


def _thing(sheet: Sheet, labels: list[str], box: Box, face: str) -> None:
    """A book, a binder with its label and finger hole, or a box with a tag, by its width."""
    pen, wide, middle = sheet.pen, box.right - box.left, (box.left + box.right) // 2
    pen.rectangle(box, fill=sheet.rng.choice(THINGS), outline="#55504a")
    if wide > 54:
        pen.line((box.left, box.top + 8, box.right, box.top + 8), fill="#55504a")
        pen.rectangle((box.left + 8, box.top + 13, box.right - 8, box.top + 35), fill="#fdfdf8")
        sheet.within(middle, box.top + 15, labels.pop(), Style(face, 15), wide - 18, "m")
    elif wide > 28:
        pen.rectangle((box.left + 5, box.top + 12, box.right - 5, box.top + 56), fill="#f4f1e6", outline="#8a857b")
        for line in range(3):
            y = box.top + 20 + 9 * line
            pen.line((box.left + 9, y, box.right - 9 - sheet.rng.randint(0, 6), y), fill="#6d6a64", width=2)
        pen.ellipse((middle - 7, box.bottom - 28, middle + 7, box.bottom - 14), fill="#e8e8e8", outline="#55504a")
    else:
        for y in (box.top + 10, box.bottom - 12):
            pen.line((box.left + 2, y, box.right - 2, y), fill="#efe7cf", width=2)


def _plant(sheet: Sheet, x: int, floor: int) -> None:
    pen, middle = sheet.pen, x + 26
    pen.polygon((x + 8, floor - 34, x + 44, floor - 34, x + 38, floor - 1, x + 14, floor - 1), fill="#b9734c")
    for _ in range(9):
        dx, dy = sheet.rng.randint(-26, 26), sheet.rng.randint(24, 62)
        pen.line((middle, floor - 34, middle + dx, floor - 34 - dy), fill="#4e7a45", width=3)
        pen.ellipse((middle + dx - 8, floor - 40 - dy, middle + dx + 8, floor - 26 - dy), fill="#5f9152")


def _counted(sheet: Sheet, field: int, floor: int, face: str) -> None:
    """A tag and as many rolls as the field says, in two rows at most."""
    own, pen = sheet.spec.fields[field], sheet.pen
    many = number(own.value)
    tag = sheet.within(40, floor - 40, own.label, Style(face, 17), 96)
    pen.rectangle((tag.left - 8, tag.top - 7, tag.right + 8, tag.bottom + 7), outline="#777777")
    left, step = 160, 42
    round_ones = sheet.rng.random() < 0.5
    for one in range(many):
        row, at = divmod(one, 13)
        x, base = left + at * step, floor - 2 - row * 62
        if row:
            pen.rectangle((x - 4, base, x + step - 4, base + 4), fill="#8a7a66")
        pen.rounded_rectangle((x, base - 46, x + 30, base - 2), 11 if round_ones else 4, fill=INK)
        pen.ellipse((x + 8, base - 42, x + 22, base - 35), fill="#cfd8ea")
    sheet.mark(field, Box(left - 8, floor - 126, left + 13 * step, floor))
