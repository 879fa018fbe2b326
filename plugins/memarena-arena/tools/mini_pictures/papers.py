"""Things on paper and on walls: whiteboard, calendar, receipt, list, form, label, postcard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from .canvas import GREY, INK, PAPER, Canvas

NOTE = {"pink": "#f7a8c4", "blue": "#a3cdf2", "yellow": "#f9e27d"}


def whiteboard(columns: Sequence[tuple[str, Sequence[tuple[str, str]]]], ringed: str) -> Canvas:
    """A whiteboard with columns of sticky notes (text, colour); the note `ringed` has a red ring."""
    c = Canvas(600, 420, "#c9c4ba")
    c.box(18, 16, 564, 376, "#fdfefe", "#8c9096", 7, 6)
    c.box(210, 394, 180, 12, "#8c9096", radius=3)
    c.box(240, 390, 34, 7, "#c43b3b", radius=3)
    c.box(286, 390, 34, 7, "#2b58a6", radius=3)
    for place, (title, notes) in enumerate(columns):
        x = 42 + place * 180
        c.text(x + 76, 46, title, 20, "#2b58a6", "mm", bold=True)
        c.line([(x + 8, 62), (x + 146, 60)], "#2b58a6", 2)
        if place:
            c.line([(x - 14, 40), (x - 16, 374)], "#9db4d8", 1.5)
        for row, (text, colour) in enumerate(notes):
            y = 82 + row * 98
            tilt = (row + place) % 3 - 1
            c.shape([(x + 13, y + 4), (x + 147, y + 4 + tilt), (x + 145, y + 80), (x + 13, y + 82)], "#d9dadb")
            c.shape([(x + 8, y), (x + 142, y + tilt), (x + 140, y + 74), (x + 8, y + 76)], NOTE[colour])
            c.text(x + 75, y + 38, text, 15, INK, "mm")
            if text == ringed:
                c.oval(x + 75, y + 38, 86, 47, None, "#d8322f", 3.5)
                c.oval(x + 77, y + 36, 84, 48, None, "#d8322f", 1.5)
    c.oval(536, 352, 15, 15, None, "#e0a52a", 2.5)
    for dx, dy in ((0, -1), (0, 1), (1, 0), (-1, 0), (0.7, 0.7), (0.7, -0.7), (-0.7, 0.7), (-0.7, -0.7)):
        c.line([(536 + dx * 19, 352 + dy * 19), (536 + dx * 27, 352 + dy * 27)], "#e0a52a", 2.5)
    return c


SHIFT = {"o": "#f5a64a", "p": "#a98bd6", "g": "#9ed39a"}


def calendar(title: str, first: int, shifts: str, ringed: int, starred: int) -> Canvas:
    """A month; `first` is the weekday of the 1st (0: Monday), `shifts` a letter a day (o, p, g)."""
    c = Canvas(500, 380, PAPER)
    c.text(250, 30, title, 22, INK, "mm", bold=True)
    for day, name in enumerate(("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")):
        c.text(58 + day * 64, 62, name, 14, GREY, "mm")
    for number, letter in enumerate(shifts, 1):
        column, row = (first + number - 1) % 7, (first + number - 1) // 7
        x, y = 26 + column * 64, 78 + row * 56
        c.box(x, y, 60, 52, SHIFT[letter], "#6d6a62", 1, 4)
        c.text(x + 8, y + 15, str(number), 16, INK, bold=True)
        if number == ringed:
            c.oval(x + 30, y + 26, 30, 26, None, "#d8322f", 3.5)
        if number == starred:
            c.star(x + 40, y + 31, 16, "#ffe94d")
    c.text(26, 364, "Depot Wrzeszcz - T. Wierzba", 12, GREY)
    c.shape([(436, 380), (462, 338), (482, 330), (500, 340), (500, 380)], "#e3b08c")
    return c


def receipt(shop: str, lines: Sequence[str], items: Sequence[tuple[str, str]], total: str, end: str) -> Canvas:
    """A till receipt."""
    c = Canvas(280, 380, "#fdfdfb")
    c.text(140, 36, shop, 20, INK, "mm", bold=True)
    for row, line in enumerate(lines):
        c.text(140, 62 + row * 20, line, 13, GREY, "mm")
    y = 76 + len(lines) * 20
    c.line([(24, y), (256, y)], GREY, 1)
    for row, (name, price) in enumerate(items):
        c.text(26, y + 28 + row * 32, name, 16)
        c.text(254, y + 28 + row * 32, price, 16, INK, "rm")
    y += 18 + len(items) * 32
    c.line([(24, y + 12), (256, y + 12)], GREY, 1)
    c.text(26, y + 38, "TOTAL PLN", 18, bold=True)
    c.text(254, y + 38, total, 18, INK, "rm", bold=True)
    c.text(140, y + 76, end, 13, GREY, "mm")
    for bar in range(44):
        if (bar * 7) % 5 < 3:
            c.line([(52 + bar * 4, y + 96), (52 + bar * 4, y + 124)], INK, 1 + bar % 3)
    return c


def attendance(title: str, days: Sequence[str], came: Mapping[str, str], signed: str) -> Canvas:
    """A list with ticks; `came` has a string of 1 and 0 a name, one a day."""
    c = Canvas(460, 376, PAPER)
    c.text(230, 32, title, 19, INK, "mm", bold=True)
    for place, day in enumerate(days):
        c.text(270 + place * 110, 68, day, 15, INK, "mm", bold=True)
    for row, (name, marks) in enumerate(came.items()):
        y = 100 + row * 38
        c.line([(30, y + 19), (430, y + 19)], "#d9d5c7", 1)
        c.text(44, y, name, 17)
        for place, mark in enumerate(marks):
            c.box(257 + place * 110, y - 13, 26, 26, "white", GREY, 1.2)
            if mark == "1":
                c.tick(271 + place * 110, y - 2, 24, "#2b58a6", 3)
    c.text(44, 350, f"Signed: {signed}", 14, "#2b58a6")
    return c


def form(title: str, date: str, boxes: Sequence[str], ticked: str, signed: str) -> Canvas:
    """A form with boxes to tick."""
    c = Canvas(420, 380, "#fcfcfa")
    c.box(0, 0, 420, 54, "#d7ebe4")
    c.oval(38, 27, 15, 15, "#2f8f78")
    c.box(35, 18, 6, 18, "white")
    c.box(29, 24, 18, 6, "white")
    c.text(64, 27, title, 17, "#1d5e4f", bold=True)
    c.text(30, 82, "Name:  Mr. Adair", 15)
    c.text(390, 82, date, 14, GREY, "rm")
    c.line([(30, 98), (390, 98)], "#cfd6d2", 1)
    c.text(30, 122, "Please examine:", 14, GREY)
    for row, name in enumerate(boxes):
        y = 156 + row * 42
        c.box(44, y - 13, 26, 26, "white", INK, 1.6)
        c.text(90, y, name, 17)
        if name == ticked:
            c.tick(58, y - 3, 26, "#2b58a6", 3.4)
    c.line([(220, 350), (390, 350)], GREY, 1)
    c.text(305, 336, signed, 17, "#2b58a6", "mm")
    c.text(305, 364, "Signature", 11, GREY, "mm")
    return c


def label(name: str, strength: str, lines: Sequence[str]) -> Canvas:
    """A bottle with a label."""
    c = Canvas(420, 400, "#dfe7ea")
    c.box(0, 330, 420, 70, "#c4a37c")
    c.oval(214, 366, 128, 16, "#a98a66")
    c.box(174, 22, 72, 56, "#f7f7f7", "#b9bec4", 1.5, 8)
    for groove in range(7):
        c.line([(184 + groove * 9, 30), (184 + groove * 9, 70)], "#d3d8dd", 1.5)
    c.box(92, 72, 236, 296, "#f2c230", "#cf9f1c", 2, 26)
    c.box(92, 118, 236, 218, "#fffdf4")
    c.oval(210, 152, 20, 20, "#f7a928")
    for dx, dy in ((0, -1), (1, 0), (-1, 0), (0.7, -0.7), (-0.7, -0.7), (0.7, 0.7), (-0.7, 0.7), (0, 1)):
        c.line([(210 + dx * 24, 152 + dy * 24), (210 + dx * 31, 152 + dy * 31)], "#f7a928", 3)
    c.oval(203, 148, 2.4, 2.4, INK)
    c.oval(217, 148, 2.4, 2.4, INK)
    c.line([(202, 158), (206, 162), (214, 162), (218, 158)], INK, 1.8)
    c.text(210, 198, name, 19, INK, "mm", bold=True)
    c.text(210, 230, strength, 19, "#c0582b", "mm", bold=True)
    for row, line in enumerate(lines):
        c.text(210, 258 + row * 20, line, 13, INK, "mm")
    return c


def postcard(greeting: str) -> Canvas:
    """A postcard with a lighthouse, a sun and three gulls."""
    c = Canvas(500, 330, "#fbfbf8")
    c.box(16, 16, 468, 298, "#9fd3ee")
    c.oval(392, 84, 34, 34, "#f8cf3f")
    c.box(16, 214, 468, 100, "#3f8fb8")
    for row in range(5):
        for wave in range(8):
            x = 30 + wave * 54 + row % 2 * 22
            c.line([(x, 236 + row * 16), (x + 10, 232 + row * 16), (x + 20, 236 + row * 16)], "#7fbcd9", 1.6)
    c.shape([(70, 258), (112, 216), (168, 204), (226, 222), (262, 258)], "#7b6f64")
    stripes = 6
    for band in range(stripes):
        y, w = 76 + band * 22, 22 + band * 2.4
        c.shape(
            [(165 - w, y), (165 + w, y), (165 + w + 2.4, y + 22), (165 - w - 2.4, y + 22)],
            "#d23b34" if band % 2 == 0 else "#fdfdfb",
        )
    c.box(147, 52, 36, 26, "#fff3b0", "#3a3f47", 2)
    c.shape([(141, 52), (189, 52), (165, 30)], "#b52f2a")
    for x, y in ((264, 70), (300, 96), (248, 116)):
        c.line([(x, y), (x + 10, y - 8), (x + 18, y), (x + 26, y - 8), (x + 36, y)], "white", 2.6)
    c.text(468, 292, greeting, 24, "white", "rm", bold=True)
    return c
