"""One conversation of which each call of a model repeats what came before: only what is new is kept."""

from __future__ import annotations

from collections.abc import Sequence

from memarena_builder.traces.log import Shown, Uttered

Key = tuple[str, str, tuple[Shown, ...]]
"""What makes two turns the same: who says what, and the pictures."""


class Heard:
    """What was heard of a conversation so far."""

    def __init__(self) -> None:
        self.turns: list[Uttered] = []

    def add(self, turns: Sequence[Uttered]) -> None:
        """The turns of one more call: all that it repeats, then what it adds."""
        fresh = turns[self._known(turns) :]
        said = {_key(turn) for turn in self.turns if turn.role == "system"} if fresh else set()
        self.turns += [turn for turn in fresh if turn.role != "system" or _key(turn) not in said]

    def _known(self, turns: Sequence[Uttered]) -> int:
        """How many of the first `turns` were heard: as many as possible of the last ones, else of any in a row."""
        if not turns:
            return 0
        heard, keys = [_key(turn) for turn in self.turns], [_key(turn) for turn in turns]
        for length in range(min(len(keys), len(heard)), 0, -1):
            if heard[-length] == keys[0] and heard[-length:] == keys[:length]:
                return length
        starts = [place for place, key in enumerate(heard) if key == keys[0]]
        return max((_alike(heard[start:], keys) for start in starts), default=0)


def _key(turn: Uttered) -> Key:
    return turn.role, turn.text, turn.shown


def _alike(one: Sequence[Key], other: Sequence[Key]) -> int:
    """How many both have in common from the start."""
    for place, (a, b) in enumerate(zip(one, other, strict=False)):
        if a != b:
            return place
    return min(len(one), len(other))
