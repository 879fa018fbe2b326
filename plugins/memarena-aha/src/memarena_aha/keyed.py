"""Random draws by key: each depends on its name alone, never on how many were drawn before it."""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import TypeVar

__all__ = ["Streams"]

Choice = TypeVar("Choice")


class Streams:
    """All draws of one world. `root` names it; equal roots give equal draws on every platform."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._base = blake2b(root.encode("utf-8"), digest_size=8)

    def uniform(self, stream: str, *index: object) -> float:
        """A number in [0, 1) with 53 bits, the same for the same stream and index."""
        digest = self._base.copy()
        digest.update(f"|{stream}|{'|'.join(map(str, index))}".encode())
        return (int.from_bytes(digest.digest(), "big") >> 11) * 2.0**-53

    def between(self, low: int, high: int, stream: str, *index: object) -> int:
        """A whole number in [low, high], both ends included."""
        return low + int(self.uniform(stream, *index) * (high - low + 1))

    def shuffled(self, items: Sequence[Choice], stream: str, *index: object) -> list[Choice]:
        """`items` in an order of their own; the place of an item is drawn by its position."""
        return [
            item for _, _, item in sorted((self.uniform(stream, *index, n), n, item) for n, item in enumerate(items))
        ]
