"""BM25 over rounds."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.metadata import version
from typing import Literal

from memarena.records import Capabilities, MemoryChange, MemoryItem, Record, Retrieval, RunContext, Turn
from memarena_rag.index import Index
from memarena_rag.rounds import Rounds, item_of, without_captions
from memarena_rag.tokens import tokenize


class Bm25Options(Record, frozen=True, kw_only=True):
    """Settings of `bm25`."""

    unit: Literal["round", "turn"] = "round"
    """What a document is: a user's turn with the reply to it, or each turn alone."""
    captions: bool = True
    """Search the captions of pictures too. Either way they are in the text that is returned."""
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
        for turns in self._rounds.add(turn):
            self._keep(turns)

    def end_session(self, session_id: str) -> None:
        for turns in self._rounds.flush():
            self._keep(turns)

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        return tuple(self._items)

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        return tuple(item.added() for item in self._items if item.session_id == session_id)

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        found = self._index.search(tokenize(query), top_k)
        return Retrieval.of(query, (self._items[place] for place, _ in found), (score for _, score in found))

    def get_capabilities(self) -> Capabilities:
        return Capabilities(modalities=("text", "image"), delta=True, verbatim=True, versions=self._versions)

    def _clear(self) -> None:
        self._rounds = Rounds(single=self._options.unit == "turn")
        self._items: list[MemoryItem] = []
        self._index = Index(k1=self._options.k1, b=self._options.b)

    def _keep(self, turns: Sequence[Turn]) -> None:
        item = item_of(turns)
        self._items.append(item)
        self._index.add(tokenize(item.text if self._options.captions else without_captions(turns)))
