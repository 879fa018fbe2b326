"""Writes the page of one sample that the docs show: `python docs/sample_page.py` from anywhere.

It is what `memarena data show sim:tiny@7 academic_01 --html PAGE` writes, of the first sessions alone and with smaller
copies of the pictures.
"""

from __future__ import annotations

import tempfile
from pathlib import Path

import click
from msgspec.structs import replace
from PIL import Image

from memarena.cli.data_html import sample_html
from memarena.datasets import open_data
from memarena.records import Attachment, Session
from memarena_builder.makers import make
from memarena_builder.presets import orders

PAGE = Path(__file__).parent / "explanation" / "sample-page.html"
SESSIONS = ("S00", "S01", "S02")
"""With the questions that are asked after them."""
WIDTH, QUALITY = 420, 60
"""Pixels of a picture at most, and its quality as WebP."""


def smaller(picture: Attachment, folder: Path) -> Attachment:
    """The same picture in a file that takes less."""
    assert picture.path is not None
    copy = folder / f"{picture.image_id}.webp"
    with Image.open(picture.path) as image:
        image.thumbnail((WIDTH, 2 * WIDTH))
        image.convert("RGB").save(copy, "WEBP", quality=QUALITY, method=6)
    return replace(picture, path=str(copy), media_type="image/webp")


def shown(session: Session, folder: Path) -> Session:
    """A session with smaller pictures."""
    turns = (
        replace(turn, attachments=tuple(smaller(each, folder) for each in turn.attachments)) for turn in session.turns
    )
    return replace(session, turns=tuple(turns))


def main() -> None:
    order = next(each for each in orders("tiny", 7) if each.sample_id == "academic_01")
    with tempfile.TemporaryDirectory() as root:
        made = Path(root)
        make(order, made / "sim")
        (sample,) = open_data(str(made / "sim"))
        sessions = tuple(
            shown(each, made) if each.session_id in SESSIONS else each for each in sample.sessions
        )  # fmt: skip
        PAGE.write_text(sample_html(replace(sample, sessions=sessions), SESSIONS), encoding="utf-8")
    click.echo(f"{PAGE}: {PAGE.stat().st_size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
