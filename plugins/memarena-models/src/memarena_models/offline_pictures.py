"""What the model offline sees in a picture: which colours it has, and where it is light and dark. Nothing else."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from io import BytesIO
from typing import Any, NamedTuple

from memarena_models.offline_requests import BadRequest

COLOURS: Mapping[str, tuple[int, int, int]] = {
    "black": (20, 20, 20),
    "grey": (128, 128, 128),
    "white": (240, 240, 240),
    "red": (215, 40, 40),
    "orange": (240, 140, 40),
    "yellow": (245, 220, 60),
    "green": (60, 160, 70),
    "blue": (50, 100, 210),
    "purple": (130, 60, 170),
    "pink": (245, 150, 190),
    "brown": (130, 85, 45),
}
"""The colours that have a name, the first three without a hue."""
WITHOUT_HUE = 3
GRID = 8
"""Cells in a row and in a column of the layout."""
LONGEST_SIDE = 256
"""Pixels that are looked at; a larger picture is scaled down."""
MOST_PIXELS = 50_000_000
"""Before it is scaled down."""


class Look(NamedTuple):
    """What is seen."""

    colours: Mapping[str, float]
    """Share of the pixels that are nearest to a colour, without those that have none."""
    layout: tuple[float, ...]
    """Red, green and blue of each cell of the grid, from -0.5 to 0.5."""


def look_at(url: str) -> Look:
    """The picture in a data URL. Raises BadRequest where there is none or it cannot be read."""
    head, _, data = url.partition(",")
    if not head.startswith("data:image/") or not head.endswith(";base64"):
        raise BadRequest("image_url: a data URL in base64 is needed; the model offline fetches nothing")
    try:
        return _look(base64.b64decode(data, validate=True))
    except binascii.Error as error:
        raise BadRequest(f"image_url: {error}") from None


def _look(data: bytes) -> Look:
    library = import_module("PIL.Image")
    pixels = _pixels(library, data)
    named = pixels.quantize(palette=_palette(), dither=library.Dither.NONE).histogram()
    total = pixels.width * pixels.height
    cells = pixels.resize((GRID, GRID), library.Resampling.BOX).tobytes()
    return Look(
        {name: count / total for name, count in zip(COLOURS, named, strict=False) if count},
        tuple([value / 255 - 0.5 for value in cells]),
    )


def _pixels(library: Any, data: bytes) -> Any:
    """The picture, small, in RGB and before white where it is transparent."""
    try:
        with library.open(BytesIO(data)) as picture:
            size = picture.width * picture.height
            pixels = picture.convert("RGBA") if size <= MOST_PIXELS else None
    except (OSError, SyntaxError, ValueError, library.DecompressionBombError) as error:
        raise BadRequest(f"image_url: the picture cannot be read: {error}") from None
    if pixels is None:
        raise BadRequest(f"image_url: {size:,} pixels are too many")
    pixels.thumbnail((LONGEST_SIDE, LONGEST_SIDE), library.Resampling.BOX)
    white = library.new("RGBA", pixels.size, "white")
    return library.alpha_composite(white, pixels).convert("RGB")


@cache
def _palette() -> Any:
    picture = import_module("PIL.Image").new("P", (1, 1))
    picture.putpalette([value for colour in COLOURS.values() for value in colour])
    return picture
