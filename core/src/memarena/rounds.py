"""Turns -> rounds, for memories that keep a user's turn and the reply to it as one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from memarena.floors import turn_line
from memarena.records import MemoryItem, Turn


class Rounds:
    """Pairs each user's turn with the next turn of anybody else; a turn without a partner stays alone.

    With `single`, every turn stays alone. A round never crosses the end of a session: `flush` there.
    """

    def __init__(self, *, single: bool = False) -> None:
        self._single = single
        self._waiting: Turn | None = None

    def add(self, turn: Turn) -> list[tuple[Turn, ...]]:
        """The rounds that `turn` completes."""
        if self._single:
            return [(turn,)]
        waiting, self._waiting = self._waiting, None
        if turn.role == "user":
            self._waiting = turn
            return [] if waiting is None else [(waiting,)]
        return [(turn,) if waiting is None else (waiting, turn)]

    def flush(self) -> list[tuple[Turn, ...]]:
        """The round that is still open."""
        waiting, self._waiting = self._waiting, None
        return [] if waiting is None else [(waiting,)]


def item_of(turns: Sequence[Turn], metadata: Mapping[str, Any] | None = None) -> MemoryItem:
    """A round as one item, a line `[time] speaker: text` a turn; its picture is the first, `image_ids` names all."""
    pictures = [picture for turn in turns for picture in turn.attachments]
    shown = {"image_ids": [picture.image_id for picture in pictures]} if pictures else {}
    return MemoryItem(
        memory_id="+".join(turn.turn_id for turn in turns),
        text="\n".join(turn_line(turn) for turn in turns),
        session_id=turns[0].session_id,
        turn_ids=tuple(turn.turn_id for turn in turns),
        image_id=pictures[0].image_id if pictures else "",
        image_path=(pictures[0].path or "") if pictures else "",
        metadata=shown | dict(metadata or {}),
    )


def without_captions(turns: Sequence[Turn]) -> str:
    """The same lines without their picture blocks."""
    return "\n".join(turn_line(replace(turn, text=turn.body) if turn.attachments else turn) for turn in turns)
