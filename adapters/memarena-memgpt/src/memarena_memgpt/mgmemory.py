"""`mgmemory`: the variant that WorldMemArena lists as "MemGPT (MGMemory)", as far as it is known.

Known are a queue of rounds that is flushed above 50,000 words, working context, recall and archival storage, a
recursive summary, and a ranking of all of them by the words that they share with the question. Few samples are that
long, so it mostly is the whole history behind a search by words. The call that its release makes at each question
brings nothing back from the stores; it is left out.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from typing import Annotated

from msgspec import Meta
from msgspec.structs import replace

from memarena.modelclient import ModelClient
from memarena.records import Capabilities, MemoryChange, MemoryItem, Record, Retrieval, RunContext, Turn
from memarena.rounds import Rounds, item_of
from memarena_memgpt.agent import SUMMARY, Agent, Limits, summary_change
from memarena_memgpt.archival import ArchivalStore
from memarena_memgpt.caller import CallForm
from memarena_memgpt.core_memory import CoreMemory
from memarena_memgpt.recall import RecallStore
from memarena_memgpt.stores import Origin, Stores

_TOKEN = re.compile(r"\w{3,}")
_UNLIMITED = 1 << 30
"""Tokens: the queue is counted in words, and nothing else limits it."""


class MgMemoryOptions(Record, frozen=True, kw_only=True):
    """Settings of `mgmemory`."""

    flush_words: Annotated[int, Meta(ge=1)] = 50_000
    """Words of the queue above which its oldest rounds go to recall storage."""
    evict: Annotated[float, Meta(gt=0, le=1)] = 0.5
    """Share of the queue's words that goes (not known of the original)."""
    block_limit: Annotated[int, Meta(ge=100)] = 2000
    """Characters of each block of working context."""
    steps: Annotated[int, Meta(ge=1)] = 5
    """Replies of the model to one flush, at most, the summary apart."""
    calls: CallForm = "tools"
    """How the model calls functions, as for `memgpt`."""
    reply_tokens: Annotated[int, Meta(ge=64)] = 4096
    """Tokens of a reply of the model, at most; one that is cut off there is mostly unusable."""


class MgMemory:
    """Keeps rounds word for word; asks its model only when the queue overflows.

    `retrieve` ranks all stores by the number of the question's tokens (of more than two letters) that an item has;
    among equals in the order working context, queue and recall, archival storage, summary.
    """

    Options = MgMemoryOptions

    def __init__(self, options: MgMemoryOptions | None = None) -> None:
        self._options = options or MgMemoryOptions()
        self._lock = threading.RLock()
        self._client: ModelClient | None = None

    def reset(self, context: RunContext) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
            self._client = ModelClient.of(context, "mgmemory", self._options.reply_tokens)
            core, archival = CoreMemory(self._options.block_limit), ArchivalStore(self._client)
            self._stores = Stores(core, RecallStore(), archival)
            limits = Limits(window=_UNLIMITED, warn_at=1, flush_at=1, evict=1, steps=self._options.steps)
            self._agent = Agent(self._client, self._stores, limits, self._options.calls)
            self._rounds = Rounds()
            self._kept: list[MemoryItem] = []
            self._tokens: dict[str, frozenset[str]] = {}
            self._flushed = 0
            self._words = 0
            self._summary = ""
            self._summary_session = ""

    def ingest_turn(self, turn: Turn) -> None:
        with self._lock:
            for turns in self._rounds.add(turn):
                self._keep(turns)

    def end_session(self, session_id: str) -> None:
        with self._lock:
            for turns in self._rounds.flush():
                self._keep(turns)

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        with self._lock:
            return tuple(self._items())

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        with self._lock:
            return self._stores.journal.delta(session_id)

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        with self._lock:
            asked = _tokens(query)
            items = [*self._items()]
            scores = []
            for item in items:
                words = self._tokens.get(item.text)
                if words is None:
                    words = self._tokens[item.text] = _tokens(item.text)
                scores.append(len(asked & words))
            best = sorted(range(len(items)), key=scores.__getitem__, reverse=True)[:top_k]
            counts = {**self._agent.counts, **(self._client.counts if self._client else {})}
            calls = "json" if self._agent.by_json else "tools"
            trace = {"flushed": self._flushed, "queue_words": self._words, "calls": calls, "counts": counts}
            return Retrieval.of(query, [items[place] for place in best], [scores[place] for place in best], trace)

    def get_capabilities(self) -> Capabilities:
        return Capabilities(delta=True)

    def _items(self) -> Iterator[MemoryItem]:
        yield from self._stores.core.items()
        yield from self._kept
        yield from self._stores.archival.items
        if self._summary:
            yield MemoryItem(
                memory_id=SUMMARY,
                text=self._summary,
                session_id=self._summary_session,
                metadata={"store": "summary"},
            )

    def _keep(self, turns: Sequence[Turn]) -> None:
        item = item_of(turns, {"store": "queue"})
        self._kept.append(item)
        self._stores.journal.write(turns[0].session_id, [item.added()])
        self._words += len(item.text.split())
        if self._words > self._options.flush_words:
            self._flush(turns[0].session_id)

    def _flush(self, session_id: str) -> None:
        """Move the oldest rounds to recall storage; the newest round stays. The model saves and sums up what goes."""
        target, end = self._options.evict * self._words, self._flushed
        while target > 0 and end < len(self._kept) - 1:
            target -= len(self._kept[end].text.split())
            end += 1
        going = self._kept[self._flushed : end]
        if not going:
            return
        text = "\n".join(item.text for item in going)
        self._agent.save(text, Origin(session_id))
        summary = self._agent.summarise(self._summary, text)
        changes = [MemoryChange(op="archive", memory_id=item.memory_id, text=item.text) for item in going]
        self._stores.journal.write(session_id, [*changes, summary_change(self._summary, summary)])
        self._kept[self._flushed : end] = [
            replace(item, status="archived", metadata={"store": "recall"}) for item in going
        ]
        self._agent.counts["flushes"] += 1
        self._flushed, self._words = end, self._words - sum(len(item.text.split()) for item in going)
        self._summary, self._summary_session = summary, session_id


def _tokens(text: str) -> frozenset[str]:
    return frozenset(_TOKEN.findall(text.casefold()))
