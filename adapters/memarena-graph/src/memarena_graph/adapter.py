"""`graph`: a temporal knowledge graph on Neo4j, or on a server of its own."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from memarena.modelclient import ModelClient
from memarena.records import Capabilities, MemoryChange, MemoryItem, Retrieval, RunContext, Turn
from memarena.rounds import Rounds
from memarena_graph.extraction import Extractor
from memarena_graph.memory import Memory
from memarena_graph.options import GraphOptions
from memarena_graph.place import Place, versions
from memarena_graph.search import Hit, Search


class GraphMemory:
    """Keeps facts between entities, each from when it is true until it is not any more, with the turns that said it."""

    Options = GraphOptions

    def __init__(self, options: GraphOptions | None = None) -> None:
        self._options = options or GraphOptions()
        self._lock = threading.RLock()
        self._place: Place | None = None

    def reset(self, context: RunContext) -> None:
        with self._lock:
            options = self._options
            client = ModelClient.of(context, "graph", options.reply_tokens)
            if self._place is not None:
                self._place.leave()
            self._place = None
            self._client = client
            self._place = Place(options, context)
            self._extractor = Extractor(client, options.attempts)
            self._memory = Memory(self._place.graph, client, self._extractor, options.known, options.longest)
            self._search = Search(self._place.graph, history=options.history, hop=options.hop)
            self._rounds = Rounds(single=options.unit == "turn")

    def ingest_turn(self, turn: Turn) -> None:
        with self._lock:
            for turns in self._rounds.add(turn):
                self._memory.learn(turns)

    def end_session(self, session_id: str) -> None:
        with self._lock:
            for turns in self._rounds.flush():
                self._memory.learn(turns)

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        with self._lock:
            return self._memory.items()

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        with self._lock:
            return self._memory.journal.of(session_id)

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        with self._lock:
            hits: list[Hit] = []
            if query.strip() and self._memory.counts["facts"]:
                (vector,) = self._client.embed([query])
                hits = self._search.find(query, vector, top_k)
            found = self._memory.graph.items([hit.fact_id for hit in hits])
            trace = {"ways": {hit.fact_id: hit.ways for hit in hits}, **self._trace()}
            return Retrieval.of(query, map(shown, found), (hit.score for hit in hits), trace)

    def get_capabilities(self) -> Capabilities:
        return Capabilities(
            modalities=("text", "image"), delta=True, updates=True, verbatim=False, versions=versions(self._options.url)
        )

    def _trace(self) -> dict[str, Any]:
        counts = {**self._client.counts, **self._extractor.counts, **self._memory.counts}
        return {"counts": counts, "server": self._place.about if self._place is not None else {}}


def shown(item: MemoryItem) -> MemoryItem:
    """`item` as the answerer sees it: behind the time at which it was said, and with its end where it has one."""
    told, until = item.metadata.get("told"), item.metadata.get("invalid_since")
    head = f"[{told}] " if told else ""
    tail = "" if item.status == "active" else f" (until {until})" if until else " (not true any more)"
    return replace(item, text=f"{head}{item.text}{tail}")
