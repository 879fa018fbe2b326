"""The adapters that every table carries: nothing, constant, last-session, verbatim.

They bound the scale: a memory system that does not beat them adds nothing to what they do.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memarena.memory import whole_text
from memarena.records import (
    NOT_MENTIONED,
    Answer,
    AskedQuestion,
    Attachment,
    Capabilities,
    MemoryChange,
    MemoryItem,
    Retrieval,
    RunContext,
    Turn,
)

_EAST_ASIAN = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff"
_WORD = re.compile(rf"[^\W{_EAST_ASIAN}]+|[{_EAST_ASIAN}]")


def turn_line(turn: Turn) -> str:
    """The whole text of a turn behind its time and speaker: `[time] speaker: text`; the time only where it has one."""
    when = f"[{turn.time}] " if turn.time else ""
    return f"{when}{turn.speaker or turn.role}: {turn.text}"


def words(text: str) -> frozenset[str]:
    """The distinct words of `text` in lower case; each East Asian character is a word."""
    return frozenset(_WORD.findall(text.casefold()))


class Nothing:
    """Keeps nothing and finds nothing."""

    def reset(self, context: RunContext) -> None:
        pass

    def ingest_turn(self, turn: Turn) -> None:
        pass

    def end_session(self, session_id: str) -> None:
        pass

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        return ()

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        return ()

    def retrieve(self, query: str) -> Retrieval:
        return Retrieval(query=query)

    def get_capabilities(self) -> Capabilities:
        return Capabilities(modalities=(), delta=True)


class Constant:
    """Answers by itself, and always the same: `Not mentioned in memory.`"""

    def reset(self, context: RunContext) -> None:
        pass

    def ingest_turn(self, turn: Turn) -> None:
        pass

    def end_session(self, session_id: str) -> None:
        pass

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        return ()

    def export_memory_delta(self, session_id: str) -> None:
        return None

    def retrieve(self, query: str) -> Retrieval:
        return Retrieval(query=query)

    def answer(self, questions: Sequence[AskedQuestion]) -> Sequence[Answer]:
        return tuple(Answer(question_id=asked.question_id, text=NOT_MENTIONED) for asked in questions)

    def get_capabilities(self) -> Capabilities:
        return Capabilities(modalities=(), state=False, ranked=False, answers=True)


class Verbatim:
    """Keeps each turn as an item, and each further picture of a turn as one of its own.

    `retrieve` ranks by the share of the question's words that an item has; among equals the newest comes first.
    """

    def __init__(self) -> None:
        self._items: list[MemoryItem] = []
        self._words: list[frozenset[str]] = []

    def reset(self, context: RunContext) -> None:
        self._items = []
        self._words = []

    def ingest_turn(self, turn: Turn) -> None:
        for item in _items_of(turn):
            self._items.append(item)
            self._words.append(words(item.text))

    def end_session(self, session_id: str) -> None:
        pass

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        return tuple(self._items)

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        return tuple(item.added() for item in self._items if item.session_id == session_id)

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        asked = words(query)
        shared = [len(asked & held) for held in self._words]
        newest_first = range(len(shared) - 1, -1, -1)
        best = sorted(newest_first, key=shared.__getitem__, reverse=True)[:top_k]
        scores = [shared[place] / max(len(asked), 1) for place in best]
        return Retrieval.of(query, (self._items[place] for place in best), scores)

    def get_capabilities(self) -> Capabilities:
        return Capabilities(modalities=("text", "image"), delta=True, verbatim=True)


class LastSession(Verbatim):
    """Keeps the turns of the newest session only, and ranks them as `verbatim` does."""

    def __init__(self) -> None:
        super().__init__()
        self._session: str | None = None
        self._forgotten: list[MemoryItem] = []

    def reset(self, context: RunContext) -> None:
        super().reset(context)
        self._session = None
        self._forgotten = []

    def ingest_turn(self, turn: Turn) -> None:
        self._enter(turn.session_id)
        super().ingest_turn(turn)

    def end_session(self, session_id: str) -> None:
        self._enter(session_id)

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        if session_id != self._session:
            return ()
        gone = tuple(MemoryChange(op="delete", memory_id=item.memory_id, text=item.text) for item in self._forgotten)
        return (*gone, *super().export_memory_delta(session_id))

    def _enter(self, session_id: str) -> None:
        if session_id != self._session:
            self._session = session_id
            self._forgotten, self._items, self._words = self._items, [], []


def _items_of(turn: Turn) -> list[MemoryItem]:
    first, *others = turn.attachments or (Attachment(),)
    whole = MemoryItem(
        memory_id=turn.turn_id,
        text=turn_line(turn),
        session_id=turn.session_id,
        turn_ids=(turn.turn_id,),
        image_id=first.image_id,
        image_path=first.path or "",
    )
    return [whole, *(_picture_of(turn, picture, number) for number, picture in enumerate(others, 2))]


def _picture_of(turn: Turn, picture: Attachment, number: int) -> MemoryItem:
    return MemoryItem(
        memory_id=f"{turn.turn_id}#{number}",
        text=whole_text("", (picture,)),
        session_id=turn.session_id,
        turn_ids=(turn.turn_id,),
        image_id=picture.image_id,
        image_path=picture.path or "",
    )
