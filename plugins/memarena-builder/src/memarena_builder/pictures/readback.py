"""Reads the facts of a drawn picture back from its pixels, so that none is only claimed to be there."""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING

from memarena.records import Record
from memarena_builder.pictures import lettering
from memarena_builder.pictures.marks import FULL, INK, number
from memarena_builder.pictures.ocr import Recogniser, comparable
from memarena_builder.pictures.palette import palette
from memarena_builder.pictures.sheet import GAP
from memarena_builder.pictures.spec import Box, Drawing, Field, Part, PictureSpec, Shown

if TYPE_CHECKING:
    from PIL.Image import Image

FINE = 3
"""Pixels to one, where things are counted."""
LIGHTS = (1.0, 0.97, 0.94, 0.91, 0.88)
"""How bright a white thing may look."""
NEAR = 45
"""Distance of two colours, at most, that are the same in another light."""


class Unread(Record, frozen=True, kw_only=True):
    """A value that its picture does not show, or shows so that it can be taken for another."""

    field: int
    """Place of the field."""
    label: str
    value: str
    read: str
    """What stands there instead; "" where nothing can be read."""


def unread(
    spec: PictureSpec, drawing: Drawing, *, decoys: bool = False, recogniser: Recogniser | None = None
) -> Iterator[Unread]:
    """The facts of a picture whose value cannot be read back; with `decoys` those of its decoys too.

    Text is compared with look-alikes, letter by letter; a `recogniser` reads it without knowing what to expect.
    """
    from PIL import Image

    image = Image.open(io.BytesIO(drawing.png)).convert("RGB")
    for place, field in enumerate(spec.fields):
        if not (field.fact_id or decoys):
            continue
        read = reading(image, spec, drawing, place, recogniser)
        if read != field.value:
            yield Unread(field=place, label=field.label, value=field.value, read=read)


def reading(image: Image, spec: PictureSpec, drawing: Drawing, place: int, recogniser: Recogniser | None = None) -> str:
    """What the picture shows for the field at `place`; "" where nothing can be told."""
    field, box = spec.fields[place], drawing.boxes[place]
    if field.shown == "text":
        if recogniser:
            read = recogniser.read(straight(image, box, drawing.angle))
            return field.value if comparable(read) == comparable(field.value) else read
        others = [other.value for other in spec.fields if other.shown == "text"]
        return lettering.best(straight(image, box, drawing.angle), field.value, others, spec.language)
    parts = drawing.parts[place]
    return _WAYS[field.shown](image, field, box, parts)


def straight(image: Image, box: Box, angle: float) -> Image:
    """What stands in a box, turned back by `angle` about its centre, with `lettering.MARGIN` around its ink."""
    from PIL import Image as Images

    wide, tall = box.right - box.left, box.bottom - box.top
    turn = math.radians(abs(angle))
    cos, sin = math.cos(turn), math.sin(turn)
    own = (wide * cos - tall * sin) / (cos * cos - sin * sin), (tall * cos - wide * sin) / (cos * cos - sin * sin)
    middle = (box.left + box.right) / 2, (box.top + box.bottom) / 2
    room = 12 + round(wide * sin)
    around = (round(middle[0] - wide / 2) - room, round(middle[1] - tall / 2) - room)
    piece = image.crop((*around, around[0] + wide + 2 * room, around[1] + tall + 2 * room))
    if angle:
        piece = piece.rotate(-angle, Images.Resampling.BICUBIC)
    less = GAP - lettering.MARGIN
    half = max(8.0, own[0] / 2 - less), max(8.0, own[1] / 2 - less)
    x, y = piece.width / 2, piece.height / 2
    return piece.crop((round(x - half[0]), round(y - half[1]), round(x + half[0]), round(y + half[1])))


def _colour(image: Image, field: Field, box: Box, parts: tuple[Part, ...]) -> str:
    """The name of the colour in the middle, of all that a picture can show."""
    piece = image.crop(box).resize((3, 3)).getpixel((1, 1))
    seen = tuple(piece) if isinstance(piece, tuple) else (0, 0, 0)
    named = palette(field.value)
    return min(named, key=lambda name: min(_far(_rgb(named[name]), light, seen) for light in LIGHTS))


def _far(colour: tuple[int, ...], light: float, seen: tuple[float, ...]) -> float:
    """Distance between a colour in some light and one that is seen."""
    return math.dist([each * light for each in colour], seen)


def _rgb(code: str) -> tuple[int, ...]:
    return tuple(int(code[at : at + 2], 16) for at in (1, 3, 5))


def _count(image: Image, field: Field, box: Box, parts: tuple[Part, ...]) -> str:
    """The value, if there are so many separate things; else how many there are."""
    edge = GAP + 3
    inner = Box(box.left + edge, box.top + edge, box.right - edge, box.bottom - edge)
    mask = _like(image.crop(inner), INK)
    many = blobs(mask.resize((mask.width // FINE, mask.height // FINE)))
    return field.value if many == number(field.value) else str(many)


def _like(piece: Image, code: str) -> Image:
    """A mask of the pixels that have nearly a colour."""
    from PIL import Image, ImageChops

    far = ImageChops.difference(piece, Image.new("RGB", piece.size, code))
    red, green, blue = far.split()
    most = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return most.point([255 if level < NEAR else 0 for level in range(256)])


def blobs(mask: Image) -> int:
    """How many pieces of a mask hang together."""
    wide, tall = mask.size
    data = mask.tobytes()
    left = {at for at, level in enumerate(data) if level > 127}
    found = 0
    while left:
        found += 1
        todo = [left.pop()]
        while todo:
            at = todo.pop()
            x = at % wide
            near = [at - wide, at + wide] + ([at - 1] if x else []) + ([at + 1] if x < wide - 1 else [])
            reached = left.intersection(near)
            left -= reached
            todo += reached
    return found if tall else 0


def _darkest(image: Image, field: Field, box: Box, parts: tuple[Part, ...]) -> str:
    """The one box with ink in it."""
    from PIL import ImageStat

    inked: dict[str, float] = {}
    for part in parts:
        inner = Box(part.box.left + 5, part.box.top + 5, part.box.right - 4, part.box.bottom - 4)
        inked[part.name] = ImageStat.Stat(image.crop(inner).convert("L")).mean[0]
    order = sorted(inked, key=lambda name: inked[name])
    return order[0] if len(order) > 1 and inked[order[1]] - inked[order[0]] > 25 else ""


def _marked(image: Image, field: Field, box: Box, parts: tuple[Part, ...]) -> str:
    """The cell with the most of the marker's colour."""
    from PIL import ImageStat

    red = {part.name: ImageStat.Stat(_like(image.crop(part.box), FULL)).mean[0] for part in parts}
    order = sorted(red, key=lambda name: -red[name])
    return order[0] if red[order[0]] > 8 and red[order[0]] > 2 * red[order[1]] else ""


def _highest(image: Image, field: Field, box: Box, parts: tuple[Part, ...]) -> str:
    """The stretch in which the curve is highest."""
    tops = {}
    for part in parts:
        middle = (part.box.left + part.box.right) // 2
        strip = image.crop((middle - 2, part.box.top, middle + 3, part.box.bottom)).convert("L")
        tops[part.name] = _top(strip)
    order = sorted(tops, key=lambda name: tops[name])
    return order[0] if tops[order[1]] - tops[order[0]] > 5 else ""


def _top(strip: Image) -> int:
    """The first row with ink."""
    ground = sorted(strip.tobytes())[strip.width * strip.height * 3 // 4]
    for y in range(strip.height):
        row = strip.crop((0, y, strip.width, y + 1)).tobytes()
        if min(row) < ground - 55:
            return y
    return strip.height


_WAYS: Mapping[Shown, Callable[[Image, Field, Box, tuple[Part, ...]], str]] = {
    "colour": _colour, "count": _count, "tick": _darkest, "position": _marked, "trend": _highest,
}  # fmt: skip
