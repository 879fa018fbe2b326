"""Pictures, decoded and of a size that encoders can take."""

from __future__ import annotations

import base64
import warnings
from hashlib import blake2b
from importlib import import_module
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

from memarena.errors import first_line

MOST_PIXELS = 100_000_000
"""That are decoded; a JPEG is decoded at a fraction of its size."""
SENT = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
"""Formats that are sent as they are; others as PNG."""


class Unreadable(Exception):
    """A picture that cannot be read; the message says why, without its path."""


class Pixels(NamedTuple):
    """One picture."""

    image: Any
    """A Pillow image in RGB; what was transparent is white."""
    digest: str
    """Of the file and of the side that it was scaled to."""
    file: bytes
    """The file, where it can be sent as it is; else empty."""
    media_type: str

    def url(self) -> str:
        """A data URL: the file itself or, where it was scaled or is of a rare format, a PNG."""
        data = self.file or _as_png(self.image)
        return f"data:{self.media_type};base64,{base64.b64encode(data).decode('ascii')}"


def open_pixels(path: str, longest_side: int) -> Pixels:
    """The picture at `path`, scaled down where a side is longer. Raises Unreadable."""
    library = import_module("PIL.Image")
    try:
        data = Path(path).read_bytes()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", library.DecompressionBombWarning)
            with library.open(BytesIO(data)) as picture:
                form, size = picture.format, picture.size
                image = _small(library, picture, longest_side)
    except Unreadable:
        raise
    except library.UnidentifiedImageError:
        raise Unreadable("is no picture") from None
    except OSError as error:
        raise Unreadable(error.strerror or first_line(error)) from error
    except Exception as error:
        # What a decoder may raise for a broken file has no bounds.
        raise Unreadable(first_line(error)) from error
    digest = blake2b(data, digest_size=20, salt=longest_side.to_bytes(8, "little")).hexdigest()
    as_is = form in SENT and image.size == size
    return Pixels(image, digest, data if as_is else b"", SENT[form] if as_is else "image/png")


def _small(library: Any, picture: Any, longest_side: int) -> Any:
    picture.draft("RGB", (longest_side, longest_side))
    pixels = picture.width * picture.height
    if pixels > MOST_PIXELS:
        raise Unreadable(f"{pixels:,} pixels are too many")
    if picture.has_transparency_data:
        shown = picture.convert("RGBA")
        image = library.alpha_composite(library.new("RGBA", shown.size, "white"), shown).convert("RGB")
    else:
        image = picture.convert("RGB")
    image.thumbnail((longest_side, longest_side))
    return image


def _as_png(image: Any) -> bytes:
    stream = BytesIO()
    image.save(stream, "PNG", compress_level=1)
    return stream.getvalue()
