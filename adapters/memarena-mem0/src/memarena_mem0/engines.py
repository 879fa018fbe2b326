"""One `Memory` of mem0 behind one face, for both lines of versions."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from memarena.errors import UsageError
from memarena.records import RunContext
from memarena_mem0 import library
from memarena_mem0.dates import Messages, redated_classic, redated_v3
from memarena_mem0.messages import Message
from memarena_mem0.options import ClassicOptions, Mem0Options
from memarena_mem0.replies import rows_of
from memarena_mem0.watching import Tally, Watch, Watched, WatchedModel

USER = "user"
"""The scope of all memories; each cell has a store of its own."""
EVERYTHING = 1_000_000
"""Memories that one listing gives at most."""
UNKNOWN = "unknown"
"""What prompts are told where the data set gives no time; mem0 itself would say today."""

Event = Mapping[str, Any]


class Engine:
    """An open `Memory`. Its calls are not safe in threads: Qdrant's local mode loses what two of them write."""

    def __init__(self, folder: Path, context: RunContext, options: ClassicOptions) -> None:
        """Raises ModelError where an endpoint is missing, and what the embedding model raises."""
        model = library.needed(context.model, "inner", "a language model")
        embedding = library.needed(context.embedding, "embed", "an embedding model")
        made = library.memory_class(folder)
        store = library.store_of(
            folder, context.namespace, options.dimensions or library.dimensions_of(embedding), options
        )
        self._memory = made.from_config(library.settings(folder, model, embedding, options, store))
        self._shut = weakref.finalize(self, _shut, self._memory, drop=bool(options.qdrant_url))
        self._watch = Watch()
        self.tally = Tally()
        self._prepare(options)
        self._memory.llm = WatchedModel(self._memory.llm, self._watch, self.redate)
        self._memory.embedding_model = Watched(self._memory.embedding_model, self._watch)
        self._memory.vector_store = Watched(self._memory.vector_store, self._watch)

    def add(self, messages: Sequence[Message], metadata: Mapping[str, Any], time: str) -> list[Event]:
        """Hand messages over; the events that mem0 tells.

        Raises what the model, the encoder or the store raised, also where mem0 swallowed it; a reply that cannot be
        read is counted.
        """
        watch = self._watch
        watch.begin(time or UNKNOWN)
        self.tally.adds += 1
        events: list[Event] = []
        failure: Exception | None = None
        try:
            events = self._add(messages, metadata)
        except Exception as error:
            failure = error
        # A reply of another shape makes mem0 raise whatever it happens to raise: it is counted like any other such.
        if not self._odd(watch.replies):
            failure = watch.outages[0] if watch.outages else failure
            if failure is not None:
                raise failure
        self._count(events)
        return events

    def close(self) -> None:
        """Close all files; a collection on a server is removed."""
        self._shut()

    def search(self, query: str, top_k: int) -> list[Mapping[str, Any]]:
        """Memories for a query, best first; raises as `add` does."""
        self._watch.begin(UNKNOWN)
        found = self._search(query, top_k)
        if self._watch.outages:
            raise self._watch.outages[0]
        return found

    def listing(self) -> list[Mapping[str, Any]]:
        """All memories, in no order."""
        raise NotImplementedError

    @staticmethod
    def redate(messages: Messages, time: str) -> list[dict[str, Any]]:
        """Prompts with the time of the benchmark. No method: the memory must not hold the engine that closes it."""
        raise NotImplementedError

    def _prepare(self, options: ClassicOptions) -> None:
        """What is to be done before the first call."""

    def _add(self, messages: Sequence[Message], metadata: Mapping[str, Any]) -> list[Event]:
        found: list[Event] = self._memory.add(list(messages), user_id=USER, metadata=dict(metadata))["results"]
        return found

    def _search(self, query: str, top_k: int) -> list[Mapping[str, Any]]:
        raise NotImplementedError

    def _odd(self, replies: Sequence[object]) -> bool:
        """Whether one of the replies has not the shape that was asked for."""
        raise NotImplementedError

    def _count(self, events: Sequence[Event]) -> None:
        raise NotImplementedError


class V3Engine(Engine):
    """mem0ai 2.x: one call of the model names what to add; nothing is ever changed."""

    redate = staticmethod(redated_v3)

    def _prepare(self, options: ClassicOptions) -> None:
        assert isinstance(options, Mem0Options)
        self._threshold = options.threshold
        if options.hybrid:
            _check_hybrid(self._memory)
        else:
            # False is mem0's own mark for an encoder that is not there: it does not look for one again.
            self._memory.vector_store._bm25_encoder = False
        _switch_spacy(on=options.hybrid)

    def listing(self) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = self._memory.get_all(
            filters={"user_id": USER}, top_k=EVERYTHING, show_expired=True
        )["results"]
        return found

    def _search(self, query: str, top_k: int) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = self._memory.search(
            query, filters={"user_id": USER}, top_k=top_k, threshold=self._threshold, explain=True
        )["results"]
        return found

    def _odd(self, replies: Sequence[object]) -> bool:
        return any(_memories(reply) is None for reply in replies)

    def _count(self, events: Sequence[Event]) -> None:
        (reply,) = self._watch.replies
        found = _memories(reply)
        if found is None:
            self.tally.unreadable += 1
        elif not found:
            self.tally.nothing += 1
        else:
            named = [row for row in found if row.get("text")]
            self.tally.lost += len(found) - len(named)
            self.tally.repeated += len(named) - len(events)


class ClassicEngine(Engine):
    """mem0ai 1.0.11: the model names facts, then says what each does to the memories that are near it."""

    redate = staticmethod(redated_classic)

    def listing(self) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = self._memory.get_all(user_id=USER, limit=EVERYTHING)["results"]
        return found

    def _search(self, query: str, top_k: int) -> list[Mapping[str, Any]]:
        found: list[Mapping[str, Any]] = self._memory.search(query, user_id=USER, limit=top_k, rerank=False)["results"]
        return found

    def _odd(self, replies: Sequence[object]) -> bool:
        reads = (rows_of(reply, "facts") if place == 0 else _memories(reply) for place, reply in enumerate(replies))
        return any(rows is None for rows in reads)

    def _count(self, events: Sequence[Event]) -> None:
        replies = self._watch.replies
        if self._odd(replies):
            self.tally.unreadable += 1
        elif len(replies) == 1:
            self.tally.nothing += 1
        else:
            told = [row for row in _memories(replies[1]) or () if row.get("event") != "NONE"]
            self.tally.lost += len(told) - len(events)


def _memories(reply: object) -> list[dict[str, Any]] | None:
    """The rows under `memory`; None where the reply cannot be read or a row is none."""
    rows = rows_of(reply, "memory")
    if rows is None or not all(isinstance(row, dict) and isinstance(row.get("text", ""), str) for row in rows):
        return None
    return rows


def _check_hybrid(memory: Any) -> None:
    missing = [name for name in ("spacy", "en_core_web_sm", "fastembed") if find_spec(name) is None]
    if missing or memory.vector_store._get_bm25_encoder() is None:
        what = ", ".join(missing) or "the model Qdrant/bm25 of fastembed"
        raise UsageError(f"hybrid=true needs {what}: install it where mem0 is, or leave the option out")


def _switch_spacy(*, on: bool) -> None:
    """mem0 would download a model of spaCy; the switch is its own, and holds for the whole process."""
    spacy_models: Any = import_module("mem0.utils.spacy_models")
    spacy_models._load_failed_full = spacy_models._load_failed_lemma = not on


def _shut(memory: Any, *, drop: bool) -> None:
    client = memory.vector_store.client
    if drop:
        for collection in (memory.collection_name, f"{memory.collection_name}_entities"):
            client.delete_collection(collection)
    for each in (client, memory.llm.client, memory.embedding_model.client, memory):
        each.close()
