"""Which of several texts stands in a piece of a picture: each is set in the face that fits, and laid over it."""

from __future__ import annotations

import random
import string
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from memarena_builder.pictures import fonts, hand

if TYPE_CHECKING:
    from PIL.Image import Image

MARGIN = 3
"""Pixels around the ink that a piece should have."""
SURE = 0.5
"""Correlation below which nothing can be read."""
INK = 48
"""Darkness, of 255, from which a pixel is ink."""
ALIKE = 10
"""Texts that differ from the value in one letter, to be told from it."""
SLANTS = (0.0, 0.1, 0.2)
HAN = "的人家公电安大小中山海天花茶车书水火木石"
"""Letters that stand in for those of Chinese."""
HEIGHT, LONGEST = 28, 420
"""Pixels to which handwriting is brought before it is compared."""
_Fit = Callable[[str], float]


class _Way(NamedTuple):
    """How type was set."""

    face: str
    size: int
    scale: tuple[float, float]
    """Of the ink, across and down, to fill the piece as `value` does."""


def best(piece: Image, value: str, others: Sequence[str], language: str = "en") -> str:
    """The text that fits `piece` best, of `value`, `others` and look-alikes of `value`; "" where none fits.

    Face, size and place are those in which `value` fits best, of all that pictures in `language` are written in.
    """
    typed, written = _typed(piece, value, fonts.typed(value, language)), _written(piece, value)
    fit, face = (typed, "") if typed(value) >= written(value) else (written, fonts.HAND)
    texts = dict.fromkeys([value, *others, *lookalikes(value)])
    marks = {text: fit(text) for text in texts if not face or fonts.covers(face, text)}
    first = max(marks, key=lambda text: marks[text])
    return first if marks[first] >= SURE else ""


def lookalikes(value: str) -> list[str]:
    """Texts as long as `value` that differ in one letter or digit."""
    rng = random.Random(value)
    places = [at for at, letter in enumerate(value) if letter.isalnum()]
    out = []
    for at in (rng.choice(places) for _ in range(ALIKE)):
        letter = value[at]
        scripts = (string.digits, string.ascii_uppercase, string.ascii_lowercase)
        kind = next((kind for kind in scripts if letter in kind), string.ascii_lowercase if letter.isascii() else HAN)
        out.append(value[:at] + rng.choice(kind.replace(letter, "")) + value[at + 1 :])
    return out


def _typed(piece: Image, value: str, faces: Sequence[str]) -> _Fit:
    """How well a text fits as type, in the face and at the size at which `value` fills the ink of the piece best."""
    seen = _inked(piece)
    ways = []
    for face in faces:
        near = int(40 * seen.width / _ink(value, face, 40).width)
        ways += [_Way(face, size, _scale(seen, _ink(value, face, size))) for size in (near, near + 1) if size > 6]
    way = max(ways, key=lambda each: _alike(seen, _set(value, each, seen.size)))
    return lambda text: _alike(seen, _set(text, way, seen.size))


def _scale(seen: Image, ink: Image) -> tuple[float, float]:
    return seen.width / ink.width, seen.height / ink.height


def _set(text: str, way: _Way, size: tuple[int, int]) -> Image:
    """`text` in type, dark on light, its ink in the upper left corner."""
    from PIL import Image

    ink = _ink(text, way.face, way.size)
    ink = ink.resize((max(1, round(ink.width * way.scale[0])), max(1, round(ink.height * way.scale[1]))))
    ground = Image.new("L", size, 255)
    ground.paste(0, (0, 0), ink)
    return _soft(ground)


def _inked(piece: Image) -> Image:
    """`piece` cut to its ink, where that fills it but for the margin; else without the margin."""
    from PIL import ImageOps

    clear = _clear(piece.convert("L"))
    wide, tall = clear.size
    box = _extent(ImageOps.invert(clear))
    plain = MARGIN, MARGIN, wide - MARGIN, tall - MARGIN
    if box and all(0 < abs(own - edge) < 2 * MARGIN + 1 for own, edge in zip(box, (0, 0, wide, tall), strict=True)):
        return _soft(clear.crop(box))
    return _soft(clear.crop(plain))


@cache
def _ink(text: str, face: str, size: int) -> Image:
    """`text` as a mask, cut to its ink."""
    from PIL import Image, ImageDraw

    font = fonts.font(face, size)
    mask = Image.new("L", (round(font.getlength(text)) + size, size * 2), 0)
    ImageDraw.Draw(mask).text((size // 2, size // 2), text, font=font, fill=255)
    return mask.crop(_extent(mask))


def _extent(mask: Image) -> tuple[int, int, int, int] | None:
    """Where the ink of a mask lies, faint edges left out."""
    return mask.point([255 if level > INK else 0 for level in range(256)]).getbbox()


def _written(piece: Image, value: str) -> _Fit:
    """How well a text fits as handwriting, stretched to the piece, at the slant at which `value` fits best."""
    if not fonts.covers(fonts.HAND, value):
        return lambda text: -1.0
    inner = piece.crop((MARGIN, MARGIN, piece.width - MARGIN, piece.height - MARGIN))
    size = min(LONGEST, max(8, round(inner.width * HEIGHT / inner.height))), HEIGHT
    seen = _soft(_clear(inner.convert("L").resize(size)))
    slant = max(SLANTS, key=lambda each: _alike(seen, _scribbled(value, each, size)))
    return lambda text: _alike(seen, _scribbled(text, slant, size))


@cache
def _scribbled(text: str, slant: float, size: tuple[int, int]) -> Image:
    from PIL import ImageOps

    mask = hand.write(text, 40, hand.Pen(slant=slant, weight=0.1), random.Random(0))
    return _soft(ImageOps.invert(mask.crop(mask.getbbox()).resize(size)))


def _clear(piece: Image) -> Image:
    """Dark on light, with full contrast."""
    from PIL import ImageOps

    piece = ImageOps.autocontrast(piece, cutoff=1)
    levels = sorted(piece.tobytes())
    return ImageOps.invert(piece) if levels[len(levels) * 3 // 5] < 110 else piece


def _soft(piece: Image) -> Image:
    from PIL import ImageFilter

    return piece.filter(ImageFilter.BoxBlur(0.4 if piece.height < 18 else 0.7))


def _alike(one: Image, other: Image) -> float:
    """Correlation of two pieces of one size, -1 to 1."""
    from PIL import ImageChops, ImageStat

    first, second = ImageStat.Stat(one), ImageStat.Stat(other)
    spread = first.stddev[0] * second.stddev[0]
    if not spread:
        return 0.0
    both = ImageStat.Stat(ImageChops.multiply(one, other)).mean[0] * 255
    return float((both - first.mean[0] * second.mean[0]) / spread)
