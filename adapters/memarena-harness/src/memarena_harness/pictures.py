"""Pictures as agents get them: checked, at most so large, and under names that say nothing."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from pathlib import Path

from memarena.records import Attachment, Record
from memarena_harness.roots import remove

LONGEST_SIDE = 2048
"""Pixels; a larger picture is scaled down, so that each harness gets the same ones."""
MOST_PIXELS = 100_000_000
"""A picture that claims more is refused unread."""
FORMATS = ("PNG", "JPEG", "GIF", "WEBP", "BMP", "TIFF")
"""What is read; for others Pillow would start programs, e.g. Ghostscript."""
KEPT_AS_THEY_ARE = {"PNG": "png", "JPEG": "jpg"}


class Shown(Record, frozen=True, kw_only=True):
    """A picture in the order of the dialogue."""

    number: int
    """From 1, over the whole message."""
    name: str = ""
    """Its file below the media folder; "" where it cannot be shown."""
    problem: str = ""
    """Why it cannot be shown."""


class Gallery:
    """Takes the pictures of one message into a folder, numbered as they come."""

    def __init__(self, folder: Path, stem: str) -> None:
        """`folder` is made when the first picture comes; `stem` begins every name, e.g. `s03`."""
        self._folder = folder
        self._stem = stem
        self.shown: list[Shown] = []

    @property
    def files(self) -> list[Path]:
        """The files of the pictures that can be shown, in order."""
        return [self._folder / one.name for one in self.shown if one.name]

    def take(self, attachments: Sequence[Attachment]) -> list[Shown]:
        """Add pictures; one that is missing or broken gets a number and a reason, and no file."""
        return [self._take(each) for each in attachments]

    def _take(self, attachment: Attachment) -> Shown:
        number = 1 + sum(bool(one.name) for one in self.shown)
        if attachment.path is None:
            found = Shown(number=0, problem="is not shown")
        else:
            self._folder.mkdir(parents=True, exist_ok=True)
            try:
                name = prepare(Path(attachment.path), self._folder / f"{self._stem}_{number}")
                found = Shown(number=number, name=name)
            except ValueError as error:
                found = Shown(number=0, problem=str(error))
        self.shown.append(found)
        return found


def prepare(source: Path, target: Path) -> str:
    """Write the picture `source` as `target` with a fitting ending, and return the name of that file.

    A PNG or JPEG that is small enough is copied; anything else becomes a PNG of its first frame. Raises ValueError
    where it cannot be read as a picture.
    """
    from PIL import Image, ImageOps

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            with Image.open(source, formats=FORMATS) as opened:
                if opened.width * opened.height > MOST_PIXELS:
                    raise ValueError(f"is too large ({opened.width} x {opened.height} pixels)")
                kind = KEPT_AS_THEY_ARE.get(opened.format or "")
                opened.load()
                turned = ImageOps.exif_transpose(opened)
                if kind and max(opened.size) <= LONGEST_SIDE and turned.size == opened.size:
                    name = f"{target.name}.{kind}"
                    _fresh(target.with_name(name)).write_bytes(source.read_bytes())
                    return name
                turned.thumbnail((LONGEST_SIDE, LONGEST_SIDE))
                kind = kind or "png"
                name = f"{target.name}.{kind}"
                mode = "RGB" if kind == "jpg" or turned.mode not in ("RGB", "RGBA", "L") else turned.mode
                turned.convert(mode).save(_fresh(target.with_name(name)))
                return name
    except (OSError, SyntaxError, Image.DecompressionBombError) as error:
        raise ValueError(f"cannot be read ({type(error).__name__})") from None


def _fresh(file: Path) -> Path:
    """`file`, not there: a link that an agent left there would lead the writing elsewhere."""
    remove(file)
    return file
