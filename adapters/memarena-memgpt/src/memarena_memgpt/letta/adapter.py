"""`letta`: an agent of a running Letta server, the MemGPT of today."""

from __future__ import annotations

import os
import threading
import weakref
from collections.abc import Iterator, Sequence

from memarena.errors import UsageError
from memarena.floors import turn_line
from memarena.modelclient import ModelClient
from memarena.records import Capabilities, MemoryChange, MemoryItem, Retrieval, RetrievedItem, RunContext, Turn
from memarena_memgpt.agent import SUMMARY
from memarena_memgpt.journal import Journal
from memarena_memgpt.letta import server
from memarena_memgpt.letta.blocks import ServerBlock
from memarena_memgpt.letta.options import LettaOptions
from memarena_memgpt.letta.relay import Relay
from memarena_memgpt.letta.server import LettaAgent, LettaFailed, Models, client_version
from memarena_memgpt.recall import RecallStore
from memarena_memgpt.stores import Origin

ENDED = ("end_turn", "max_steps", "tool_rule")
"""Why an agent stops that has not failed."""


class Letta:
    """Each turn is a message to an agent of its own, which edits its memory by calls of tools.

    What it keeps is read from the server after each turn in which it called any; `retrieve` asks nothing of the agent.
    """

    Options = LettaOptions

    def __init__(self, options: LettaOptions | None = None) -> None:
        """Raises PluginError where letta-client is not installed."""
        self._options = options or LettaOptions()
        self._versions = {"letta-client": client_version()}
        self._lock = threading.RLock()
        self._end: weakref.finalize[..., Letta] | None = None

    def reset(self, context: RunContext) -> None:
        """Raises ModelError without models, UsageError without a key that is named, LettaFailed."""
        with self._lock:
            self.close()
            options = self._options
            client = ModelClient.of(context, "letta", options.reply_tokens)
            dimensions = options.dimensions or len(client.embed(["length"])[0])
            self._agent = LettaAgent(options.url, _key(options.key_variable), context.namespace)
            self._relay = Relay(client, context)
            self._end = weakref.finalize(self, _finish, self._agent, self._relay, client)
            assert context.model is not None
            assert context.embedding is not None
            models = Models(self._relay.url, context.model.model, context.embedding.model, dimensions)
            self._agent.create(
                models, window=options.window, block_limit=options.block_limit, reply_tokens=options.reply_tokens
            )
            self._journal = Journal()
            self._recall = RecallStore()
            self._blocks: dict[str, ServerBlock] = {}
            self._passages: dict[str, MemoryItem] = {}
            """By the server's ids, in order."""
            self._summary: MemoryItem | None = None
            self._session = ""
            self._sent = 0
            self._last_message = ""
            self._counts = {"messages": 0, "tool_calls": 0, "tool_errors": 0, "step_limits": 0}

    def ingest_turn(self, turn: Turn) -> None:
        with self._lock:
            self._session = turn.session_id
            added = self._recall.add(turn)
            archived = [MemoryChange(op="archive", memory_id=item.memory_id, text=item.text) for item in added]
            self._journal.write(turn.session_id, archived)
            line, longest = turn_line(turn), self._options.longest
            for start in range(0, len(line), longest):
                self._hear(line[start : start + longest], turn)

    def end_session(self, session_id: str) -> None:
        """Raises LettaFailed where the server has not kept every message."""
        with self._lock:
            self._session = session_id
            rows = self._agent.messages(self._last_message)
            heard = sum(row.kind == server.MESSAGE for row in rows)
            if heard != self._sent:
                raise LettaFailed(f"{self._sent} messages were sent in {session_id}, the server has {heard} of them")
            self._sent = 0
            self._last_message = rows[-1].row_id if rows else self._last_message
            for row in rows:
                if row.kind == server.SUMMARY:
                    self._summarised(row.text)

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        with self._lock:
            self._look(Origin(self._session))
            lines = [item for block in self._blocks.values() for item in block.items()]
            return (*lines, *self._summaries(), *self._passages.values(), *self._recall.items)

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        with self._lock:
            return self._journal.delta(session_id)

    def retrieve(self, query: str, top_k: int, time: str | None) -> Retrieval:
        with self._lock:
            blocks = [block.whole() for block in self._blocks.values() if block.lines]
            passages = self._search(query, time) if query.strip() and self._passages else []
            messages = self._recall.search(query)[: self._options.searched]
            ranked: list[MemoryItem | RetrievedItem] = [*blocks, *passages, *self._summaries(), *messages]
            trace = {
                "searched": [item.memory_id for item in passages],
                "counts": {**self._relay.counts, **self._counts},
            }
            return Retrieval.of(query, ranked[:top_k], trace=trace)

    def get_capabilities(self) -> Capabilities:
        return Capabilities(delta=True, updates=True, verbatim=False, versions=self._versions)

    def close(self) -> None:
        """Remove the agent from the server; the adapter may be reset again."""
        with self._lock:
            if self._end is not None:
                self._end()
                self._end = None

    def _hear(self, text: str, turn: Turn) -> None:
        self._relay.begin(turn.time)
        self._counts["messages"] += 1
        try:
            reply = self._agent.send(text, self._options.steps)
        except LettaFailed as failure:
            raise self._outage() or failure from failure
        outage = self._outage()
        if outage is not None:
            raise outage
        if reply.stop not in ENDED:
            raise LettaFailed(f"the agent stopped at {turn.turn_id}: {reply.stop}")
        self._sent += 1
        self._counts["tool_calls"] += len(reply.tools)
        self._counts["tool_errors"] += reply.errors
        self._counts["step_limits"] += reply.stop == "max_steps"
        if reply.tools:
            self._look(Origin(turn.session_id, (turn.turn_id,)))

    def _look(self, origin: Origin) -> None:
        """Read blocks and new passages; what is new since the last time comes from `origin`."""
        for label, text in self._agent.blocks().items():
            block = self._blocks.setdefault(label, ServerBlock(label))
            self._journal.write(origin.session_id, block.take(text, origin))
        for row in self._agent.passages(next(reversed(self._passages), "")):
            item = MemoryItem(
                memory_id=f"archival:{len(self._passages) + 1}",
                text=row.text,
                session_id=origin.session_id,
                turn_ids=origin.turn_ids,
                backend_id=row.row_id,
                metadata={"store": "archival"},
            )
            self._passages[row.row_id] = item
            self._journal.write(origin.session_id, [item.added()])

    def _search(self, query: str, time: str | None) -> list[MemoryItem]:
        self._relay.begin(time)
        try:
            found = self._agent.search(query[: self._options.longest], self._options.searched)
        except LettaFailed as failure:
            raise self._outage() or failure from failure
        outage = self._outage()
        if outage is not None:
            raise outage
        return [self._passages[row_id] for row_id in found]

    def _outage(self) -> Exception | None:
        return self._relay.outages[0] if self._relay.outages else None

    def _summarised(self, text: str) -> None:
        """The agent's context was compacted: the summary takes the place of that before."""
        before = self._summary
        self._summary = MemoryItem(
            memory_id=SUMMARY, text=text, session_id=self._session, metadata={"store": "summary"}
        )
        change = self._summary.added()
        if before is not None:
            change = MemoryChange(op="update", memory_id=SUMMARY, text=text, previous=(before.text,))
        self._journal.write(self._session, [change])

    def _summaries(self) -> Iterator[MemoryItem]:
        if self._summary is not None:
            yield self._summary


def _key(variable: str) -> str:
    """The key that the environment variable holds; raises UsageError where it is not set."""
    if not variable:
        return ""
    found = os.environ.get(variable, "")
    if not found:
        raise UsageError(f"key_variable={variable}: this environment variable is not set, or not in this process")
    return found


def _finish(agent: LettaAgent, relay: Relay, client: ModelClient) -> None:
    try:
        agent.delete()
    finally:
        relay.close()
        client.close()
