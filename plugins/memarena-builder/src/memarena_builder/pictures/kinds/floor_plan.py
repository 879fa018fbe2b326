"""Floor plans: rooms, doors, furniture, measures, and one room that matters."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from memarena_builder.pictures import photo
from memarena_builder.pictures.kinds.furniture import furnish, one
from memarena_builder.pictures.marks import Area
from memarena_builder.pictures.palette import SCHEMES
from memarena_builder.pictures.rows import cells, split, stacked, stacked_height
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Drawing, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, MARGIN, TOP, LOW = 780, 52, 104, 122
DOOR = 50
"""Pixels below the facts, so that no door stands in them."""


class Look(NamedTuple):
    """Colours of a plan."""

    paper: str
    ink: str
    lit: str
    """The room that matters."""
    thing: str
    """What stands in rooms."""


LOOKS = (
    Look("#ffffff", "#2b2b2b", "#eef3f9", "#a9aeb4"),
    Look("#f7f4ea", "#4a3b2a", "#f3e3c2", "#b9a98d"),
    Look("#1d4e7c", "#e6f0f8", "#2c659b", "#6f9cc4"),
)
BLUEPRINT = LOOKS[2]


def draw(spec: PictureSpec) -> Drawing:
    """Rooms around one large room where the facts stand; which side it is on differs. A title block below."""
    own, rest = split(spec)
    label, value = Style("sans", 17), Style("sans", 30)
    tall = max(200, sum(stacked_height(spec, each, label, value) + 10 for each in own) + 60 + DOOR)
    sheet = Sheet(spec, WIDTH, TOP + tall + LOW + 150)
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    about = spec.about if len(own) == 1 else ""
    look, face = rng.choice(LOOKS), rng.choice(("sans", "grotesk", "mono"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=look.paper)
    sheet.text(MARGIN, 24, said.one("plan_titles", about), Style(face, 28, look.ink).bold())
    _north(sheet, WIDTH - MARGIN - 24, 38, look.ink)
    edge = MARGIN + round((WIDTH - 2 * MARGIN) * rng.uniform(0.54, 0.6))
    first = rng.random() < 0.5
    large = Box(MARGIN, TOP, edge, TOP + tall) if first else Box(WIDTH - edge, TOP, WIDTH - MARGIN, TOP + tall)
    small = _small(sheet, (edge, WIDTH - MARGIN) if first else (MARGIN, WIDTH - edge), tall)
    for room, (name, things) in zip(small, said.drawn("rooms", len(small), about), strict=True):
        _room(sheet, room, look, None)
        furnish(sheet, things, room, look.thing)
        middle = (room.left + room.right) // 2, (room.top + room.bottom - 38) // 2 + 8
        sheet.within(*middle, name, Style(face, 16, look.ink), room.right - room.left - 20, "m")
    _facts(sheet, large, own, look, face)
    floor = TOP + tall + LOW
    _measures(
        sheet, sorted({MARGIN, edge if first else WIDTH - edge, WIDTH - MARGIN}), floor, Style(face, 13, look.ink)
    )
    _block(sheet, said, rest, look, face, floor + 40)
    return sheet.done(photo.perhaps(rng, 0.4))


def _small(sheet: Sheet, beside: tuple[int, int], tall: int) -> list[Box]:
    """Two rooms beside the large one, three below."""
    rng, (left, right), floor = sheet.rng, beside, TOP + tall
    middle = TOP + round(tall * rng.uniform(0.45, 0.58))
    walls = [
        MARGIN,
        MARGIN + round((WIDTH - 2 * MARGIN) * rng.uniform(0.25, 0.38)),
        WIDTH - MARGIN - rng.randint(150, 210),
        WIDTH - MARGIN,
    ]
    below = [Box(start, floor, end, floor + LOW) for start, end in pairwise(walls)]
    return [Box(left, TOP, right, middle), Box(left, middle, right, floor), *below]


def _facts(sheet: Sheet, large: Box, own: list[int], look: Look, face: str) -> None:
    """The room that matters, with desks, beds or cars along one wall where there is room."""
    spec, rng = sheet.spec, sheet.rng
    drawn = any(spec.fields[each].shown in ("position", "trend", "tick") for each in own)
    bright = "#ffffff" if look is BLUEPRINT and drawn else look.lit
    _room(sheet, large, look, bright)
    ink = "#2b2b2b" if bright == "#ffffff" else look.ink
    wide = large.right - large.left - 48
    name = sheet.within(large.left + 24, TOP + 18, spec.subject, Style(face, 24, ink), wide - 60)
    top = TOP + 58
    right = name.right
    broad = any(spec.fields[each].shown in ("trend", "tick", "count") for each in own)
    for each in own:
        accent = rng.choice(SCHEMES).dark if look is not BLUEPRINT else ink
        area = Area(large.left + 24, top, wide)
        top = stacked(sheet, each, area, Style(face, 17, ink), Style(face, 30, accent).bold()) + 10
        right = max(right, large.left + 24 + (236 if spec.fields[each].shown != "text" else 160))
    for x in range(large.right - 66, large.right if broad or drawn else right + 20, -62):
        for y in range(TOP + 16, large.bottom - DOOR - 40, 58):
            one(sheet, spec.about, x, y, look.thing)


def _room(sheet: Sheet, room: Box, look: Look, fill: str | None) -> None:
    """Walls, with a door in the lower one, drawn as a quarter of a circle, and a window in the upper one."""
    pen = sheet.pen
    pen.rectangle(room, fill=fill, outline=look.ink, width=5)
    sides = [room.left + 10, room.right - 50] if room.right - room.left > 170 else [room.right - 48]
    door = sheet.rng.choice(sides)
    ground = fill or look.paper
    pen.line((door, room.bottom - 2, door + 36, room.bottom - 2), fill=ground, width=6)
    pen.arc((door - 36, room.bottom - 38, door + 36, room.bottom + 34), 270, 360, fill=look.ink, width=1)
    pen.line((door, room.bottom - 38, door, room.bottom), fill=look.ink, width=2)
    if room.top == TOP:
        middle = (room.left + room.right) // 2
        pen.rectangle((middle - 46, TOP, middle + 46, TOP + 5), fill=look.paper, outline=look.ink)
        pen.line((middle - 46, TOP + 2, middle + 46, TOP + 2), fill=look.ink)


def _measures(sheet: Sheet, walls: list[int], floor: int, style: Style) -> None:
    """Lines with the width of rooms below the plan and its depth on the left, in metres."""
    pen, y = sheet.pen, floor + 20
    for left, right in pairwise(walls):
        pen.line((left, y, right, y), fill=style.ink)
        for x in (left, right):
            pen.line((x - 4, y + 4, x + 4, y - 4), fill=style.ink, width=2)
        sheet.text((left + right) // 2, y - 16, f"{(right - left) / 64:.2f}", style, "m")
    x = MARGIN - 20
    pen.line((x, TOP, x, floor), fill=style.ink)
    for end in (TOP, floor):
        pen.line((x - 4, end + 4, x + 4, end - 4), fill=style.ink, width=2)
    sheet.text(x - 18, TOP - 26, f"{(floor - TOP) / 64:.2f}", style)


def _block(sheet: Sheet, said: Words, rest: list[int], look: Look, face: str, top: int) -> None:
    """The block with title and scale that plans have in a corner."""
    pen = sheet.pen
    if rest:
        wide = min(150, (WIDTH - 2 * MARGIN) // len(rest))
        left = WIDTH - MARGIN - wide * len(rest)
        pen.rectangle((left, top, WIDTH - MARGIN, top + 58), outline=look.ink, width=2)
        for at in range(1, len(rest)):
            pen.line((left + wide * at, top, left + wide * at, top + 58), fill=look.ink)
        area = Area(left + 10, top + 6, wide * len(rest))
        cells(sheet, rest, area, Style(face, 13, look.ink), Style(face, 18, look.ink), across=len(rest))
    sheet.text(MARGIN, top + 72, said.one("plan_note"), Style(face, 13, look.ink))


def _north(sheet: Sheet, x: int, y: int, ink: str) -> None:
    sheet.pen.ellipse((x - 20, y - 20, x + 20, y + 20), outline=ink, width=2)
    sheet.pen.polygon((x, y - 16, x + 7, y + 10, x, y + 4, x - 7, y + 10), fill=ink)
