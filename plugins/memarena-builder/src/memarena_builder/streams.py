"""Random numbers by key, not by order: a draw never moves because another was added before it."""

from __future__ import annotations

import hashlib
import random
from typing import NamedTuple, Self


class Streams(NamedTuple):
    """A place in the tree of random streams, e.g. that of one session of one sample."""

    seed: int
    path: tuple[str, ...] = ()

    def at(self, *names: object) -> Self:
        """The place below this one that `names` lead to."""
        return self._replace(path=(*self.path, *map(str, names)))

    @property
    def number(self) -> int:
        """64 bits that depend on the seed and the path alone."""
        text = "\x1f".join((str(self.seed), *self.path))
        return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")

    def rng(self, *names: object) -> random.Random:
        """The stream at the place that `names` lead to; the same each time that it is asked for."""
        return random.Random(self.at(*names).number)
