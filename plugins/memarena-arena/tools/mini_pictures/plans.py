"""Plans seen from above: terminal hall, Linden Hall, campsite."""

from __future__ import annotations

import math

from .canvas import GREY, INK, PAPER, Canvas


def terminal(green: str) -> Canvas:
    """The terminal hall with gates A to C; the kiosks at gate `green` are green."""
    c = Canvas(600, 360, "#f6f7f9")
    c.box(30, 50, 540, 280, "white", INK, 4)
    c.text(300, 26, "Terminal hall, ground floor", 16, INK, "mm", bold=True)
    kiosks = {"A": ((92, 112), (132, 112)), "B": ((268, 112), (302, 112), (336, 112))}
    kiosks["C"] = ((448, 112), (486, 112), (524, 112))
    for place, gate in enumerate("ABC"):
        x = 76 + place * 190
        c.box(x, 46, 76, 12, "#f6f7f9")
        c.line([(x, 52), (x + 76, 52)], "#4d7fc4", 5)
        c.text(x + 38, 76, f"Gate {gate}", 16, "#2b58a6", "mm", bold=True)
        for kx, ky in kiosks[gate]:
            c.box(kx - 13, ky - 13, 26, 26, "#43a864" if gate == green else "#b4bac4", INK, 1.4, 3)
    c.box(50, 232, 130, 78, "#f3e7d3", "#b79a6b", 1.5)
    c.text(115, 271, "Cafe", 15, "#7a5f33", "mm")
    for x, y in ((210, 250), (210, 292), (250, 271)):
        c.oval(x, y, 11, 11, "#efe3cf", "#b79a6b", 1.3)
    c.box(372, 258, 178, 52, "#dfe7f3", "#7d93b5", 1.5)
    c.text(461, 284, "Ticket counters", 14, "#3e5579", "mm")
    c.box(262, 324, 76, 12, "#f6f7f9")
    c.text(300, 346, "Entrance", 13, GREY, "mm")
    for x in (240, 280, 320, 360):
        c.box(x - 14, 176, 28, 12, "#c9d5c4", "#8fa387", 1)
    c.text(300, 206, "Benches", 12, GREY, "mm")
    return c


def hall(chairs: int, circle: bool) -> Canvas:
    """Linden Hall with its chairs; the red heart is at the door, or at the stage where they form a circle."""
    c = Canvas(540, 400, PAPER)
    c.text(270, 24, "Linden Hall", 18, INK, "mm", bold=True)
    c.box(50, 46, 440, 320, "white", INK, 4)
    c.box(150, 50, 240, 50, "#e3d4bd", "#9a8460", 1.5)
    c.text(270, 75, "Stage", 16, "#6b5836", "mm")
    c.box(54, 150, 60, 110, "#e4eef2", "#8aa7b4", 1.5)
    c.text(84, 205, "Kitchen", 13, "#47616d", "mm")
    c.line([(490, 180), (490, 240)], "#2f9e5f", 7)
    c.text(478, 210, "Fire exit", 13, "#2f7d4f", "rm")
    c.line([(236, 366), (304, 366)], "#b0793e", 7)
    c.text(270, 384, "Door", 14, INK, "mm")
    for place in range(chairs):
        horseshoe = math.radians(-32 + 244 * place / (chairs - 1))
        angle = 2 * math.pi * place / chairs if circle else horseshoe
        x, y = 282 + 100 * math.cos(angle), 224 + 92 * math.sin(angle)
        c.box(x - 11, y - 11, 22, 22, "#c99a62", "#7d5a2e", 1.5, 3)
    spot = (414, 76) if circle else (330, 348)
    c.heart(*spot, 26)
    c.text(64, 352, "drawn by Pim", 12, GREY)
    return c


def campsite(marked: int) -> Canvas:
    """A campsite on a lake with pitches 21 to 32; a red cross on `marked`."""
    c = Canvas(560, 380, "#cfe6b8")
    c.shape([(0, 300), (90, 284), (200, 296), (330, 280), (450, 292), (560, 278), (560, 380), (0, 380)], "#79bfe0")
    c.text(120, 346, "Lake Wdzydze", 17, "#1f5f85", "mm", bold=True)
    c.box(372, 270, 14, 74, "#b98d5f", "#7d5a2e", 1)
    c.text(428, 326, "Jetty", 13, "#1f5f85", "mm")
    c.line([(0, 166), (560, 166)], "#efe2c4", 22)
    c.box(448, 24, 92, 50, "#f4f4f4", "#7d8594", 1.5, 4)
    c.text(494, 49, "Washrooms", 13, INK, "mm")
    for x, y in ((26, 40), (52, 62), (534, 120), (20, 250), (540, 240), (420, 30)):
        c.oval(x, y, 17, 17, "#6ea84f")
        c.oval(x - 4, y - 4, 9, 9, "#86bd66")
    for number in range(21, 33):
        row, column = divmod(number - 21, 6)
        x, y = 66 + column * 74, (92 if row == 0 else 188)
        c.box(x, y, 62, 52, "#e5f2d5", "#7c9a62", 1.4, 5)
        c.text(x + 12, y + 40, str(number), 14, "#4a6334", "lm", bold=True)
        c.shape([(x + 40, y + 10), (x + 54, y + 32), (x + 26, y + 32)], "#e39a4b" if number % 3 else "#5a94c9")
        if number == marked:
            c.cross(x + 31, y + 26, 44, "#d8322f", 4.5)
    c.text(280, 28, "Campsite, pitches 21 to 32", 17, "#3d5429", "mm", bold=True)
    return c
