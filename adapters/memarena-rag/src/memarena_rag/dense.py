"""Search by embeddings over rounds."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Sequence
from contextlib import ExitStack

from memarena.records import Capabilities, MemoryChange, MemoryItem, Retrieval, RunContext, Turn
from memarena_rag.corpus import Corpus
from memarena_rag.documents import Document, Documents, added_in
from memarena_rag.embedder import Embedder, EmbeddingOptions
from memarena_rag.qdrant import open_store
from memarena_rag.vectors import Ranking
from memarena_rag.versions import versions_of


class DenseOptions(EmbeddingOptions, frozen=True, kw_only=True):
    """Settings of `dense`."""

    qdrant: str = ""
    """Search by Qdrant: `:memory:`, `disk` (in the cell's folder) or the URL of a server; "": exactly, by numpy."""


class Dense:
    """Ranks rounds by the cosine of their embeddings with that of the question.

    A session is embedded at its end, in batches; where that fails, nothing of it is kept and the cell fails.
    """

    name = "dense"
    Options: type[DenseOptions] = DenseOptions

    def __init__(self, options: DenseOptions | None = None) -> None:
        self._options = options or self.Options()
        self._versions = versions_of(*self._libraries(), encoder=self._options.encoder, qdrant=self._options.qdrant)
        self._lock = threading.Lock()
        self._waiting: list[Document] = []
        self._opened = ExitStack()
        weakref.finalize(self, self._opened.close)

    def reset(self, context: RunContext) -> None:
        with self._lock:
            self._opened.close()
            self._start(context)

    def ingest_turn(self, turn: Turn) -> None:
        with self._lock:
            self._waiting += self._documents.add(turn)

    def end_session(self, session_id: str) -> None:
        with self._lock:
            self._waiting += self._documents.flush()
            self._keep(self._waiting)
            self._waiting = []

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        with self._lock:
            return tuple(self._corpus.items)

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        with self._lock:
            return added_in(self._corpus.items, session_id)

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        if not query.strip():
            return Retrieval(query=query)
        with self._lock:
            return self._search(query, top_k)

    def get_capabilities(self) -> Capabilities:
        return Capabilities(modalities=("text", "image"), delta=True, verbatim=True, versions=self._versions)

    def _libraries(self) -> tuple[str, ...]:
        return ()

    def _start(self, context: RunContext) -> None:
        """Begin with nothing."""
        self._documents = Documents(self._options)
        self._waiting = []
        self._embedder = Embedder.open(self._options, context, self.name)
        self._opened.callback(self._embedder.close)
        self._corpus = Corpus(self._embedder, open_store(self._options.qdrant, context, self.name))
        self._opened.callback(self._corpus.close)

    def _keep(self, documents: Sequence[Document]) -> None:
        self._corpus.add(documents)

    def _nearest(self, query: str, top_k: int) -> Ranking:
        (vector,) = self._embedder.embed([query], query=True)
        return self._corpus.search(vector, top_k)

    def _search(self, query: str, top_k: int) -> Retrieval:
        return self._retrieval(query, self._nearest(query, top_k))

    def _retrieval(self, query: str, found: Ranking) -> Retrieval:
        items = [self._corpus.items[place] for place, _ in found]
        return Retrieval.of(query, items, [score for _, score in found], {"encoder": self._embedder.model})
