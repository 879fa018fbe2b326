"""What drawers draw on: text in any face, values with their boxes, and the finished picture."""

from __future__ import annotations

import io
import random
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memarena.errors import DataError
from memarena_arena.language.words import SINGLE
from memarena_builder.pictures import fonts, hand
from memarena_builder.pictures.spec import Box, Drawing, Part, PictureSpec

if TYPE_CHECKING:
    from memarena_builder.pictures.photo import Desk

SMALLEST = 13
"""Pixels of type below which nothing is written."""
GAP = 4
"""Pixels between a text and its box, on each side."""


_WORD = re.compile(rf"\s?(?:[{SINGLE}][，。：；！？、）”]*|[^\s{SINGLE}]+)")


def words_of(text: str) -> list[str]:
    """The words of `text`, each with the blank before it; a letter of a script without blanks is a word."""
    return _WORD.findall(" ".join(text.split()))


class Style(NamedTuple):
    """How something is written."""

    face: str
    size: int
    ink: str = "#1c1c1c"

    def bold(self) -> Style:
        """The heavy companion."""
        return self._replace(face=fonts.BOLD.get(self.face, self.face))


class Sheet:
    """A picture while it is drawn. `rng` is the picture's own; `hand` and `pencil` are two people's writing."""

    def __init__(self, spec: PictureSpec, width: int, height: int, paper: str = "#ffffff") -> None:
        from PIL import Image, ImageDraw

        self.spec = spec
        self.rng = random.Random(spec.seed)
        self.width, self.height, self.paper = width, height, paper
        self.image = Image.new("RGB", (width, height), paper)
        self.pen = ImageDraw.Draw(self.image)
        self.hand = hand.pen(self.rng, 0.095)
        self._boxes: dict[int, Box] = {}
        self._parts: dict[int, tuple[Part, ...]] = {}

    def length(self, text: str, style: Style) -> int:
        """Width of `text` in pixels."""
        style = self._able(text, style)
        if style.face == fonts.HAND:
            return hand.length(text, style.size, self.hand)
        return round(fonts.font(style.face, style.size).getlength(text))

    def fitted(self, text: str, style: Style, width: int) -> Style:
        """`style`, as much smaller as `text` needs to be no wider than `width`; never below `SMALLEST`."""
        while style.size > SMALLEST and self.length(text, style) > width:
            style = style._replace(size=style.size - 1)
        return style

    def within(self, x: float, y: float, text: str, style: Style, width: int, align: str = "l") -> Box:
        """Write `text` as `text` does, as much smaller as it needs to be no wider than `width`."""
        return self.text(x, y, text, self.fitted(text, style, width), align)

    def end(self, bottom: int) -> None:
        """Let the picture end at `bottom`: what is below is cut off."""
        from PIL import ImageDraw

        self.image = self.image.crop((0, 0, self.width, bottom))
        self.pen = ImageDraw.Draw(self.image)
        self.height = bottom

    def cut(self, text: str, style: Style, width: int) -> str:
        """`text` as far as it goes into `width`, by whole words; for words that carry nothing."""
        words = words_of(text)
        while len(words) > 1 and self.length("".join(words), style) > width:
            words.pop()
        return "".join(words)

    def lines(self, text: str, style: Style, width: int) -> list[str]:
        """`text` broken between words into lines no wider than `width`."""
        out: list[str] = []
        for word in words_of(text):
            if out and self.length(out[-1] + word, style) <= width:
                out[-1] += word
            else:
                out.append(word.lstrip())
        return out

    def text(self, x: float, y: float, text: str, style: Style, align: str = "l") -> Box:
        """Write `text` with its top at `y` and its left (`l`), middle (`m`) or right (`r`) at `x`; where it stands."""
        able = self._able(text, style)
        if able.face == fonts.HAND:
            return self._by_hand(x, y, text, able, align)
        y, style = y + fonts.rise(style.face, style.size) - fonts.rise(able.face, able.size), able
        font = fonts.font(style.face, style.size)
        self.pen.text((x, y), text, font=font, fill=style.ink, anchor=f"{align}a")
        left, top, right, bottom = self.pen.textbbox((x, y), text, font=font, anchor=f"{align}a")
        return Box(round(left), round(top), round(right), round(bottom))

    def _able(self, text: str, style: Style) -> Style:
        """`style`, or another face where its own lacks a letter; raises DataError where all lack one."""
        written = fonts.WRITTEN.get(self.spec.language) if style.face == fonts.HAND else None
        if written and fonts.covers(written, text):
            return style._replace(face=written)
        if fonts.covers(style.face, text):
            return style
        other = fonts.instead(style.face, text)
        if not other:
            raise DataError(f"no face of type has all letters of {text!r}", file=f"picture {self.spec.image_id}")
        return style._replace(face=other)

    def _by_hand(self, x: float, y: float, text: str, style: Style, align: str) -> Box:
        mask = hand.write(text, style.size, self.hand, self.rng)
        left = round(x - {"l": 0, "m": mask.width / 2, "r": mask.width}[align])
        self.image.paste(style.ink, (left, round(y)), mask)
        ink = mask.getbbox() or (0, 0, 1, 1)
        return Box(left + ink[0], round(y) + ink[1], left + ink[2], round(y) + ink[3])

    def value(self, place: int, x: float, y: float, style: Style, align: str = "l") -> Box:
        """Write the value of the field at `place` and remember where it stands."""
        box = self.text(x, y, self.spec.fields[place].value, style, align)
        self.mark(place, box)
        return box

    def mark(self, place: int, box: Box, parts: Sequence[Part] = ()) -> None:
        """Remember where the value of the field at `place` is to be seen, and its pieces."""
        self._boxes[place] = box
        self._parts[place] = tuple(parts)

    def done(self, desk: Desk | None = None) -> Drawing:
        """The finished picture; photographed on `desk` where one is given."""
        count = len(self.spec.fields)
        boxes = [self._boxes[place] for place in range(count)]
        parts = [self._parts[place] for place in range(count)]
        boxes = [self._roomy(box) for box in boxes]
        image, angle = self.image, 0.0
        if desk:
            image, move = desk.photograph(image, self.rng)
            boxes = [move(box) for box in boxes]
            parts = [tuple(Part(part.name, move(part.box)) for part in each) for each in parts]
            angle = desk.angle
        out = io.BytesIO()
        image.save(out, "PNG", compress_level=3)
        return Drawing(
            png=out.getvalue(), width=image.width, height=image.height, boxes=tuple(boxes), parts=tuple(parts),
            angle=angle,
        )  # fmt: skip

    def _roomy(self, box: Box) -> Box:
        return Box(
            max(0, box.left - GAP), max(0, box.top - GAP),
            min(self.width, box.right + GAP), min(self.height, box.bottom + GAP),
        )  # fmt: skip
