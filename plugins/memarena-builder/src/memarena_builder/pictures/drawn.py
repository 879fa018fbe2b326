"""Draws a picture until its facts can be read back from it."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from memarena_builder.pictures.drawers import draw
from memarena_builder.pictures.readback import Unread, unread
from memarena_builder.pictures.spec import Drawing, PictureSpec
from memarena_builder.streams import Streams

TRIES = 4
"""Drawings of a picture, at most."""


class Drawn(NamedTuple):
    """A drawing and what went wrong on the way to it."""

    drawing: Drawing
    refused: tuple[Unread, ...]
    """Facts of earlier drawings that could not be read."""
    unread: tuple[Unread, ...]
    """Facts of this drawing that cannot be read; empty but where all tries failed."""


def drawn(spec: PictureSpec) -> Drawn:
    """The picture of `spec`; drawn anew with another layout, up to `TRIES` in all, where a fact cannot be read back."""
    refused: list[Unread] = []
    drawing = draw(spec)
    bad = tuple(unread(spec, drawing))
    for attempt in range(1, TRIES):
        if not bad:
            break
        refused += bad
        drawing = draw(replace(spec, seed=Streams(spec.seed).at("again", attempt).number))
        bad = tuple(unread(spec, drawing))
    return Drawn(drawing, tuple(refused), bad)
