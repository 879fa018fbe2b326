"""Turns -> what one note is made of: a user's turn and the reply to it, or a turn alone."""

from __future__ import annotations

from memarena.records import Turn


class Rounds:
    """Pairs each user's turn with the next turn of anybody else; with `single`, every turn stays alone."""

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
        """The round that is still open: none crosses the end of a session."""
        waiting, self._waiting = self._waiting, None
        return [] if waiting is None else [(waiting,)]
