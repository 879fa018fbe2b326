"""Items of two kinds, texts and pictures, found by vectors of one space."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from memarena.records import MemoryItem
from memarena_rag.vectors import Ranking, VectorStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Space:
    """Items in the order in which they were added."""

    def __init__(self, texts: VectorStore, pictures: VectorStore) -> None:
        self.items: list[MemoryItem] = []
        self._stores = (texts, pictures)
        self._places: tuple[list[int], list[int]] = ([], [])

    def add(self, items: Sequence[MemoryItem], rows: NDArray[np.float32], *, pictures: bool) -> None:
        """Add texts or pictures with a row each."""
        if not items:
            return
        self._stores[pictures].add(rows)
        self._places[pictures].extend(range(len(self.items), len(self.items) + len(items)))
        self.items += items

    def search(self, vector: NDArray[np.float32], top_k: int, least_pictures: int = 0) -> Ranking:
        """At most `top_k` pairs (place of the item, cosine), best first, among equals the earlier one.

        At least `least_pictures` of them are pictures, where there are so many.
        """
        texts, pictures = [self._found(kind, vector, top_k) for kind in (0, 1)]
        certain = pictures[: min(least_pictures, top_k)]
        others = _ranked([*texts, *pictures[len(certain) :]])
        return _ranked([*certain, *others[: top_k - len(certain)]])

    def close(self) -> None:
        """Forget everything."""
        for store in self._stores:
            store.close()
        self.items = []

    def _found(self, kind: int, vector: NDArray[np.float32], top_k: int) -> Ranking:
        if not self._places[kind]:
            return []
        return [(self._places[kind][place], score) for place, score in self._stores[kind].search(vector, top_k)]


def _ranked(pairs: Iterable[tuple[int, float]]) -> Ranking:
    return sorted(pairs, key=lambda pair: (-pair[1], pair[0]))
