"""The faces of type that pictures are written in: those of this package and Pillow's own. None of the machine's."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from io import BytesIO
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL.ImageFont import FreeTypeFont

FILES: Mapping[str, str] = {
    "sans": "sans.ttf", "sans-bold": "sans-bold.ttf", "slanted": "slanted.ttf", "mono": "mono.ttf",
    "mono-bold": "mono-bold.ttf", "serif": "serif.ttf", "serif-bold": "serif-bold.ttf", "slab": "slab.ttf",
    "slab-bold": "slab-bold.ttf",
}  # fmt: skip
"""By name of the face."""
HAN: Mapping[str, str] = {"han": "han.otf", "han-bold": "han-bold.otf", "kai": "kai.ttf"}
"""By name of the face: those for Chinese; `kai` stands for handwriting."""
GROTESK = "grotesk"
"""The face that comes with Pillow; it has one weight."""
HAND = "hand"
"""The strokes of `hand`; no font."""
WRITTEN: Mapping[str, str] = {"zh": "kai"}
"""By language: the face that handwriting is set in, digits and Latin letters too; `hand` where there is none."""
TYPED = (*FILES, GROTESK)
"""Faces of type for Latin letters."""
PLAIN = "sans"
"""The face with the most Latin letters."""
BOLD: Mapping[str, str] = {
    "sans": "sans-bold", "mono": "mono-bold", "serif": "serif-bold", "slab": "slab-bold", "grotesk": "sans-bold",
}  # fmt: skip
"""The heavy companion of a face."""


@cache
def _bytes(face: str) -> bytes:
    return (files("memarena_builder.pictures") / "faces" / {**FILES, **HAN}[face]).read_bytes()


@cache
def font(face: str, size: int) -> FreeTypeFont:
    """A face at a size in pixels. Letters are set one by one, whatever shaping library is there."""
    from PIL import ImageFont
    from PIL.ImageFont import FreeTypeFont

    if face == GROTESK:
        found = ImageFont.load_default(size)
        assert isinstance(found, FreeTypeFont)
        return found
    return ImageFont.truetype(BytesIO(_bytes(face)), size, layout_engine=ImageFont.Layout.BASIC)


def rise(face: str, size: int) -> int:
    """Pixels from the top of a text to the line that its letters stand on."""
    return size if face == HAND else font(face, size).getmetrics()[0]


def hashes() -> dict[str, str]:
    """SHA-256 of each face, by name: the pixels of a picture depend on them."""
    made = {face: hashlib.sha256(_bytes(face)).hexdigest() for face in (*FILES, *HAN)}
    return {**made, GROTESK: hashlib.sha256(_own_bytes()).hexdigest()}


def _own_bytes() -> bytes:
    """What stands for Pillow's own face, whose file cannot be had: its letters as they are drawn."""
    drawn: Any = font(GROTESK, 40).getmask("AaBbGgQqRrSsWw 0123456789 &%€")
    return bytes(drawn)


def typed(text: str, language: str = "en") -> tuple[str, ...]:
    """The faces that `text` can be set in, in a picture in `language`."""
    faces = [face for face in TYPED if covers(face, text)] or [face for face in HAN if covers(face, text)]
    written = WRITTEN.get(language)
    return (*faces, written) if written and written not in faces and covers(written, text) else tuple(faces)


def instead(face: str, text: str) -> str:
    """A face that has the letters of `text` which `face` lacks: plain type, or one for Chinese; "" where none has."""
    if covers(PLAIN, text):
        return PLAIN
    other = "kai" if face == HAND else "han-bold" if face in BOLD.values() else "han"
    return other if covers(other, text) else ""


def covers(face: str, text: str) -> bool:
    """Whether the face has a sign for every letter of `text`."""
    if face == HAND:
        from memarena_builder.pictures.hand import covered

        return covered(text)
    return all(letter.isspace() or _has(face, letter) for letter in set(text))


@cache
def _has(face: str, letter: str) -> bool:
    """Whether the face draws the letter other than as one that it lacks."""
    return _mask(face, letter) != _mask(face, "\ufffe")


@cache
def _mask(face: str, letter: str) -> bytes:
    drawn: Any = font(face, 24).getmask(letter)
    return bytes(drawn)
