"""A conversation with an agent, as an adapter."""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

from memarena.errors import ModelError
from memarena.floors import words
from memarena.records import (
    Answer,
    AskedQuestion,
    Capabilities,
    MemoryChange,
    MemoryItem,
    Retrieval,
    RunContext,
    Turn,
)
from memarena_harness.conversation import Conversation
from memarena_harness.harness import Harness, HarnessOptions

_REMARKS: Mapping[str, str] = {
    "none": "nothing held it: what it did outside of its folder is not known",
    "own": "only its own sandbox held it",
    "context": "a baseline that answers from its context, not from what it wrote down",
}
"""What a reader must know of how an agent was held, and of what it remembers by."""


class HarnessMemory:
    """An agent hears each session in a process of its own, and answers by itself from what it kept in its files."""

    def __init__(self, harness: Harness, options: HarnessOptions) -> None:
        self._harness = harness
        self._options = options
        self._lock = threading.RLock()
        self._conversation: Conversation | None = None
        self._turns: list[Turn] = []

    def reset(self, context: RunContext) -> None:
        with self._lock:
            self._open(context).begin()

    def reopen(self, context: RunContext) -> None:
        with self._lock:
            self._open(context).go_on()

    def ingest_turn(self, turn: Turn) -> None:
        with self._lock:
            self._turns.append(turn)

    def end_session(self, session_id: str) -> None:
        with self._lock:
            turns, self._turns = self._turns, []
            self._at_work().hear(session_id, turns)

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        with self._lock:
            return self._at_work().notes.items

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        with self._lock:
            return self._at_work().notes.changes(session_id)

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        """The notes that share words with the question: a look at them from outside; the agent searches by itself."""
        asked = set(words(query))
        with self._lock:
            notes = self._at_work().notes.items
        rated = [(len(asked & set(words(item.text))), item) for item in notes]
        found = sorted(((score, item) for score, item in rated if score), key=lambda pair: -pair[0])[:top_k]
        return Retrieval.of(query, [item for _, item in found], [float(score) for score, _ in found])

    def get_capabilities(self) -> Capabilities:
        options = self._options
        kept = "its context goes on from session to session" if options.goes_on else "its files"
        versions = self._harness.versions()  # first: a program that is missing is told before what would hold it
        held = self._harness.jail().kind
        return Capabilities(
            modalities=("text", "image"),
            state=options.notes,
            ranked=False,
            delta=options.notes,
            verbatim=False,
            answers=True,
            persistent=True,
            versions={**versions, "held_by": held, "remembers_by": kept},
            remarks=tuple(_REMARKS[each] for each in (held, "context" if options.goes_on else "") if each in _REMARKS),
        )

    def answer(self, questions: Sequence[AskedQuestion]) -> Sequence[Answer]:
        with self._lock:
            return self._at_work().ask(questions)

    def close(self) -> None:
        """End whatever still runs; `reopen` goes on from the folder."""
        with self._lock:
            if self._conversation is not None:
                self._conversation.end()

    def _open(self, context: RunContext) -> Conversation:
        if self._conversation is not None:
            self._conversation.end()
        name = self._harness.name
        if context.model is None and self._harness.needs_model:
            raise ModelError(f"{name} works with a model: name one with --model inner=NAME (e.g. --model offline)")
        self._turns = []
        self._conversation = Conversation(
            Path(context.folder), self._harness, context.model, context.seed, self._options
        )
        return self._conversation

    def _at_work(self) -> Conversation:
        if self._conversation is None:
            raise RuntimeError("reset comes first")
        return self._conversation
