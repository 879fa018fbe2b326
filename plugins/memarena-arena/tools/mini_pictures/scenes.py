"""Rooms seen from inside: living room, kitchen, sink, dining room, microwave."""

from __future__ import annotations

import math

from .canvas import INK, Canvas


def living_room(cage_at_window: bool) -> Canvas:
    """A living room with the cage of two guinea pigs, under the window or next to the bookshelf."""
    c = Canvas(600, 390, "#f3e6d2")
    c.box(0, 280, 600, 110, "#c79a6b")
    for x in range(0, 600, 75):
        c.line([(x, 280), (x - 40, 390)], "#b78a5b", 1.5)
    c.box(214, 44, 150, 112, "#a9dbf2", "#8d6c46", 7)
    c.line([(289, 44), (289, 156)], "#8d6c46", 5)
    c.line([(214, 100), (364, 100)], "#8d6c46", 5)
    c.oval(246, 76, 14, 14, "#f9d64a")
    c.box(20, 216, 150, 92, "#5d9a68", radius=16)
    c.box(12, 240, 34, 76, "#4c8657", radius=12)
    c.box(146, 240, 34, 76, "#4c8657", radius=12)
    c.box(44, 256, 104, 34, "#73ad7d", radius=8)
    _bookshelf(c, 490)
    if cage_at_window:
        _cage(c, 204, 214)
    else:
        _cage(c, 306, 214)
        c.line([(206, 316), (206, 232)], "#6d7480", 4)
        c.oval(206, 216, 26, 26, "#e6ebf0", "#6d7480", 3)
        for turn in range(3):
            angle = turn * 2 * math.pi / 3
            c.oval(206 + 11 * math.cos(angle), 216 + 11 * math.sin(angle), 9, 9, "#9fb4c6")
        c.oval(206, 318, 24, 6, "#6d7480")
    return c


def _bookshelf(c: Canvas, x: float) -> None:
    c.box(x, 70, 96, 246, "#8d6c46", "#6e5233", 2)
    colours = ("#c0504d", "#4f81bd", "#9bbb59", "#e0a13a", "#8064a2", "#4bacc6")
    for shelf in range(4):
        y = 80 + shelf * 59
        c.box(x + 7, y, 82, 50, "#5f4529")
        for book in range(7):
            tall = 34 + (book * 5 + shelf * 7) % 14
            c.box(x + 9 + book * 11, y + 50 - tall, 10, tall, colours[(book + shelf * 2) % 6])


def _cage(c: Canvas, x: float, y: float) -> None:
    c.box(x, y, 172, 84, "#fbf7ee")
    c.box(x + 18, y + 62, 136, 10, "#e6cf8f", radius=5)
    _pig(c, x + 52, y + 52, "#d98b3f", None)
    _pig(c, x + 118, y + 54, "#2f2c2b", "#f7f4ef")
    for bar in range(18):
        c.line([(x + 4 + bar * 9.7, y), (x + 4 + bar * 9.7, y + 76)], "#a7adb6", 1)
    c.box(x, y, 172, 78, None, "#6d7480", 2.5)
    c.box(x - 4, y + 74, 180, 32, "#4f86b8", "#39668f", 1.5, 6)


def _pig(c: Canvas, x: float, y: float, fur: str, patch: str | None) -> None:
    c.oval(x, y, 29, 19, fur)
    c.oval(x - 22, y - 6, 14, 13, fur)
    if patch:
        c.oval(x + 8, y - 4, 10, 10, patch)
    c.oval(x - 14, y - 18, 5, 6, "#e8a9a0")
    c.oval(x - 27, y - 9, 2.4, 2.4, "white" if patch else INK)
    c.oval(x - 35, y - 3, 3, 2.4, "#d98a8a")


def mug(c: Canvas, x: float, y: float, colour: str, size: float = 1) -> None:
    """A mug that stands on (x, y)."""
    c.oval(x + 16 * size, y - 19 * size, 10 * size, 11 * size, None, colour, 4.5 * size)
    c.box(x - 15 * size, y - 38 * size, 30 * size, 38 * size, colour, radius=4 * size)
    c.oval(x, y - 38 * size, 15 * size, 4.5 * size, "#f2f2f2", colour, 2)


def potato(c: Canvas, x: float, y: float, size: float = 1) -> None:
    """A potato around (x, y)."""
    c.oval(x, y, 24 * size, 14 * size, "#c69a5b", "#9a743c", 1.5)
    for dx, dy in ((-10, -3), (2, 4), (12, -4)):
        c.oval(x + dx * size, y + dy * size, 1.8, 1.3, "#8a6631")


def kitchen() -> Canvas:
    """Fridge, counter with sink, two mugs and a potato, microwave."""
    c = Canvas(600, 380, "#eaf0ea")
    for x in range(0, 600, 40):
        c.line([(x, 60), (x, 210)], "#dbe4db", 1)
    for y in range(60, 211, 30):
        c.line([(0, y), (600, y)], "#dbe4db", 1)
    c.box(0, 322, 600, 58, "#b9a48a")
    c.box(30, 70, 120, 262, "#aab2bb", "#7f8892", 2.5, 8)
    c.line([(30, 158), (150, 158)], "#7f8892", 2.5)
    c.box(136, 100, 6, 44, "#5f6872", radius=3)
    c.box(136, 174, 6, 60, "#5f6872", radius=3)
    c.box(160, 216, 430, 16, "#8f7355")
    c.box(164, 232, 422, 96, "#f7f3ea", "#cbbfa9", 1.5)
    for x in (164, 270, 376, 482):
        c.box(x + 6, 242, 92, 78, "#fdfaf3", "#cbbfa9", 1.5, 4)
        c.oval(x + 52, 252, 4, 4, "#8f7355")
    c.box(312, 210, 110, 12, "#c3ccd4", "#7f8892", 1.5, 4)
    c.line([(367, 212), (367, 172), (392, 172), (392, 186)], "#7f8892", 5)
    mug(c, 204, 216, "#3f74c4")
    mug(c, 258, 216, "#cf3f3a")
    potato(c, 448, 204)
    c.box(482, 148, 104, 66, "#444a52", "#2c3036", 2, 5)
    c.box(490, 156, 66, 50, "#20242a", "#6d7480", 1.5, 3)
    for row in range(3):
        c.box(562, 176 + row * 11, 18, 7, "#8a919b", radius=2)
    c.text(571, 164, "0:00", 9, "#7ee08a", "mm")
    return c


def sink() -> Canvas:
    """The sink from close by, sponge at the left, soap behind, the blue mug in the hand."""
    c = Canvas(600, 380, "#e3ebe4")
    c.box(0, 130, 600, 250, "#a98b68")
    c.box(110, 158, 380, 190, "#d3dae0", "#8b949e", 4, 26)
    c.box(134, 180, 332, 148, "#aab4bd", "#8b949e", 2, 20)
    c.oval(300, 268, 17, 9, "#5f6872")
    c.line([(520, 172), (520, 66), (428, 66), (428, 104)], "#7f8892", 12)
    c.box(500, 160, 42, 20, "#7f8892", radius=6)
    c.box(22, 200, 78, 42, "#f4d13c", "#cfa91f", 2, 6)
    c.box(22, 228, 78, 16, "#6f9a4c", radius=4)
    for x, y in ((38, 212), (58, 220), (80, 210), (70, 206)):
        c.oval(x, y, 3, 2.4, "#dab62a")
    c.box(222, 58, 42, 86, "#3fa35f", "#2c7a45", 2, 9)
    c.box(234, 38, 18, 22, "#f1f1f1", "#b9bec4", 1.5, 3)
    c.box(228, 90, 30, 26, "#e9f6ec", radius=3)
    c.text(243, 103, "soap", 11, "#2c7a45", "mm")
    mug(c, 300, 384, "#3f74c4", 2.3)
    c.shape([(236, 380), (240, 344), (258, 330), (270, 340), (266, 380)], "#8f979f")
    return c


def dining(potato_there: bool, fallen: bool, minutes: int) -> Canvas:
    """The dining room; the clock shows `minutes` past four."""
    c = Canvas(600, 390, "#e9ddd0")
    c.box(0, 262, 600, 128, "#a5794f")
    c.box(0, 254, 600, 10, "#d3c2ad")
    c.oval(470, 86, 44, 44, "white", "#5f4529", 5)
    for hour in range(12):
        angle = hour * math.pi / 6
        c.oval(470 + 36 * math.cos(angle), 86 + 36 * math.sin(angle), 2, 2, INK)
    small, large = math.radians(120 + minutes / 2 - 90), math.radians(minutes * 6 - 90)
    c.line([(470, 86), (470 + 20 * math.cos(small), 86 + 20 * math.sin(small))], INK, 4)
    c.line([(470, 86), (470 + 31 * math.cos(large), 86 + 31 * math.sin(large))], INK, 2.5)
    for x in (128, 218, 350):
        _chair(c, x)
    if fallen:
        _fallen_chair(c)
    else:
        _chair(c, 440)
    c.oval(300, 258, 220, 46, "#8f5f38")
    c.oval(300, 252, 220, 46, "#b98150", "#8f5f38", 2)
    c.box(282, 296, 36, 78, "#8f5f38")
    c.oval(300, 376, 78, 10, "#7d5230")
    mug(c, 206, 256, "#3f74c4", 1.2)
    c.box(326, 186, 30, 56, "#d7e6ec", "#9db4be", 2, 8)
    for dx, colour in ((-14, "#e05a6b"), (0, "#f0b63a"), (14, "#e05a6b")):
        c.line([(341, 190), (341 + dx * 1.6, 146)], "#4f8f4a", 3)
        c.oval(341 + dx * 1.6, 138, 9, 12, colour)
    if potato_there:
        c.oval(418, 252, 54, 15, "#fdfdfb", "#c9ccd1", 2)
        potato(c, 418, 244)
        for dx in (-12, 0, 12):
            c.line([(418 + dx, 222), (422 + dx, 214), (414 + dx, 206), (418 + dx, 198)], "#c9bfb4", 2)
    return c


def _chair(c: Canvas, x: float) -> None:
    c.box(x, 152, 8, 86, "#6b4a2b", radius=3)
    c.box(x + 54, 152, 8, 86, "#6b4a2b", radius=3)
    for y in (160, 184, 208):
        c.box(x + 4, y, 54, 10, "#7d5833", radius=3)


def _fallen_chair(c: Canvas) -> None:
    c.oval(500, 372, 76, 8, "#946a43")
    c.line([(528, 330), (572, 338)], "#5a3d22", 7)
    c.line([(528, 352), (572, 364)], "#5a3d22", 7)
    c.box(514, 316, 14, 54, "#7d5833", "#5a3d22", 1.5, 3)
    for x in (440, 464, 488):
        c.box(x, 322, 10, 44, "#7d5833", radius=3)
    c.box(430, 316, 92, 8, "#6b4a2b", radius=3)
    c.box(430, 362, 92, 8, "#6b4a2b", radius=3)


def microwave() -> Canvas:
    """The microwave with its door open and the potato inside; the red mug on a hook at the left."""
    c = Canvas(600, 380, "#eaf0ea")
    c.box(0, 316, 600, 64, "#8f7355")
    c.box(156, 112, 330, 204, "#444a52", "#2c3036", 3, 10)
    c.box(176, 132, 216, 164, "#f6e7b4", "#20242a", 4, 6)
    c.oval(284, 276, 84, 12, "#e6edf0", "#b6c0c6", 2)
    potato(c, 284, 256, 1.7)
    c.shape([(176, 132), (92, 98), (92, 334), (176, 296)], "#5c636d")
    c.shape([(162, 146), (106, 124), (106, 306), (162, 284)], "#8fa3ad")
    c.box(404, 136, 66, 34, "#101418", "#6d7480", 1.5, 4)
    c.text(437, 153, "0:45", 22, "#7ee08a", "mm")
    for row in range(4):
        for column in range(3):
            c.box(406 + column * 22, 184 + row * 24, 18, 17, "#8a919b", radius=3)
    c.box(300, 98, 92, 15, "#17191c", radius=5)
    for dot in range(5):
        c.oval(314 + dot * 15, 105, 3, 3, "#d64545" if dot == 0 else "#8a919b")
    c.box(30, 60, 52, 10, "#8d6c46", radius=3)
    mug(c, 34, 140, "#cf3f3a", 1.3)
    c.line([(56, 70), (56, 100), (63, 104), (69, 97)], "#4a5058", 4)
    return c
