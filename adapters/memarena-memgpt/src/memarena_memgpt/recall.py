"""Recall storage: every message, word for word, appended and never changed; found by its words or its day."""

from __future__ import annotations

import math
from datetime import date

from memarena.floors import turn_line, words
from memarena.memory import whole_text
from memarena.records import Attachment, MemoryItem, Turn
from memarena_memgpt.days import day_of


class RecallStore:
    """Messages as items, in order."""

    def __init__(self) -> None:
        self.items: list[MemoryItem] = []
        self._days: list[date | None] = []
        self._places: dict[str, list[int]] = {}

    def __len__(self) -> int:
        return len(self.items)

    def add(self, turn: Turn) -> list[MemoryItem]:
        """Keep a message, and each further picture of it as an item of its own; returns the items."""
        added = _items_of(turn)
        for item in added:
            for word in words(item.text):
                self._places.setdefault(word, []).append(len(self.items))
            self.items.append(item)
            self._days.append(day_of(turn.time or ""))
        return added

    def search(self, query: str) -> list[MemoryItem]:
        """The messages that share a word with `query`; those whose shared words are rarest and most come first.

        A word that n of N messages have weighs log(1 + N / n). Among equals the newest comes first.
        """
        scores = [0.0] * len(self.items)
        for word in sorted(words(query)):
            places = self._places.get(word, ())
            weight = math.log1p(len(self.items) / len(places)) if places else 0.0
            for place in places:
                scores[place] += weight
        found = [place for place in range(len(scores) - 1, -1, -1) if scores[place]]
        return [self.items[place] for place in sorted(found, key=scores.__getitem__, reverse=True)]

    def search_days(self, start: date, end: date) -> list[MemoryItem]:
        """The messages from `start` to `end`, both included, oldest first; those without a day are left out."""
        return [
            item for item, day in zip(self.items, self._days, strict=True) if day is not None and start <= day <= end
        ]


def _items_of(turn: Turn) -> list[MemoryItem]:
    first, *others = turn.attachments or (Attachment(),)
    return [
        _item(turn, turn.turn_id, turn_line(turn), first),
        *(
            _item(turn, f"{turn.turn_id}#{number}", whole_text("", (picture,)), picture)
            for number, picture in enumerate(others, 2)
        ),
    ]


def _item(turn: Turn, memory_id: str, text: str, picture: Attachment) -> MemoryItem:
    return MemoryItem(
        memory_id=memory_id,
        text=text,
        status="archived",
        session_id=turn.session_id,
        turn_ids=(turn.turn_id,),
        image_id=picture.image_id,
        image_path=picture.path or "",
        metadata={"store": "recall", "time": turn.time},
    )
