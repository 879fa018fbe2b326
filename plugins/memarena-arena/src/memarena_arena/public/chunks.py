"""A long text as turns: cut at line ends, at sentence ends, or at blanks, whichever is there."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

from memarena.records import Session, Turn

LETTERS = 4
"""Letters of a token, as far as chunks go."""

_ENDS = ("\n", ". ", " ")


class Context:
    """The chunks of `text`, at most `tokens` tokens each, `size` of them a session `S001`, ...

    Every letter of `text` is in one chunk; chunks of white space only are left out of the sessions.
    """

    def __init__(self, text: str, tokens: int, size: int) -> None:
        self.text = text
        self._starts: list[int] = []
        turns: list[Turn] = []
        for start, end in _cuts(text, tokens * LETTERS):
            body = text[start:end]
            if not body.strip():
                continue
            self._starts.append(start)
            session_id = f"S{len(turns) // size + 1:03}"
            index = len(turns) % size
            turns.append(
                Turn(turn_id=f"{session_id}:T{index:03}", session_id=session_id, index=index, text=body, body=body)
            )
        self._turns = tuple(turns)
        self.sessions = tuple(
            Session(session_id=turns[place].session_id, turns=tuple(turns[place : place + size]))
            for place in range(0, len(turns), size)
        )

    def turns(self, start: int, end: int) -> tuple[Turn, ...]:
        """The turns that hold the letters from `start` to `end`."""
        first = max(bisect_right(self._starts, start) - 1, 0)
        last = max(bisect_right(self._starts, max(end - 1, start)), first + 1)
        return self._turns[first:last]


def _cuts(text: str, longest: int) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = start + longest
        if end < len(text):
            half = start + longest // 2
            found = ((text.rfind(mark, half, end), len(mark)) for mark in _ENDS)
            end = next((place + length for place, length in found if place > start), end)
        yield start, min(end, len(text))
        start = end
