"""A small drawing surface: logical pixels, smooth edges, small PNG files."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from PIL import Image, ImageDraw, ImageFilter, ImageFont

SCALE = 3
"""Everything is drawn three times as large and shrunk at the end, which smooths the edges."""

INK = "#2b2f38"
GREY = "#8a909c"
PAPER = "#fbfaf5"

Point = tuple[float, float]


class Canvas:
    """A picture of `width` x `height` logical pixels; all coordinates and sizes are in those."""

    def __init__(self, width: int, height: int, ground: str = "white") -> None:
        self.width = width
        self.height = height
        self.image = Image.new("RGB", (width * SCALE, height * SCALE), ground)
        self._draw = ImageDraw.Draw(self.image)

    def box(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        fill: str | None = None,
        edge: str | None = None,
        width: float = 1,
        radius: float = 0,
    ) -> None:
        """A rectangle, with round corners where `radius` is given."""
        self._draw.rounded_rectangle(
            self._scaled([(x, y), (x + w, y + h)]),
            radius * SCALE,
            fill,
            edge,
            round(width * SCALE) if edge else 0,
        )

    def oval(
        self,
        x: float,
        y: float,
        rx: float,
        ry: float,
        fill: str | None = None,
        edge: str | None = None,
        width: float = 1,
    ) -> None:
        """An ellipse around its centre."""
        self._draw.ellipse(
            self._scaled([(x - rx, y - ry), (x + rx, y + ry)]), fill, edge, round(width * SCALE) if edge else 0
        )

    def line(self, points: Sequence[Point], colour: str = INK, width: float = 1) -> None:
        """A line through `points`."""
        self._draw.line(self._scaled(points), colour, max(1, round(width * SCALE)), joint="curve")

    def shape(self, points: Sequence[Point], fill: str) -> None:
        """A filled polygon."""
        self._draw.polygon(self._scaled(points), fill)

    def arrow(self, start: Point, end: Point, colour: str = INK, width: float = 2) -> None:
        """A line with a head at `end`."""
        self.line([start, end], colour, width)
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        for turn in (2.6, -2.6):
            tip = (
                end[0] + 6 * width * math.cos(angle + turn) / 2,
                end[1] + 6 * width * math.sin(angle + turn) / 2,
            )
            self.line([end, tip], colour, width)

    def text(
        self,
        x: float,
        y: float,
        text: str,
        size: float = 14,
        colour: str = INK,
        anchor: str = "lm",
        bold: bool = False,
    ) -> None:
        """ASCII text; `anchor` as Pillow has it, `lm` is left and vertically in the middle."""
        self._draw.text(
            (x * SCALE, y * SCALE),
            text,
            colour,
            ImageFont.load_default(size=size * SCALE),
            anchor,
            stroke_width=round(size * SCALE / 34) if bold else 0,
            stroke_fill=colour,
        )

    def tick(self, x: float, y: float, size: float, colour: str = "#2f7d4f", width: float = 2) -> None:
        """A check mark around (x, y)."""
        self.line([(x - size / 2, y), (x - size / 8, y + size / 2), (x + size / 2, y - size / 2)], colour, width)

    def cross(self, x: float, y: float, size: float, colour: str = "#c0392b", width: float = 2) -> None:
        """A cross around (x, y)."""
        half = size / 2
        self.line([(x - half, y - half), (x + half, y + half)], colour, width)
        self.line([(x - half, y + half), (x + half, y - half)], colour, width)

    def heart(self, x: float, y: float, size: float, colour: str = "#d63c3c") -> None:
        """A heart around (x, y)."""
        curve = [
            (16 * math.sin(t) ** 3, 13 * math.cos(t) - 5 * math.cos(2 * t) - 2 * math.cos(3 * t) - math.cos(4 * t))
            for t in (step / 30 * math.pi for step in range(61))
        ]
        self.shape([(x + px * size / 32, y - py * size / 32) for px, py in curve], colour)

    def star(self, x: float, y: float, size: float, colour: str = "#f4c430") -> None:
        """A star with five points around (x, y)."""
        points = []
        for step in range(10):
            radius = size if step % 2 == 0 else size * 0.42
            angle = -math.pi / 2 + step * math.pi / 5
            points.append((x + radius * math.cos(angle), y + radius * math.sin(angle)))
        self.shape(points, colour)
        self.line([*points, points[0]], INK, 1.2)

    def photographed(self, angle: float, table: str = "#b98d5f", margin: int = 24) -> Canvas:
        """This picture as a sheet of paper lying on a table, turned by `angle` degrees, with a shadow."""
        result = Canvas(self.width + 2 * margin, self.height + 2 * margin, table)
        for row in range(0, result.height, 26):
            result.line([(0, row), (result.width, row + 9)], _darker(table), 0.7)
        mask = Image.new("L", self.image.size, 255).rotate(angle, Image.Resampling.BICUBIC, expand=True)
        sheet = self.image.rotate(angle, Image.Resampling.BICUBIC, expand=True)
        left = (result.image.width - sheet.width) // 2
        top = (result.image.height - sheet.height) // 2
        shade = Image.new("L", result.image.size, 0)
        shade.paste(mask.point(lambda value: value * 2 // 5), (left + 4 * SCALE, top + 5 * SCALE))
        shade = shade.filter(ImageFilter.GaussianBlur(4 * SCALE))
        result.image.paste("#2a1d10", (0, 0), shade)
        result.image.paste(sheet, (left, top), mask)
        return result

    def save(self, path: Path) -> None:
        """Write a PNG with at most 256 colours."""
        path.parent.mkdir(parents=True, exist_ok=True)
        small = self.image.resize((self.width, self.height), Image.Resampling.LANCZOS)
        small.quantize(256, Image.Quantize.MAXCOVERAGE, dither=Image.Dither.NONE).save(path, "PNG", optimize=True)

    def _scaled(self, points: Sequence[Point]) -> list[Point]:
        return [(x * SCALE, y * SCALE) for x, y in points]


def _darker(colour: str) -> str:
    parts = (int(colour[place : place + 2], 16) for place in (1, 3, 5))
    return "#" + "".join(f"{round(part * 0.93):02x}" for part in parts)
