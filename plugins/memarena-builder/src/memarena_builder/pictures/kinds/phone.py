"""What stands on the screen of a telephone whatever runs on it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from memarena_builder.pictures.sheet import Sheet, Style

if TYPE_CHECKING:
    from PIL.ImageDraw import ImageDraw

WIDTH, STATUS = 440, 30
"""Pixels of the screen, and of the strip with time and battery."""


def status(sheet: Sheet, face: str, ink: str, clock: str) -> None:
    """Time, reception, battery."""
    pen, rng = sheet.pen, sheet.rng
    sheet.text(18, 8, clock, Style(face, 15, ink).bold())
    bars = rng.randint(2, 4)
    for bar in range(4):
        x, tall = WIDTH - 116 + 6 * bar, 4 + 3 * bar
        pen.rectangle((x, 22 - tall, x + 3, 22), fill=ink if bar < bars else None, outline=ink)
    for ring in (5, 10, 15):
        pen.arc((WIDTH - 76 - ring, 22 - ring, WIDTH - 76 + ring, 22 + ring), 225, 315, fill=ink, width=2)
    pen.rounded_rectangle((WIDTH - 52, 10, WIDTH - 22, 23), 3, outline=ink)
    pen.rectangle((WIDTH - 21, 14, WIDTH - 19, 19), fill=ink)
    pen.rectangle((WIDTH - 50, 12, WIDTH - 50 + rng.randint(6, 26), 21), fill=ink)


def camera(pen: ImageDraw, x: int, y: int, ink: str) -> None:
    """A button for calls with a picture."""
    pen.rounded_rectangle((x, y, x + 22, y + 18), 4, outline=ink, width=2)
    pen.polygon((x + 23, y + 9, x + 31, y + 3, x + 31, y + 15), fill=ink)


def smile(pen: ImageDraw, x: int, y: int, ink: str) -> None:
    """A button for faces."""
    pen.ellipse((x, y, x + 22, y + 22), outline=ink, width=2)
    pen.arc((x + 5, y + 5, x + 17, y + 17), 20, 160, fill=ink, width=2)
    for eye in (7, 14):
        pen.ellipse((x + eye, y + 7, x + eye + 2, y + 10), fill=ink)


def clip(pen: ImageDraw, x: int, y: int, ink: str) -> None:
    """A button to attach something."""
    pen.rounded_rectangle((x, y + 2, x + 9, y + 24), 4, outline=ink, width=2)
    pen.rounded_rectangle((x + 3, y, x + 14, y + 18), 5, outline=ink, width=2)


def microphone(pen: ImageDraw, x: int, y: int, ink: str) -> None:
    """A button to speak."""
    pen.rounded_rectangle((x - 5, y, x + 5, y + 15), 5, fill=ink)
    pen.arc((x - 9, y + 3, x + 9, y + 19), 0, 180, fill=ink, width=2)
    pen.line((x, y + 19, x, y + 24), fill=ink, width=2)
