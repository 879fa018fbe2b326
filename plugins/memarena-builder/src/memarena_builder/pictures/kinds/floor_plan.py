"""Floor plans: rooms, doors, and one room that matters."""

from __future__ import annotations

from memarena_builder.pictures import photo
from memarena_builder.pictures.marks import Area
from memarena_builder.pictures.palette import SCHEMES
from memarena_builder.pictures.rows import small_print, split, stacked, stacked_height
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Drawing, PictureSpec
from memarena_builder.pictures.words import words

WIDTH, MARGIN, TOP = 760, 40, 84
GROUNDS = (("#ffffff", "#2b2b2b", "#eef3f9"), ("#f7f4ea", "#4a3b2a", "#f3e3c2"), ("#1d4e7c", "#e6f0f8", "#2c659b"))
"""Paper, ink, and the room that matters: a plan, an old plan, a blueprint."""
DOOR = 50
"""Pixels below the facts, so that no door stands in them."""


def draw(spec: PictureSpec) -> Drawing:
    """Rooms around one large room where the facts stand; which side it is on differs."""
    own, rest = split(spec)
    label, value = Style("sans", 17), Style("sans", 30)
    tall = max(190, sum(stacked_height(spec, each, label, value) + 10 for each in own) + 60 + DOOR)
    low = 116
    sheet = Sheet(spec, WIDTH, TOP + tall + low + 86)
    rng, said = sheet.rng, words(spec.language, sheet.rng)
    paper, ink, lit = rng.choice(GROUNDS)
    face = rng.choice(("sans", "grotesk", "mono"))
    sheet.pen.rectangle((0, 0, WIDTH, sheet.height), fill=paper)
    sheet.text(MARGIN, 28, said.one("plan_titles"), Style(face, 28, ink).bold())
    _north(sheet, WIDTH - MARGIN - 24, 44, ink)
    split_at = MARGIN + round((WIDTH - 2 * MARGIN) * rng.uniform(0.54, 0.6))
    first = rng.random() < 0.5
    large = Box(MARGIN, TOP, split_at, TOP + tall) if first else Box(WIDTH - split_at, TOP, WIDTH - MARGIN, TOP + tall)
    left, right = (split_at, WIDTH - MARGIN) if first else (MARGIN, WIDTH - split_at)
    middle = TOP + round(tall * rng.uniform(0.4, 0.6))
    below = [
        MARGIN,
        MARGIN + round((WIDTH - 2 * MARGIN) * rng.uniform(0.25, 0.38)),
        WIDTH - MARGIN - rng.randint(150, 210),
    ]
    floor = TOP + tall
    small = [Box(left, TOP, right, middle), Box(left, middle, right, floor)]
    for start, end in zip(below, [*below[1:], WIDTH - MARGIN], strict=True):
        small.append(Box(start, floor, end, floor + low))
    for room, name in zip(small, said.some("rooms", len(small)), strict=True):
        _room(sheet, room, ink, None)
        sheet.text(
            (room.left + room.right) // 2, (room.top + room.bottom - 38) // 2 - 8, name, Style(face, 17, ink), "m"
        )
    bright = "#ffffff" if paper == "#1d4e7c" and spec.fields[own[0]].shown in ("position", "trend", "tick") else lit
    _room(sheet, large, ink, bright)
    ink = "#2b2b2b" if bright == "#ffffff" else ink
    wide = large.right - large.left - 48
    sheet.text(large.left + 24, TOP + 20, spec.subject, sheet.fitted(spec.subject, Style(face, 24, ink), wide))
    top = TOP + 60
    for each in own:
        accent = rng.choice(SCHEMES).dark if paper != "#1d4e7c" else ink
        area = Area(large.left + 24, top, wide)
        top = stacked(sheet, each, area, Style(face, 17, ink), Style(face, 30, accent).bold()) + 10
    legend = "#dfe9f2" if paper == "#1d4e7c" else "#555555"
    small_print(sheet, rest, Area(MARGIN, sheet.height - 62, WIDTH - 2 * MARGIN), Style(face, 16, legend))
    return sheet.done(photo.perhaps(rng, 0.4))


def _room(sheet: Sheet, room: Box, ink: str, fill: str | None) -> None:
    """Walls, with a door in the lower one, drawn as a quarter of a circle."""
    pen = sheet.pen
    pen.rectangle(room, fill=fill, outline=ink, width=5)
    door = sheet.rng.randint(room.left + 14, max(room.left + 15, room.right - 60))
    ground = fill or sheet.image.getpixel((room.left + 8, room.top + 8))
    pen.line((door, room.bottom - 2, door + 36, room.bottom - 2), fill=ground, width=6)
    pen.arc((door - 36, room.bottom - 38, door + 36, room.bottom + 34), 270, 360, fill=ink, width=1)
    pen.line((door, room.bottom - 38, door, room.bottom), fill=ink, width=2)


def _north(sheet: Sheet, x: int, y: int, ink: str) -> None:
    sheet.pen.ellipse((x - 20, y - 20, x + 20, y + 20), outline=ink, width=2)
    sheet.pen.polygon((x, y - 16, x + 7, y + 10, x, y + 4, x - 7, y + 10), fill=ink)
