"""Turns -> rounds: a user's turn and the reply to it."""

from __future__ import annotations

from collections.abc import Sequence

from memarena.floors import turn_line
from memarena.records import MemoryItem, Turn


class Rounds:
    """Pairs each user's turn with the next turn of anybody else; a turn without a partner stays alone."""

    def __init__(self) -> None:
        self._waiting: Turn | None = None

    def add(self, turn: Turn) -> list[tuple[Turn, ...]]:
        """The rounds that `turn` completes."""
        waiting, self._waiting = self._waiting, None
        if turn.role == "user":
            self._waiting = turn
            return [] if waiting is None else [(waiting,)]
        return [(turn,) if waiting is None else (waiting, turn)]

    def flush(self) -> list[tuple[Turn, ...]]:
        """The round that is still open: none crosses the end of a session."""
        waiting, self._waiting = self._waiting, None
        return [] if waiting is None else [(waiting,)]


def item_of(turns: Sequence[Turn]) -> MemoryItem:
    """A round as one item, a line `[time] speaker: text` a turn, with its first picture."""
    pictures = [picture for turn in turns for picture in turn.attachments]
    return MemoryItem(
        memory_id="+".join(turn.turn_id for turn in turns),
        text="\n".join(map(turn_line, turns)),
        session_id=turns[0].session_id,
        turn_ids=tuple(turn.turn_id for turn in turns),
        image_id=pictures[0].image_id if pictures else "",
        image_path=(pictures[0].path or "") if pictures else "",
        metadata={"store": "queue"},
    )
