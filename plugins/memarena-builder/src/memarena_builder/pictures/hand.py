"""Handwriting: letters as strokes of a pen that never makes two alike. Made from `strokes.toml`, not from a font."""

from __future__ import annotations

import math
import random
import tomllib
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from PIL.Image import Image

UP = 9
"""Units from the foot of the grid to the top of capitals."""
LINE = 2
"""Units from the foot of the grid to the line."""
SPACE = 3.5
FINE = 2
"""Strokes are drawn larger by this, for smooth edges."""
STEPS = 5
"""Points between two points of a round stroke."""
Point = tuple[float, float]


class Pen(NamedTuple):
    """How somebody writes."""

    slant: float = 0.0
    """Shift to the right for a unit up."""
    shake: float = 0.0
    """Standard deviation of points, in units."""
    weight: float = 0.09
    """Width of the stroke, as a part of the size."""
    spread: float = 1.0
    """Width of letters, against those of the grid."""


def pen(rng: random.Random, weight: float) -> Pen:
    """A hand of its own, legible."""
    return Pen(
        rng.uniform(-0.02, 0.22), rng.uniform(0.05, 0.13), weight * rng.uniform(0.9, 1.1), rng.uniform(0.92, 1.1)
    )


class _Glyph(NamedTuple):
    width: float
    strokes: tuple[tuple[Point, ...], ...]


@cache
def _glyphs() -> tuple[dict[str, _Glyph], dict[str, tuple[tuple[Point, ...], ...]]]:
    raw = tomllib.loads((files("memarena_builder.pictures") / "strokes.toml").read_text(encoding="utf-8"))
    marks = {mark: _strokes(text) for mark, text in raw.pop("marks").items()}
    letters = {}
    for letter, text in raw.items():
        width, _, strokes = text.partition(" ")
        letters[letter] = _Glyph(float(width), _strokes(strokes))
    return letters, marks


def _strokes(text: str) -> tuple[tuple[Point, ...], ...]:
    out = []
    for stroke in text.split("/"):
        points = [(float(pair[0]), float(pair[1])) for pair in stroke.lstrip("~").split()]
        out.append(tuple(_rounded(points)) if stroke.startswith("~") else tuple(points))
    return tuple(out)


def _rounded(points: Sequence[Point]) -> list[Point]:
    """A curve through `points` (Catmull-Rom)."""
    ends = [points[0], *points, points[-1]]
    out = []
    for before, start, end, after in zip(ends, ends[1:], ends[2:], ends[3:], strict=False):
        for step in range(STEPS):
            t = step / STEPS
            out.append(
                tuple(
                    0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
                    for a, b, c, d in zip(before, start, end, after, strict=True)
                )
            )
    return [(x, y) for x, y in (*out, points[-1])]


def _parts(text: str) -> list[tuple[str, str]]:
    """Letters, each with its marks."""
    out: list[tuple[str, str]] = []
    for letter in unicodedata.normalize("NFD", text):
        if unicodedata.combining(letter) and out:
            out[-1] = (out[-1][0], out[-1][1] + letter)
        else:
            out.append((letter, ""))
    return out


def covered(text: str) -> bool:
    """Whether there are strokes for every letter of `text`."""
    letters, marks = _glyphs()
    return all(
        letter.isspace() or (letter in letters and all(mark in marks for mark in over)) for letter, over in _parts(text)
    )


def length(text: str, size: int, hand: Pen) -> int:
    """Width of `text` in pixels, at `size` pixels from line to line of capitals."""
    letters, _ = _glyphs()
    units = sum(SPACE if letter.isspace() else letters[letter].width for letter, _ in _parts(text))
    return math.ceil((units * hand.spread + 1.5) * size / UP)


def write(text: str, size: int, hand: Pen, rng: random.Random) -> Image:
    """A mask (mode L) of `text`, cut close on the right; the line lies at `line(size)`. Raises KeyError for a letter
    that has no strokes (`covered`)."""
    from PIL import Image, ImageDraw

    letters, marks = _glyphs()
    unit = size / UP * FINE
    mask = Image.new("L", (round(length(text, size, hand) * FINE), round(unit * 12)), 0)
    draw = ImageDraw.Draw(mask)
    thick = max(2, round(hand.weight * size * FINE))
    at = 0.5
    for letter, over in _parts(text):
        if letter.isspace():
            at += SPACE * hand.spread
            continue
        glyph = letters[letter]
        high = 2.5 if letter.isupper() else 0.0
        above = [tuple((x, y + high) for x, y in stroke) for mark in over for stroke in marks[mark]]
        lift = rng.gauss(0, hand.shake)
        for stroke in (*glyph.strokes, *above):
            shift = rng.gauss(0, hand.shake), lift + rng.gauss(0, hand.shake)
            line = [
                ((at + (x - 0.6 + shift[0]) * hand.spread + (y - LINE) * hand.slant) * unit, (11 - y - shift[1]) * unit)
                for x, y in stroke
            ]
            _stroke(draw, line, thick)
        at += glyph.width * hand.spread
    return mask.resize((mask.width // FINE, mask.height // FINE), Image.Resampling.BOX)


def _stroke(draw: object, line: Sequence[Point], thick: int) -> None:
    from PIL.ImageDraw import ImageDraw

    assert isinstance(draw, ImageDraw)
    half = thick / 2
    if (len(line) > 1 and line[0] != line[-1]) or len(line) > 2:
        draw.line(line, fill=255, width=thick, joint="curve")
    for x, y in (line[0], line[-1]):
        draw.ellipse((x - half, y - half, x + half, y + half), fill=255)
