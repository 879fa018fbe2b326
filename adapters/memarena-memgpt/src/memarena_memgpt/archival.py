"""Archival storage: passages that the model writes, found by the nearness of their embeddings."""

from __future__ import annotations

from collections.abc import Sequence

from memarena.modelclient import ModelClient
from memarena.records import MemoryItem
from memarena_memgpt.core_memory import FunctionFailed
from memarena_memgpt.vectors import Vectors

LONGEST = 24_000
"""Characters of a text that are embedded; embedding models read some 8,000 tokens."""


class ArchivalStore:
    """Passages as items, in order. One embedding request an insertion and one a search."""

    def __init__(self, client: ModelClient) -> None:
        self.items: list[MemoryItem] = []
        self._client = client
        self._vectors = Vectors()

    def __len__(self) -> int:
        return len(self.items)

    def insert(self, content: str, session_id: str, turn_ids: Sequence[str]) -> MemoryItem:
        """Keep a passage. Raises FunctionFailed where it is empty, ModelCallFailed where it cannot be embedded."""
        content = content.strip()
        if not content:
            raise FunctionFailed("content is empty")
        (vector,) = self._client.embed([content[:LONGEST]])
        self._vectors.add(vector)
        item = MemoryItem(
            memory_id=f"archival:{len(self.items) + 1}",
            text=content,
            session_id=session_id,
            turn_ids=tuple(turn_ids),
            metadata={"store": "archival"},
        )
        self.items.append(item)
        return item

    def search(self, query: str) -> list[MemoryItem]:
        """All passages, the nearest to `query` first. Raises ModelCallFailed."""
        if not self.items or not query.strip():
            return []
        (vector,) = self._client.embed([query[:LONGEST]])
        return [self.items[place] for place, _ in self._vectors.search(vector, len(self.items))]
