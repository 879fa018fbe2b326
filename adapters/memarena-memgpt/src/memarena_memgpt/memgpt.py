"""`memgpt`: MemGPT as its paper describes it (arXiv 2310.08560)."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Annotated, Literal

from msgspec import Meta

from memarena.errors import UsageError
from memarena.floors import turn_line
from memarena.modelclient import ModelClient
from memarena.records import (
    Capabilities,
    MemoryChange,
    MemoryItem,
    Record,
    Retrieval,
    RetrievedItem,
    RunContext,
    Turn,
)
from memarena_memgpt.agent import SUMMARY, Agent, Limits
from memarena_memgpt.archival import ArchivalStore
from memarena_memgpt.caller import CallForm
from memarena_memgpt.core_memory import Block, CoreMemory
from memarena_memgpt.recall import RecallStore
from memarena_memgpt.stores import Origin, Stores

Share = Annotated[float, Meta(gt=0, le=1)]
SEARCHED = 5
"""Results of each store that a direct search takes: a page."""


class MemGptOptions(Record, frozen=True, kw_only=True):
    """Settings of `memgpt`."""

    window: Annotated[int, Meta(ge=4096)] = 8192
    """Tokens of the agent's context (the paper's GPT-4 had 8,192), by estimate."""
    warn_at: Share = 0.7
    """Share of the window above which the agent is warned that messages will leave it (paper: 70 %)."""
    flush_at: Share = 1.0
    """Share of the window above which the oldest messages are evicted and summarised (paper: 100 %)."""
    evict: Share = 0.5
    """Share of the window that is evicted (paper: 50 %)."""
    block_limit: Annotated[int, Meta(ge=100)] = 2000
    """Characters of each block of core memory (released code: 2,000)."""
    steps: Annotated[int, Meta(ge=1)] = 5
    """Replies of the model to one message or question, at most."""
    reply_tokens: Annotated[int, Meta(ge=64)] = 4096
    """Tokens of a reply of the model, at most; one that is cut off there is mostly unusable."""
    calls: CallForm = "tools"
    """How the model calls functions: by tool calls; as JSON in its reply, for servers that do not enforce
    `tool_choice=required`; or by tool calls until a reply comes without one, then as JSON."""
    search: Literal["agent", "direct"] = "agent"
    """Who searches for a question: the agent, by calls; or the adapter, both stores with the question itself."""


class MemGpt:
    """An agent that edits its memory by function calls; every message is one event.

    `retrieve` ranks what would stand in the agent's context: the blocks of core memory, what was found in archival and
    recall memory, the summary, and then the messages still in view that share words with the question.
    """

    Options = MemGptOptions

    def __init__(self, options: MemGptOptions | None = None) -> None:
        self._options = options or MemGptOptions()
        if self._options.warn_at > self._options.flush_at:
            raise UsageError(
                f"warn_at={self._options.warn_at} is above flush_at={self._options.flush_at}; put it below"
            )
        self._lock = threading.RLock()
        self._client: ModelClient | None = None

    def reset(self, context: RunContext) -> None:
        with self._lock:
            if self._client is not None:
                self._client.close()
            self._client = ModelClient.of(context, "memgpt", self._options.reply_tokens)
            core, recall = CoreMemory(self._options.block_limit), RecallStore()
            self._stores = Stores(core, recall, ArchivalStore(self._client))
            self._agent = Agent(self._client, self._stores, _limits(self._options), self._options.calls)
            self._session = ""

    def ingest_turn(self, turn: Turn) -> None:
        with self._lock:
            self._session = turn.session_id
            added = self._stores.recall.add(turn)
            changes = [MemoryChange(op="archive", memory_id=item.memory_id, text=item.text) for item in added]
            self._stores.journal.write(turn.session_id, changes)
            self._agent.hear(turn_line(turn), Origin(turn.session_id, (turn.turn_id,)))

    def end_session(self, session_id: str) -> None:
        pass

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        with self._lock:
            stores = self._stores
            return (*stores.core.items(), *self._summary(), *stores.archival.items, *stores.recall.items)

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        with self._lock:
            return self._stores.journal.delta(session_id)

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        with self._lock:
            found = self._search(query) if query.strip() else []
            in_view = {turn_id for exchange in self._agent.queue for turn_id in exchange.turn_ids}
            seen = [item for item in self._stores.recall.search(query) if in_view.issuperset(item.turn_ids)]
            blocks = [_whole(block) for block in self._stores.core.blocks.values() if block.lines]
            everything: list[MemoryItem | RetrievedItem] = [*blocks, *found, *self._summary(), *seen]
            ranked = {item.memory_id: item for item in everything}
            trace = {
                "searched": [item.memory_id for item in found],
                "in_view": len(in_view),
                "calls": "json" if self._agent.by_json else "tools",
                "counts": {**self._agent.counts, **(self._client.counts if self._client else {})},
            }
            return Retrieval.of(query, tuple(ranked.values())[:top_k], trace=trace)

    def get_capabilities(self) -> Capabilities:
        return Capabilities(delta=True, updates=True, verbatim=False)

    def _search(self, query: str) -> list[MemoryItem]:
        if self._options.search == "agent":
            return self._agent.search(query, Origin(self._session))
        stores = self._stores
        return [*stores.archival.search(query)[:SEARCHED], *stores.recall.search(query)[:SEARCHED]]

    def _summary(self) -> Iterator[MemoryItem]:
        if self._agent.queue.summary:
            yield MemoryItem(
                memory_id=SUMMARY,
                text=self._agent.queue.summary,
                session_id=self._agent.summary_session,
                metadata={"store": "summary"},
            )


def _limits(options: MemGptOptions) -> Limits:
    return Limits(
        window=options.window,
        warn_at=options.warn_at,
        flush_at=options.flush_at,
        evict=options.evict,
        steps=options.steps,
    )


def _whole(block: Block) -> RetrievedItem:
    """A block as the agent sees it: one text; the snapshot has its lines, which name it as their `backend_id`."""
    return RetrievedItem(
        memory_id=block.backend_id,
        text=block.text,
        session_id=block.lines[-1].session_id,
        turn_ids=tuple(dict.fromkeys(turn_id for line in block.lines for turn_id in line.turn_ids)),
        backend_id=block.backend_id,
        metadata={"store": "core", "block": block.name},
    )
