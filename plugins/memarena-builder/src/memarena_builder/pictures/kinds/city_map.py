"""Maps of a quarter, with a pin."""

from __future__ import annotations

from itertools import pairwise

from memarena_builder.pictures import photo
from memarena_builder.pictures.marks import CELL, FULL, Area, cells
from memarena_builder.pictures.rows import small_print, split, stacked, stacked_height
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Drawing, Part, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, EDGE = 760, 30
LOOKS = (
    ("#f2efe9", "#ffffff", "#c9e2f5", "#cfe8c2", "#e4dfd5"),
    ("#e8eaed", "#ffffff", "#a5cbf0", "#c5e3c0", "#dadce0"),
    ("#f6f1df", "#fbf9f2", "#bcd6dd", "#d5dfb0", "#e7ddbf"),
)
"""Ground, streets, water, parks, houses."""


def draw(spec: PictureSpec) -> Drawing:
    """Streets, water, parks, a pin with a card of the facts; a field shown as a position is a pin in a grid."""
    own, rest = split(spec)
    label, value = Style("sans", 16), Style("sans", 26)
    placed = [each for each in own if spec.fields[each].shown == "position"]
    carded = [each for each in own if each not in placed]
    card = sum(stacked_height(spec, each, label, value) + 8 for each in carded) + 54
    high = max(440, card + 200)
    sheet = Sheet(spec, WIDTH, high + (104 if placed else 64))
    rng, said = sheet.rng, words(spec.language, sheet.rng)
    look, face = rng.choice(LOOKS), rng.choice(("sans", "grotesk"))
    _ground(sheet, said, look, high, face)
    if placed:
        _pinned(sheet, placed[0], Box(EDGE + 24, EDGE + 24, WIDTH - EDGE, high - EDGE), face)
    x, y = rng.randint(60, WIDTH - 420), high - card - 60
    if not placed:
        _pin(sheet, x + 60, y - 12)
    if carded:
        wide = 330
        sheet.pen.rounded_rectangle((x, y, x + wide, y + card), 10, fill="#ffffff", outline="#9a9a9a")
        sheet.text(x + 16, y + 12, spec.subject, sheet.fitted(spec.subject, Style(face, 22).bold(), wide - 32))
        top = y + 46
        for each in carded:
            area = Area(x + 16, top, wide - 32)
            top = stacked(sheet, each, area, Style(face, 16, "#666666"), Style(face, 26).bold()) + 8
    sheet.pen.rectangle((0, high, WIDTH, sheet.height), fill="#fbfbfb")
    if placed:
        title = f"{spec.subject} – {spec.fields[placed[0]].label}"
        sheet.text(EDGE, high + 10, title, sheet.fitted(title, Style(face, 22).bold(), WIDTH - 2 * EDGE))
    small_print(sheet, rest, Area(EDGE, sheet.height - 52, WIDTH - 2 * EDGE), Style(face, 16, "#555555"))
    return sheet.done(photo.perhaps(rng, 0.3))


def _ground(sheet: Sheet, said: Words, look: tuple[str, ...], high: int, face: str) -> None:
    rng, pen = sheet.rng, sheet.pen
    ground, street, water, park, house = look
    pen.rectangle((0, 0, WIDTH, high), fill=ground)
    xs = sorted(rng.sample(range(60, WIDTH - 40, 62), 7))
    ys = sorted(rng.sample(range(50, high - 30, 56), min(5, (high - 80) // 56)))
    for left, right in pairwise(xs):
        for top, bottom in pairwise(ys):
            fill = park if rng.random() < 0.14 else house
            pen.rectangle((left + 12, top + 12, right - 12, bottom - 12), fill=fill)
    bank = [(0, rng.randint(60, high - 60))]
    while bank[-1][0] < WIDTH:
        bank.append((bank[-1][0] + 95, min(high - 40, max(40, bank[-1][1] + rng.randint(-60, 60)))))
    pen.line(bank, fill=water, width=34, joint="curve")
    for x in xs:
        pen.line((x, 0, x + rng.randint(-16, 16), high), fill=street, width=rng.choice((8, 8, 13)))
    for y in ys:
        pen.line((0, y, WIDTH, y + rng.randint(-14, 14)), fill=street, width=rng.choice((8, 8, 13)))
    for at, name in enumerate(said.some("map_places", 4)):
        x, y = 60 + 170 * at + rng.randint(0, 70), rng.randint(36, high // 4)
        sheet.text(x, y, name, Style(face, 15, "#7a7468"))


def _pin(sheet: Sheet, x: int, y: int) -> None:
    sheet.pen.polygon((x - 12, y - 26, x + 12, y - 26, x, y), fill=FULL)
    sheet.pen.ellipse((x - 15, y - 44, x + 15, y - 14), fill=FULL)
    sheet.pen.ellipse((x - 5, y - 34, x + 5, y - 24), fill="#ffffff")


def _pinned(sheet: Sheet, field: int, box: Box, face: str) -> None:
    """Lines of a grid over the map, names at its edges, a pin in the cell of the field."""
    own = sheet.spec.fields[field]
    rows, columns = cells(own.options)
    wide, tall = (box.right - box.left) // len(columns), max(CELL + 16, (box.bottom - box.top) // len(rows))
    parts = []
    for across, column in enumerate(columns):
        sheet.text(box.left + across * wide + wide // 2, box.top - 22, column, Style(face, 16, "#333333").bold(), "m")
    for down, row in enumerate(rows):
        sheet.text(box.left - 18, box.top + down * tall + tall // 2 - 9, row, Style(face, 16, "#333333").bold(), "m")
        for across, column in enumerate(columns):
            left, top = box.left + across * wide, box.top + down * tall
            cell = Box(left, top, left + wide, top + tall)
            sheet.pen.rectangle(cell, outline="#8d8d8d")
            if row + column == own.value:
                _pin(sheet, left + wide // 2, top + tall // 2 + 22)
            parts.append(Part(row + column, cell))
    whole = Box(box.left - 24, box.top - 24, box.left + wide * len(columns), box.top + tall * len(rows))
    sheet.mark(field, whole, parts)
