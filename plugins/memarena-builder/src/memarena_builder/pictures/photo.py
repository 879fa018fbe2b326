"""A sheet photographed on a desk: turned a little, with its shadow, in light that falls from one side."""

from __future__ import annotations

import math
import random
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from memarena_builder.pictures.spec import Box

if TYPE_CHECKING:
    from PIL.Image import Image

DESKS = ("#8a6a4a", "#5d4a3a", "#a98b6a", "#6f7478", "#3f4447", "#b9b3a6", "#74584a", "#9a9a92")
TURN = 1.5
"""Degrees, at most, to either side."""


class Desk(NamedTuple):
    """What a sheet lies on, and how."""

    colour: str
    angle: float
    """Degrees, counter-clockwise."""
    margin: int
    light: int
    """Whence the light comes: 0 to 3, quarter turns."""
    wood: bool
    """With the grain of wood, or plain."""

    def photograph(self, sheet: Image, rng: random.Random) -> tuple[Image, Callable[[Box], Box]]:
        """The photo of `sheet`, and where a box of the sheet lies in it."""
        from PIL import Image, ImageChops

        mask = Image.new("L", sheet.size, 255)
        turned = sheet.rotate(self.angle, Image.Resampling.BICUBIC, expand=True)
        mask = mask.rotate(self.angle, Image.Resampling.BILINEAR, expand=True)
        size = (turned.width + 2 * self.margin, turned.height + 2 * self.margin)
        photo = self._ground(size, rng)
        shadow = Image.new("L", (size[0] // 8, size[1] // 8), 0)
        small = mask.resize((turned.width // 8, turned.height // 8))
        shadow.paste(
            small.point([level * 5 // 10 for level in range(256)]), (self.margin // 8 + 1, self.margin // 8 + 1)
        )
        photo.paste("#000000", (0, 0), shadow.resize(size, Image.Resampling.BICUBIC))
        photo.paste(turned, (self.margin, self.margin), mask)
        light = (
            Image.linear_gradient("L").rotate(90 * self.light).point([228 + level * 27 // 255 for level in range(256)])
        )
        photo = ImageChops.multiply(photo, Image.merge("RGB", [light.resize(size)] * 3))
        return photo, self._mover(sheet.size, turned.size)

    def _ground(self, size: tuple[int, int], rng: random.Random) -> Image:
        from PIL import Image, ImageChops

        base = Image.new("RGB", size, self.colour)
        if not self.wood:
            return base
        tones = [rng.randint(225, 255) for _ in range(24)]
        grain = Image.new("L", (1, 24))
        grain.putdata(tones)
        grain = grain.resize(size, Image.Resampling.BICUBIC)
        return ImageChops.multiply(base, Image.merge("RGB", [grain] * 3))

    def _mover(self, old: tuple[int, int], new: tuple[int, int]) -> Callable[[Box], Box]:
        turn = math.radians(self.angle)
        cos, sin = math.cos(turn), math.sin(turn)

        def move(box: Box) -> Box:
            points = []
            for x in (box.left, box.right):
                for y in (box.top, box.bottom):
                    right, down = x - old[0] / 2, y - old[1] / 2
                    points.append((
                        right * cos + down * sin + new[0] / 2 + self.margin,
                        down * cos - right * sin + new[1] / 2 + self.margin,
                    ))  # fmt: skip
            return Box(
                math.floor(min(x for x, _ in points)), math.floor(min(y for _, y in points)),
                math.ceil(max(x for x, _ in points)), math.ceil(max(y for _, y in points)),
            )  # fmt: skip

        return move


def desk(rng: random.Random) -> Desk:
    """Some desk."""
    return Desk(
        colour=rng.choice(DESKS), angle=round(rng.uniform(-TURN, TURN), 2), margin=rng.randint(18, 42),
        light=rng.randrange(4), wood=rng.random() < 0.6,
    )  # fmt: skip


def perhaps(rng: random.Random, share: float = 0.6) -> Desk | None:
    """A desk in `share` of the cases; else the sheet is a scan."""
    return desk(rng) if rng.random() < share else None
