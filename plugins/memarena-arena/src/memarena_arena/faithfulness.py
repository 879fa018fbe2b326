"""Is a memory true to the dialogue that it came from?"""

from __future__ import annotations

from collections.abc import Sequence

from memarena_arena.language.documents import Spot, document
from memarena_arena.language.lines import lines
from memarena_arena.language.statements import Statement
from memarena_arena.readings import Reading
from memarena_arena.support import Telling, claim, supports

CLOSE = 0.6
"""Share of a sentence's words that neighbouring turns must have for it to be told as it was said."""
NEAR = 0.25
"""Share above which a sentence is about something that was said."""
WIDTH = 3
"""Neighbouring sentences of the dialogue that a sentence of a memory may sum up, at least."""


class Dialogue:
    """The turns of a session and its gold points, against which memories are held."""

    def __init__(self, turns: Sequence[str], points: Sequence[str]) -> None:
        self._turns = document("\n".join(turns))
        self._points = [document(point) for point in points]
        self._keys = self._turns.keys.union(*(each.keys for each in self._points))
        self._folded = [" ".join(text.split()).casefold() for text in (*turns, *points)]

    def judge(self, memory: str) -> str:
        """`correct`, `hallucination` (about what was said, but a value or a denial differs) or `irrelevant`."""
        text = document(memory)
        if not text.statements or not text.keys:
            return "irrelevant"
        if self._repeats(memory):
            return "correct"
        told = Telling(claim(memory))
        if any(supports(told, Reading(each)) for each in self._points):
            return "correct"
        weights = [max(len(each.keys), 1) for each in text.statements]
        grades = [self._grade(each) for each in text.statements]
        if any(contradicts for _, contradicts in grades):
            return "hallucination"
        share = sum(grade * weight for (grade, _), weight in zip(grades, weights, strict=True)) / sum(weights)
        return "correct" if share >= CLOSE else "hallucination" if share >= NEAR else "irrelevant"

    def _repeats(self, memory: str) -> bool:
        """Whether the memory is the dialogue word for word, but for heads of lines."""
        bodies = [" ".join(line.body.split()).casefold() for line in lines(memory)]
        return bool(bodies) and all(any(body in turn for turn in self._folded) for body in bodies)

    def _grade(self, told: Statement) -> tuple[float, bool]:
        """The share of a sentence's words that is found close together, and whether it contradicts what is there."""
        wanted = told.keys - told.subject or told.keys
        if not wanted:
            return 1.0, False
        share, spot = self._closest(wanted)
        if share < NEAR:
            return share, False
        foreign = not told.values <= self._keys or any(name.isdisjoint(self._keys) for name in told.full_names)
        turned = told.held & spot.denied and not told.denied and len(wanted & spot.held) * 2 < len(wanted)
        turned = turned or (told.denied and not spot.denied and len(told.denied & spot.held) * 2 >= len(told.denied))
        joked = told.held & spot.hedged - spot.held
        return share, bool(foreign or turned or (joked and not told.hedged and len(joked) * 2 >= len(wanted)))

    def _closest(self, wanted: frozenset[str]) -> tuple[float, Spot]:
        best, where = 0.0, self._turns.spot(range(0))
        for source in (self._turns, *self._points):
            for span in source.spans(wanted, WIDTH, most=6):
                spot = source.spot(span)
                share = len(wanted & spot.keys) / len(wanted)
                if share > best:
                    best, where = share, spot
        return best, where
