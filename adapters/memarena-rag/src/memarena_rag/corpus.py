"""Items with a vector each."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from memarena.records import MemoryItem
from memarena_rag.documents import Document
from memarena_rag.embedder import Embedder
from memarena_rag.vectors import Ranking, VectorStore

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

CUT = "embedded"
"""Name in the metadata of an item of whose text only the beginning is in its vector."""


class Corpus:
    """Items in the order in which they were added, found by the vectors of their texts."""

    def __init__(self, embedder: Embedder, vectors: VectorStore) -> None:
        self.items: list[MemoryItem] = []
        self._embedder = embedder
        self._vectors = vectors

    def add(self, documents: Sequence[Document]) -> None:
        """Add all of `documents` or, where a vector cannot be had, none; raises ModelError."""
        if documents:
            self.put(documents, self._embedder.embed([document.searched for document in documents]))

    def put(self, documents: Sequence[Document], rows: NDArray[np.float32]) -> None:
        """Add `documents` with vectors that were made elsewhere, a row each."""
        items = [self._marked(document) for document in documents]
        self._vectors.add(rows)
        self.items += items

    def search(self, vector: NDArray[np.float32], top_k: int) -> Ranking:
        """At most `top_k` pairs (place of the item, cosine), best first."""
        return self._vectors.search(vector, top_k)

    def close(self) -> None:
        """Forget everything."""
        self._vectors.close()
        self.items = []

    def _marked(self, document: Document) -> MemoryItem:
        item = document.item
        if self._embedder.whole(document.searched):
            return item
        return replace(item, metadata={**item.metadata, CUT: "only its beginning"})
