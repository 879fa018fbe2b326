"""Maps of a quarter on a screen or on paper, with a pin."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from memarena_builder.pictures import photo
from memarena_builder.pictures.marks import CELL, FULL, Area, cells
from memarena_builder.pictures.rows import pairs, small_print, split, stacked, stacked_height
from memarena_builder.pictures.sheet import Sheet, Style
from memarena_builder.pictures.spec import Box, Drawing, Part, PictureSpec
from memarena_builder.pictures.words import Words, words

WIDTH, EDGE = 760, 30
LEAST, CARD = 480, 344
"""Pixels of the map from top to bottom, at least; of the card from left to right."""
SEARCH = Box(0, 0, 340, 74)
"""Where a program's line to search in lies over its map."""
TRIES = 8
"""Places for a name that are tried; it is left out where all of them would be covered."""


class Look(NamedTuple):
    """Colours of a map."""

    ground: str
    street: str
    main: str
    water: str
    park: str
    house: str
    name: str


LOOKS = (
    Look("#f2efe9", "#ffffff", "#fbe3a1", "#aad3df", "#c8e6b4", "#dfd8cb", "#6d675c"),
    Look("#e8eaed", "#ffffff", "#fce8a9", "#a5cbf0", "#c5e3c0", "#d8dbe0", "#5f6368"),
    Look("#f6f1df", "#fffdf6", "#f3cf8e", "#b5d2da", "#d3dfae", "#e5dabb", "#756a50"),
)


def draw(spec: PictureSpec) -> Drawing:
    """Streets with names, a river, parks, places, a pin with a card; a field shown as a position is a pin in a grid."""
    own, rest = split(spec)
    placed = [each for each in own if spec.fields[each].shown == "position"]
    carded = [each for each in own if each not in placed]
    label, value = Style("sans", 16), Style("sans", 26)
    card = sum(stacked_height(spec, each, label, value) + 6 for each in carded) + 56
    inside = rest if not placed else []
    card += 27 * len(inside) + 50
    high = max(LEAST, card + 210)
    sheet = Sheet(spec, WIDTH, high + (104 if placed else 0))
    rng, said = sheet.rng, words(spec.language, sheet.rng, spec.day)
    look, face = rng.choice(LOOKS), rng.choice(("sans", "grotesk"))
    x, y = rng.choice((28, WIDTH - CARD - 76)), high - card - 44
    over = [Box(x, y, x + CARD, y + card)] if carded else []
    pin = x + rng.randint(60, 280)
    if not placed:
        over += [SEARCH, Box(WIDTH - 150, high - 140, WIDTH, high), Box(pin - 20, y - 64, pin + 20, y)]
    _ground(sheet, said, look, high, face, over)
    if placed:
        _pinned(sheet, placed[0], Box(EDGE + 24, EDGE + 24, WIDTH - EDGE, high - EDGE), face)
    else:
        _screen(sheet, said, high, face)
    if not placed:
        _pin(sheet, pin, y - 14)
    if carded:
        _card(sheet, said, (carded, inside), (x, y, card), face)
    if placed:
        sheet.pen.rectangle((0, high, WIDTH, sheet.height), fill="#fbfbfb")
        title = f"{spec.subject} – {spec.fields[placed[0]].label}"
        sheet.within(EDGE, high + 10, title, Style(face, 22).bold(), WIDTH - 2 * EDGE)
        small_print(sheet, rest, Area(EDGE, sheet.height - 52, WIDTH - 2 * EDGE), Style(face, 16, "#555555"))
    return sheet.done(photo.perhaps(rng, 0.2))


def _card(sheet: Sheet, said: Words, fields: tuple[list[int], list[int]], at: tuple[int, int, int], face: str) -> None:
    """A card over the map; `at`: left, top, height."""
    (carded, inside), (x, y, tall), pen = fields, at, sheet.pen
    pen.rounded_rectangle((x + 3, y + 4, x + CARD + 3, y + tall + 4), 12, fill="#b9b9b4")
    pen.rounded_rectangle((x, y, x + CARD, y + tall), 12, fill="#ffffff", outline="#c4c4c0")
    sheet.within(x + 16, y + 12, sheet.spec.subject, Style(face, 22).bold(), CARD - 32)
    top = y + 48
    for each in carded:
        area = Area(x + 16, top, CARD - 32)
        top = stacked(sheet, each, area, Style(face, 16, "#666666"), Style(face, 26).bold()) + 6
    pen.line((x + 16, top, x + CARD - 16, top), fill="#dddddd")
    small = Style(face, 15, "#555555")
    pairs(sheet, inside, Area(x + 16, top + 8, CARD - 32), small, small._replace(ink="#222222"), line=27, share=0.36)
    left = x + 16
    for number, text in enumerate(said.all("map_buttons")):
        wide = sheet.length(text, small) + 26
        fill, ink = ("#1a73e8", "#ffffff") if number == 0 else ("#e8f0fe", "#1a5fc0")
        if left + wide < x + CARD - 8:
            pen.rounded_rectangle((left, y + tall - 42, left + wide, y + tall - 12), 15, fill=fill)
            sheet.text(left + 13, y + tall - 36, text, small._replace(ink=ink))
        left += wide + 8


def _screen(sheet: Sheet, said: Words, high: int, face: str) -> None:
    """What a program lays over its map: a line to search in, buttons, a scale."""
    pen = sheet.pen
    pen.rounded_rectangle((20, 18, 330, 62), 22, fill="#ffffff", outline="#cfcfca")
    pen.ellipse((36, 31, 50, 45), outline="#777777", width=2)
    pen.line((48, 43, 55, 50), fill="#777777", width=3)
    sheet.text(68, 30, said.one("map_search"), Style(face, 17, "#8a8a86"))
    x = WIDTH - 56
    pen.rounded_rectangle((x, high - 130, x + 38, high - 54), 7, fill="#ffffff", outline="#cfcfca")
    pen.line((x + 11, high - 111, x + 27, high - 111), fill="#555555", width=3)
    pen.line((x + 19, high - 119, x + 19, high - 103), fill="#555555", width=3)
    pen.line((x + 11, high - 73, x + 27, high - 73), fill="#555555", width=3)
    pen.line((x + 6, high - 92, x + 32, high - 92), fill="#dddddd")
    pen.line(
        (WIDTH - 130, high - 26, WIDTH - 130, high - 18, WIDTH - 60, high - 18, WIDTH - 60, high - 26),
        fill="#555555",
        width=2,
    )
    sheet.text(WIDTH - 95, high - 40, "100 m", Style(face, 13, "#555555"), "m")


def _ground(sheet: Sheet, said: Words, look: Look, high: int, face: str, over: list[Box]) -> None:
    """The map itself; names keep clear of what lies `over` it and of each other."""
    rng, pen = sheet.rng, sheet.pen
    pen.rectangle((0, 0, WIDTH, high), fill=look.ground)
    xs, ys = [-40], [-40]
    while xs[-1] < WIDTH:
        xs.append(xs[-1] + rng.randint(78, 150))
    while ys[-1] < high:
        ys.append(ys[-1] + rng.randint(70, 124))
    for left, right in pairwise(xs):
        for top, bottom in pairwise(ys):
            _block(sheet, look, Box(left + 9, top + 9, right - 9, bottom - 9))
    course = _river(sheet, look, high)
    main = rng.randrange(1, len(ys) - 1), rng.randrange(1, len(xs) - 1)
    names = said.some("map_streets", 12)
    for at, x in enumerate(xs):
        lean = rng.randint(-14, 14)
        wide = 17 if at == main[1] else 9
        pen.line((x, 0, x + lean, high), fill=look.main if at == main[1] else look.street, width=wide)
    style = Style(face, 13, look.name)
    for at, y in enumerate(ys):
        lean, big = rng.randint(-10, 10), at == main[0]
        pen.line((0, y, WIDTH, y + lean), fill=look.main if big else look.street, width=19 if big else 13)
        _name(sheet, names.pop(), [(x, y + lean * x // WIDTH - 8) for x in _places(sheet, 60, 220)], style, over)
    water = [course[rng.randint(4, len(course) - 8)] for _ in range(TRIES)]
    river = Style(face, 14, "#4a7f9a")
    _name(sheet, said.one("map_river"), [(round(x), round(y) - 8) for x, y in water], river, over)
    over += [Box(round(x) - 14, round(y) - 18, round(x) + 14, round(y) + 18) for x, y in course]
    bands = rng.sample(ys[:-1], min(4, len(ys) - 1))
    for name, band in zip(said.some("map_places", len(bands)), bands, strict=True):
        y = band + rng.randint(30, 50)
        free = [(x, y) for x in _places(sheet, 40, 190)]
        spot = _name(sheet, name, free, Style(face, 14, "#4d4668"), over)
        if spot:
            pen.ellipse((spot[0] - 18, y, spot[0] - 4, y + 14), fill="#7b6fb0")
            pen.ellipse((spot[0] - 13, y + 5, spot[0] - 9, y + 9), fill="#ffffff")


def _places(sheet: Sheet, left: int, right: int) -> list[int]:
    """Where a name may begin."""
    return [sheet.rng.randint(left, WIDTH - right) for _ in range(TRIES)]


def _name(
    sheet: Sheet, name: str, places: Sequence[tuple[int, int]], style: Style, over: list[Box]
) -> tuple[int, int] | None:
    """Write a name at the first of the places where nothing is `over` it, and add it there; where that is, None for
    nowhere."""
    wide = sheet.length(name, style)
    for x, y in places:
        clear = all(x - 22 > box.right or x + wide < box.left or y > box.bottom or y + 22 < box.top for box in over)
        if clear and 0 < y < sheet.height - 24 and x + wide < WIDTH:
            over.append(sheet.text(x, y, name, style))
            return x, y
    return None


def _block(sheet: Sheet, look: Look, box: Box) -> None:
    """What lies between four streets: houses, or a park with trees."""
    rng, pen = sheet.rng, sheet.pen
    if box.right - box.left < 20 or box.bottom - box.top < 20:
        return
    if rng.random() < 0.16:
        pen.rectangle(box, fill=look.park)
        for _ in range(7):
            x, y = rng.randint(box.left, box.right - 10), rng.randint(box.top, box.bottom - 10)
            pen.ellipse((x, y, x + 9, y + 9), fill="#a9d094")
        return
    x = box.left
    while x < box.right - 14:
        wide = min(rng.randint(18, 46), box.right - x)
        half = (box.top + box.bottom) // 2
        for top, bottom in ((box.top, half - 3), (half + 3, box.bottom)):
            if rng.random() < 0.85:
                pen.rectangle((x, top, x + wide - 4, bottom - rng.randint(0, 8)), fill=look.house)
        x += wide


def _river(sheet: Sheet, look: Look, high: int) -> list[tuple[float, float]]:
    """A river from the left to the right and a foot of green along it; the points of its course."""
    rng, pen = sheet.rng, sheet.pen
    y, slope = float(rng.randint(high // 5, high // 2)), rng.uniform(-0.5, 0.5)
    points: list[tuple[float, float]] = []
    for x in range(-20, WIDTH + 40, 20):
        points.append((x, y))
        slope = max(-0.6, min(0.6, slope + rng.uniform(-0.25, 0.25)))
        y = min(high - 40.0, max(70.0, y + 20 * slope))
    pen.line(points, fill=look.park, width=52, joint="curve")
    pen.line(points, fill=look.water, width=36, joint="curve")
    return points


def _pin(sheet: Sheet, x: int, y: int) -> None:
    sheet.pen.ellipse((x - 9, y - 4, x + 9, y + 3), fill="#9c9c96")
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
