"""A picture as data: what it is, what stands in it, and which facts only it has. Drawers turn it into pixels."""

from __future__ import annotations

from datetime import date
from typing import Literal, NamedTuple, Protocol

from memarena.records import Record

Shown = Literal["text", "colour", "count", "position", "tick", "trend"]
"""How a field shows its value: as text; or as a patch of a colour, as so many things, as the marked cell of a grid, as
the ticked one of some boxes, as the highest point of a curve."""


class Box(NamedTuple):
    """A rectangle in pixels, from the upper left corner."""

    left: int
    top: int
    right: int
    bottom: int


class Part(NamedTuple):
    """A named piece of a field: a box to tick, a cell of a grid, a stretch of a curve."""

    name: str
    box: Box


class Field(Record, frozen=True, kw_only=True):
    """One entry of a picture: a fact, or a decoy where `fact_id` is empty."""

    label: str
    value: str
    name: str = ""
    """The attribute that it shows, whatever the language; "" for a decoy."""
    fact_id: str = ""
    shown: Shown = "text"
    options: tuple[str, ...] = ()
    """What `value` is one of, in order, where it is shown as tick, position (`B3`: row, column) or trend."""
    hidden: bool = False
    """No text of the sample has the value: the picture alone tells it."""


class PictureSpec(Record, frozen=True, kw_only=True, omit_defaults=False):
    """What a drawer is given. The same spec gives the same pixels, and the same facts with any version of a library."""

    image_id: str
    """Unique within the sample, e.g. `S04_img_1`; it tells nothing of what is in the picture."""
    kind: str
    """E.g. `badge`, `whiteboard`: one of `wording.kinds` of the pack."""
    subject: str
    """The name of the entity that it is about; it stands in the picture."""
    fields: tuple[Field, ...]
    caption: str
    """Neutral: what a person would say who does not read it."""
    caption_full: str
    """With all facts."""
    day: date
    """On which it was sent; what has a date in it is dated by that."""
    seed: int
    """For layout: 64 bits."""
    house: int = 0
    """The same for all pictures of a sample: whose name stands on the badges of its people."""
    language: str = "en"
    """Of the words that a drawer adds."""
    about: str = ""
    """The attribute that those words and the decoys go with; "" for any."""


class Drawing(Record, frozen=True, kw_only=True):
    """A drawn picture and where its fields are."""

    png: bytes
    width: int
    height: int
    boxes: tuple[Box, ...]
    """Parallel to `PictureSpec.fields`: where each value stands, to be read back from there."""
    parts: tuple[tuple[Part, ...], ...] = ()
    """Parallel too: the pieces of what is not text; empty where there are none."""
    angle: float = 0.0
    """By how many degrees, counter-clockwise, the content lies turned about the centre of each box."""


class Drawer(Protocol):
    """Draws some kinds of pictures; a module-level function is one."""

    def __call__(self, spec: PictureSpec) -> Drawing:
        """Draw `spec`. Deterministic: every choice comes from `spec.seed`."""
