"""A world of blocks: meadow, crater, cave, inventory bar."""

from __future__ import annotations

import math
from collections.abc import Sequence

from .canvas import INK, Canvas

SIDE = 20
"""Edge of a block in logical pixels."""


def _ground(c: Canvas, heights: Sequence[int], top: str, below: str) -> None:
    for column, height in enumerate(heights):
        for row in range(height):
            y = c.height - (row + 1) * SIDE
            shade = top if row == height - 1 else below
            c.box(column * SIDE, y, SIDE, SIDE, shade, _edge(shade), 0.5)


def _edge(colour: str) -> str:
    return "#" + "".join(f"{int(int(colour[at : at + 2], 16) * 0.9):02x}" for at in (1, 3, 5))


def _sheep(c: Canvas, x: float, y: float, wool: str) -> None:
    for dx in (4, 32):
        c.box(x + dx, y - 14, 8, 14, "#b59a86")
    c.box(x, y - 40, 46, 28, wool, _edge(wool), 1)
    c.box(x - 12, y - 46, 20, 20, "#d9c1ad", "#b59a86", 1)
    c.box(x - 12, y - 50, 20, 9, wool)
    c.box(x - 9, y - 38, 4, 4, INK)


def _birch(c: Canvas, x: float, y: float, whole: bool) -> None:
    for block in range(5):
        c.box(x, y - (block + 1) * SIDE, SIDE, SIDE, "#e8e6de", "#cfccc0", 0.5)
        c.box(x + (3 if block % 2 else 10), y - block * SIDE - 14, 7, 4, "#4a4a46")
    for row, wide in enumerate((2, 2, 1)):
        for column in range(-wide if whole else 0, wide + 1):
            shade = "#7fae55" if (row + column) % 2 else "#8dbb62"
            c.box(x + column * SIDE, y - (row + 5) * SIDE, SIDE, SIDE, shade, _edge(shade), 0.5)


def meadow(exploded: bool) -> Canvas:
    """Birch, hill and two sheep; after the explosion a crater, half a tree and the pink sheep alone."""
    c = Canvas(600, 380, "#8fc7ef")
    c.box(470, 34, 46, 46, "#fff3a6")
    for x, y, w in ((60, 50, 90), (210, 84, 70), (360, 44, 80)):
        c.box(x, y, w, 16, "#eef7fd")
        c.box(x + 18, y - 12, w - 40, 14, "#eef7fd")
    heights = [5] * 21 + [6, 7, 8, 9, 10, 10, 11, 11, 11]
    _ground(c, heights, "#74b34c", "#8a6239")
    for column in range(22, 30):
        for row in range(4, heights[column] - (column < 24)):
            y = c.height - (row + 1) * SIDE
            shade = "#8b8f94" if (row + column) % 3 else "#7d8186"
            c.box(column * SIDE, y, SIDE, SIDE, shade, _edge(shade), 0.5)
    _birch(c, 80, 280, not exploded)
    if exploded:
        for column, deep in enumerate((1, 2, 3, 3, 3, 2, 1)):
            for row in range(deep):
                c.box((8 + column) * SIDE, 280 + row * SIDE, SIDE, SIDE, "#8fc7ef" if row < deep - 1 else "#5b3d20")
        for x, y, size in ((196, 250, 20), (226, 222, 26), (262, 236, 22), (240, 188, 18), (214, 166, 12)):
            c.oval(x, y, size, size * 0.8, "#c4c6c9")
    else:
        _sheep(c, 210, 280, "#f4f2ee")
    _sheep(c, 346, 280, "#f2a9bd")
    return c


def cave() -> Canvas:
    """The mouth of a cave, a sign with an arrow to the left, two torches at the right."""
    c = Canvas(600, 380, "#6f7479")
    for row in range(19):
        for column in range(30):
            shade = ("#767b80", "#6b7075", "#80858a")[(row * 7 + column * 11) % 3]
            c.box(column * SIDE, row * SIDE, SIDE, SIDE, shade, _edge(shade), 0.5)
    for row, (start, end) in enumerate(((12, 18), (10, 20), (9, 21), (8, 22), (8, 22), (8, 22), (8, 22), (8, 22))):
        c.box(start * SIDE, 100 + row * 24, (end - start) * SIDE, 25, "#16181b")
    c.box(0, 290, 600, 90, "#7a5733")
    for column in range(30):
        c.box(column * SIDE, 290, SIDE, 18, "#6aa548" if column % 4 else "#619a41")
    c.box(290, 268, 18, 70, "#7d5a2e")
    c.box(206, 162, 188, 112, "#b98d55", "#7d5a2e", 4)
    for y in (190, 218, 246):
        c.line([(210, y), (390, y)], "#a57a45", 1.5)
    c.text(300, 196, "LAVA", 34, "#3b2710", "mm", bold=True)
    c.arrow((366, 240), (236, 240), "#3b2710", 7)
    for x, y in ((462, 168), (462, 250)):
        c.box(x, y, 9, 32, "#8a6239")
        c.oval(x + 4.5, y - 4, 20, 20, "#8a7a45")
        c.box(x - 1, y - 11, 11, 13, "#ffb52e")
        c.box(x + 2, y - 15, 5, 7, "#fff0a0")
    return c


def inventory(slots: Sequence[tuple[str, int]], selected: int) -> Canvas:
    """Nine slots with (thing, count); `selected` counts from 0."""
    c = Canvas(600, 250, "#7aa95c")
    for row in range(13):
        for column in range(30):
            shade = ("#7aa95c", "#74a356", "#80af62")[(row * 5 + column * 7) % 3]
            c.box(column * SIDE, row * SIDE, SIDE, SIDE, shade)
    c.box(20, 60, 560, 130, "#c6c6c6", "#3a3a3a", 4, 4)
    c.text(34, 82, "Inventory", 18, "#3a3a3a", bold=True)
    for slot in range(9):
        x = 32 + slot * 60
        c.box(x, 106, 56, 60, "#8b8b8b", "#373737", 2)
        if slot < len(slots):
            thing, count = slots[slot]
            _thing(c, thing, x + 28, 132)
            c.text(x + 53, 156, str(count), 19, "#20242a", "rm", bold=True)
            c.text(x + 52, 155, str(count), 19, "white", "rm", bold=True)
        if slot == selected:
            c.box(x - 3, 103, 62, 66, None, "white", 4)
    return c


def _thing(c: Canvas, thing: str, x: float, y: float) -> None:
    if thing == "birch log":
        c.box(x - 15, y - 16, 30, 32, "#e8e6de", "#b9b6aa", 1)
        for dx, dy in ((-9, -8), (3, 0), (-6, 8), (6, -12)):
            c.box(x + dx, y + dy, 8, 3, "#4a4a46")
    elif thing == "apple":
        c.oval(x, y + 2, 14, 14, "#d8322f", "#9b1f1d", 1.5)
        c.line([(x, y - 11), (x + 4, y - 18)], "#6b4a2b", 3)
        c.oval(x - 5, y - 3, 3, 4, "#f08a85")
    elif thing == "bread":
        c.box(x - 18, y - 8, 36, 18, "#c98d3d", "#8f5f22", 1.5, 8)
        for dx in (-9, 0, 9):
            c.line([(x + dx - 3, y + 5), (x + dx + 3, y - 5)], "#e9c07f", 2.5)
    elif thing == "cobblestone":
        c.box(x - 15, y - 15, 30, 30, "#85898e", "#5c6065", 1.5)
        for dx, dy in ((-8, -7), (6, -5), (-3, 6), (9, 8)):
            c.oval(x + dx, y + dy, 5, 4, "#a0a4a9", "#5c6065", 1)
    elif thing == "planks":
        c.box(x - 15, y - 15, 30, 30, "#d8c48c", "#a8935c", 1.5)
        for dy in (-5, 5):
            c.line([(x - 15, y + dy), (x + 15, y + dy)], "#a8935c", 1.5)
    elif thing == "furnace":
        c.box(x - 15, y - 16, 30, 32, "#7d8186", "#4a4d51", 1.5)
        c.box(x - 9, y + 1, 18, 11, "#2a1d10")
        c.shape([(x - 6, y + 12), (x, y + 4), (x + 6, y + 12)], "#ff9a2e")
    else:
        _tool(c, thing, x, y)


def _tool(c: Canvas, thing: str, x: float, y: float) -> None:
    if thing == "torch":
        c.line([(x - 6, y + 16), (x + 4, y - 4)], "#8a6239", 6)
        c.box(x, y - 16, 11, 12, "#ffb52e")
        c.box(x + 3, y - 13, 5, 6, "#fff0a0")
    elif thing == "wooden sword":
        c.line([(x - 14, y + 16), (x + 14, y - 16)], "#b98d55", 6)
        c.line([(x - 12, y + 2), (x, y + 13)], "#6b4a2b", 5)
    else:
        head = "#d3d8dc" if thing == "stone pickaxe" else "#b98d55"
        c.line([(x - 13, y + 16), (x + 9, y - 9)], "#6b4a2b", 5)
        arc = [(x + 4 + 19 * math.cos(a), y - 2 + 19 * math.sin(a)) for a in (-2.5, -1.9, -1.2, -0.5, 0.2, 0.7)]
        c.line(arc, head, 6)
