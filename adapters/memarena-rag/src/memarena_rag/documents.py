"""What is searched: the rounds or turns of a dialogue, each as an item and as the text by which it is found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, NamedTuple

from memarena.records import MemoryChange, MemoryItem, Record, Turn
from memarena.rounds import Rounds, item_of, without_captions


class DocumentOptions(Record, frozen=True, kw_only=True):
    """What a document is."""

    unit: Literal["round", "turn"] = "round"
    """What a document is: a user's turn with the reply to it, or each turn alone."""
    captions: bool = True
    """Search the captions of pictures too. Either way they are in the text that is returned."""


class Document(NamedTuple):
    """An item and the text by which it is found."""

    item: MemoryItem
    searched: str


class Documents:
    """Cuts what is said into documents."""

    def __init__(self, options: DocumentOptions) -> None:
        self._captions = options.captions
        self._rounds = Rounds(single=options.unit == "turn")

    def add(self, turn: Turn) -> list[Document]:
        """The documents that `turn` completes."""
        return [self._document(turns) for turns in self._rounds.add(turn)]

    def flush(self) -> list[Document]:
        """The document that is still open at the end of a session."""
        return [self._document(turns) for turns in self._rounds.flush()]

    def _document(self, turns: Sequence[Turn]) -> Document:
        item = item_of(turns)
        return Document(item, item.text if self._captions else without_captions(turns))


def added_in(items: Iterable[MemoryItem], session_id: str) -> tuple[MemoryChange, ...]:
    """What a session did to a store that only grows."""
    return tuple([item.added() for item in items if item.session_id == session_id])
