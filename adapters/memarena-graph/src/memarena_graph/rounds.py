"""Turns -> the texts of which the model is asked for facts: a user's turn with the reply to it, or a turn alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memarena.floors import turn_line
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


def pieces(turns: Sequence[Turn], longest: int) -> Iterator[tuple[tuple[Turn, ...], str]]:
    """The text of a round in pieces of at most `longest` characters, each with the turns that it holds words of.

    A piece ends at a blank where there is one; turns without words are left out.
    """
    held: list[Turn] = []
    lines: list[str] = []
    for turn in turns:
        if not turn.text.strip():
            continue
        line = turn_line(turn)
        if held and sum(map(len, lines)) + len(lines) + len(line) > longest:
            yield tuple(held), "\n".join(lines)
            held, lines = [], []
        while len(line) > longest:
            cut = line.rfind(" ", 1, longest)
            cut = longest if cut < 0 else cut
            yield (turn,), line[:cut]
            line = line[cut:].strip()
        if line:
            held.append(turn)
            lines.append(line)
    if held:
        yield tuple(held), "\n".join(lines)
