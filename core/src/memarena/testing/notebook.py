"""An adapter that claims every capability: for tests of what few systems can do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import ClassVar

import msgspec

from memarena.floors import turn_line, words
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


class Notebook:
    """Keeps turns word for word in a file, replaces `X is A` by `X is B`, and answers what it finds first.

    A subclass with a flaw names in `cannot` the capabilities that it does not claim.
    """

    cannot: ClassVar[tuple[str, ...]] = ()

    def __init__(self) -> None:
        self.path = Path()
        self.items: dict[str, MemoryItem] = {}
        self.pending: list[Turn] = []
        self.changes: list[MemoryChange] = []

    def reset(self, context: RunContext) -> None:
        self.path = Path(context.folder) / "notes.json"
        self.items, self.pending, self.changes = {}, [], []
        self.save()

    def reopen(self, context: RunContext) -> None:
        self.path = Path(context.folder) / "notes.json"
        kept = msgspec.json.decode(self.path.read_bytes(), type=list[MemoryItem])
        self.items, self.pending, self.changes = {item.memory_id: item for item in kept}, [], []

    def ingest_turn(self, turn: Turn) -> None:
        self.pending.append(turn)

    def end_session(self, session_id: str) -> None:
        self.changes = []
        for turn in self.pending:
            self.keep(self.item(turn))
        self.pending = []
        self.save()

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        return tuple(self.items.values())

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        return tuple(self.changes)

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        return Retrieval.of(query, self.ranking(query)[:top_k])

    def answer(self, questions: Sequence[AskedQuestion]) -> Sequence[Answer]:
        return [self.answer_one(asked) for asked in questions]

    def get_capabilities(self) -> Capabilities:
        return Capabilities(
            modalities=("text", "image"),
            delta="delta" not in self.cannot,
            updates="updates" not in self.cannot,
            verbatim="verbatim" not in self.cannot,
            answers="answers" not in self.cannot,
            persistent="persistent" not in self.cannot,
            parallel_safe="parallel_safe" not in self.cannot,
        )

    def item(self, turn: Turn) -> MemoryItem:
        """The item that keeps `turn`."""
        picture = turn.attachments[0] if turn.attachments else None
        return MemoryItem(
            memory_id=turn.turn_id,
            text=turn_line(turn),
            session_id=turn.session_id,
            turn_ids=(turn.turn_id,),
            image_path=(picture.path or "") if picture else "",
        )

    def keep(self, item: MemoryItem) -> None:
        """Add `item` after what it supersedes is gone."""
        self.replace(item)
        self.items[item.memory_id] = item
        self.changes.append(item.added())

    def replace(self, item: MemoryItem) -> None:
        """Delete the items that say `X is ...` where `item` does."""
        subject, verb, _ = item.text.partition("] ")[2].partition(" is ")
        for old in [old for old in self.items.values() if verb and f"{subject} is " in old.text]:
            del self.items[old.memory_id]
            self.changes.append(MemoryChange(op="delete", memory_id=old.memory_id, text=old.text))

    def save(self) -> None:
        """Write everything into the file."""
        self.path.write_bytes(msgspec.json.encode(tuple(self.items.values())))

    def ranking(self, query: str) -> list[MemoryItem]:
        """All items, those that share most words with `query` first."""
        asked = words(query)
        return sorted(self.items.values(), key=lambda item: len(asked & words(item.text)), reverse=True)

    def answer_one(self, asked: AskedQuestion) -> Answer:
        """The text of the best item."""
        best = self.ranking(asked.text)[:1]
        return Answer(
            question_id=asked.question_id,
            text=best[0].text if best else "",
            cited=tuple(item.memory_id for item in best),
            error="" if best else "nothing is kept",
        )
