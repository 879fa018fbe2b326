"""A contact sheet: pictures of every kind side by side, for a person to look at."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from memarena_builder.pictures import fonts
from memarena_builder.pictures.drawn import drawn
from memarena_builder.pictures.spec import PictureSpec

if TYPE_CHECKING:
    from PIL.Image import Image

WIDTH, HEIGHT, GAP, HEAD = 280, 330, 10, 24
"""Pixels of a picture, at most, between pictures, of the line above a row."""


def contact_sheet(kinds: Mapping[str, Sequence[PictureSpec]], across: int = 5) -> Image:
    """Every kind with its name and up to `across` pictures in a row, each made small."""
    from PIL import Image, ImageDraw

    rows = {kind: [_small(spec) for spec in specs[:across]] for kind, specs in kinds.items()}
    tall = [HEAD + GAP + max((each.height for each in row), default=0) for row in rows.values()]
    sheet = Image.new("RGB", (GAP + across * (WIDTH + GAP), GAP + sum(tall)), "#ffffff")
    pen, y = ImageDraw.Draw(sheet), GAP
    for (kind, row), step in zip(rows.items(), tall, strict=True):
        pen.text((GAP, y), kind.replace("_", " "), font=fonts.font("sans-bold", 15), fill="#333333")
        for place, each in enumerate(row):
            sheet.paste(each, (GAP + place * (WIDTH + GAP), y + HEAD))
        y += step
    return sheet


def _small(spec: PictureSpec) -> Image:
    from PIL import Image

    image = Image.open(io.BytesIO(drawn(spec).drawing.png)).convert("RGB")
    image.thumbnail((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    return image
