"""BM25 over rounds."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version

from memarena.records import Capabilities, MemoryChange, MemoryItem, Retrieval, RunContext, Turn
from memarena_rag.documents import Document, DocumentOptions, Documents, added_in
from memarena_rag.index import Index
from memarena_rag.tokens import tokenize


class Bm25Options(DocumentOptions, frozen=True, kw_only=True):
    """Settings of `bm25`."""

    k1: float = 1.5
    """Saturation of term frequency."""
    b: float = 0.75
    """Weight of document length, 0 to 1."""


class Bm25:
    """Ranks rounds by BM25 (as Lucene computes it). A round that shares no word with the question is not returned."""

    Options = Bm25Options

    def __init__(self, options: Bm25Options | None = None) -> None:
        self._options = options or Bm25Options()
        self._versions = {"bm25s": version("bm25s")}
        self._clear()

    def reset(self, context: RunContext) -> None:
        self._clear()

    def ingest_turn(self, turn: Turn) -> None:
        for document in self._documents.add(turn):
            self._keep(document)

    def end_session(self, session_id: str) -> None:
        for document in self._documents.flush():
            self._keep(document)

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        return tuple(self._items)

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        return added_in(self._items, session_id)

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        found = self._index.search(tokenize(query), top_k)
        return Retrieval.of(query, (self._items[place] for place, _ in found), (score for _, score in found))

    def get_capabilities(self) -> Capabilities:
        return Capabilities(modalities=("text", "image"), delta=True, verbatim=True, versions=self._versions)

    def _clear(self) -> None:
        self._documents = Documents(self._options)
        self._items: list[MemoryItem] = []
        self._index = Index(k1=self._options.k1, b=self._options.b)

    def _keep(self, document: Document) -> None:
        self._items.append(document.item)
        self._index.add(tokenize(document.searched))
