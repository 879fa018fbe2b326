"""Photos of shelves."""

from __future__ import annotations

from memarena_builder.pictures import photo
from memarena_builder.pictures.marks import INK, Area, number
from memarena_builder.pictures.rows import small_print, split, stacked, stacked_height
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, BOARD = 740, 14
WALLS = ("#e9e4da", "#dfe5e8", "#efece6", "#d9ddd3")
WOODS = ("#a9835a", "#7b5a3c", "#c9ab82", "#8e8e8e")
THINGS = ("#c65f46", "#d9a441", "#6e9a5b", "#7a6a9c", "#b8848c", "#4f8a8b", "#a0a0a0", "#d8cbb0")
"""Colours of what stands about; none like that of things that are counted."""


def draw(spec: PictureSpec) -> Drawing:
    """Three boards: binders and boxes, a plate with the facts, and what is counted standing in a row."""
    own, rest = split(spec)
    label, value = Style("sans", 17), Style("sans", 29)
    counted = [each for each in own if spec.fields[each].shown == "count"]
    plated = [each for each in own if each not in counted]
    plate = sum(stacked_height(spec, each, label, value) + 8 for each in plated) + 62
    bay = max(176, plate + 34)
    sheet = Sheet(spec, WIDTH, 150 + bay + 3 * BOARD + 158 * max(1, len(counted)) + 50)
    rng, said = sheet.rng, words(spec.language, sheet.rng)
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=rng.choice(WALLS))
    wood, face = rng.choice(WOODS), rng.choice(("sans", "grotesk", "slab"))
    _board(sheet, 150, wood)
    _row(sheet, said, 30, WIDTH - 30, 150, face)
    floor = 150 + BOARD + bay
    _board(sheet, floor, wood)
    left = rng.choice((50, WIDTH - 430))
    _row(sheet, said, *((left + 400, WIDTH - 30) if left == 50 else (30, left - 20)), floor, face)
    top = floor - plate
    sheet.pen.rectangle((left + 4, top + 4, left + 384, floor), fill="#9b968c")
    sheet.pen.rectangle((left, top, left + 380, floor), fill="#fffef8", outline="#777777", width=2)
    sheet.text(left + 18, top + 14, spec.subject, sheet.fitted(spec.subject, Style(face, 25).bold(), 344))
    at = top + 52
    for each in plated:
        at = stacked(sheet, each, Area(left + 18, at, 344), Style(face, 17, "#5a5a5a"), Style(face, 29).bold()) + 8
    for each in counted:
        floor += BOARD + 144
        _board(sheet, floor, wood)
        _counted(sheet, each, floor, face)
    if not counted:
        floor += BOARD + 144
        _board(sheet, floor, wood)
        _row(sheet, said, 30, WIDTH - 30, floor, face)
    small_print(sheet, rest, Area(40, floor + BOARD + 10, WIDTH - 80), Style(face, 16, "#4f4a43"))
    for x in (0, WIDTH - 16):
        sheet.pen.rectangle((x, 0, x + 16, sheet.height), fill=wood)
    return sheet.done(photo.desk(rng)._replace(wood=False, angle=0.0, margin=0))


def _board(sheet: Sheet, y: int, wood: str) -> None:
    sheet.pen.rectangle((0, y, WIDTH, y + BOARD), fill=wood)
    sheet.pen.line((0, y + BOARD, WIDTH, y + BOARD), fill="#4a3b2c", width=3)


def _row(sheet: Sheet, said: Words, left: int, right: int, floor: int, face: str) -> None:
    """Binders, boxes, books between two points of a board."""
    rng, pen = sheet.rng, sheet.pen
    x = left + rng.randint(0, 10)
    while x < right - 30:
        wide, tall = rng.choice(((26, 104), (34, 112), (58, 62), (20, 88), (74, 50), (30, 96)))
        wide, tall = wide + rng.randint(-3, 6), tall + rng.randint(-8, 6)
        if x + wide > right:
            break
        pen.rectangle((x, floor - tall, x + wide, floor - 1), fill=rng.choice(THINGS), outline="#55504a")
        if wide > 54:
            pen.rectangle((x + 8, floor - tall + 12, x + wide - 8, floor - tall + 34), fill="#fdfdf8")
            tag = said.one("shelf_labels")
            sheet.text(x + wide // 2, floor - tall + 14, tag, sheet.fitted(tag, Style(face, 15), wide - 18), "m")
        elif wide > 28:
            pen.ellipse(
                (x + wide // 2 - 7, floor - 30, x + wide // 2 + 7, floor - 16), fill="#e8e8e8", outline="#55504a"
            )
        x += wide + rng.choice((1, 2, 2, 14))


def _counted(sheet: Sheet, field: int, floor: int, face: str) -> None:
    """A board with a tag and as many things as the field says, in two rows at most."""
    own, pen = sheet.spec.fields[field], sheet.pen
    many = number(own.value)
    tag = sheet.text(40, floor - 40, own.label, sheet.fitted(own.label, Style(face, 17), 96))
    pen.rectangle((tag.left - 8, tag.top - 7, tag.right + 8, tag.bottom + 7), outline="#777777")
    left, step = 160, 42
    round_ones = sheet.rng.random() < 0.5
    for one in range(many):
        row, at = divmod(one, 13)
        x, base = left + at * step, floor - 2 - row * 62
        if row:
            pen.rectangle((x - 4, base, x + step - 4, base + 4), fill="#8a7a66")
        shape = (x, base - 46, x + 30, base - 2)
        pen.rounded_rectangle(shape, 14 if round_ones else 4, fill=INK)
    sheet.mark(field, Box(left - 8, floor - 126, left + 13 * step, floor))
