"""What a list holds that it should not: facts that an update had replaced, and interference."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from memarena.records import RetrievedItem, Sample
from memarena_arena.metrics import softmatch
from memarena_arena.metrics.softmatch import Passage
from memarena_arena.metrics.units import Ratio


class _Fact(NamedTuple):
    content: Passage
    instead: Passage | None
    """What replaced it."""
    since: float
    """Zero-based place of the session from which on it should not be there."""
    until: float
    """Place of the session in which it became true again."""

    def stands_in(self, text: Passage) -> bool:
        """Whether `text` holds this fact, and holds more of it than of what replaced it."""
        share = _share(self.content, text)
        return share >= 0.75 and (self.instead is None or share > _share(self.instead, text))


def _share(content: Passage, text: Passage) -> float:
    """Share of the distinct tokens of `content` that `text` has; 0 where it has none."""
    return len(content.words & text.words) / len(content.words) if content.words else 0.0


class Pollution:
    """Finds superseded facts and interference points of a sample in retrieved items, by rule iii of the soft match."""

    def __init__(self, sample: Sample) -> None:
        told: dict[str, list[int]] = {}
        for place, session in enumerate(sample.sessions):
            for point in session.gold("new", "update"):
                told.setdefault(softmatch.passage(point.content).joined, []).append(place)
        self._stale: list[_Fact] = []
        self._interference: list[_Fact] = []
        for place, session in enumerate(sample.sessions):
            for point in session.gold("update"):
                new = softmatch.passage(point.content)
                for text in point.replaces:
                    old = softmatch.passage(text)
                    again = (later for later in told.get(old.joined, ()) if later > place)
                    self._stale.append(_Fact(old, new, place, min(again, default=math.inf)))
            for point in session.gold("interference"):
                self._interference.append(_Fact(softmatch.passage(point.content), None, place, math.inf))
        self._found: dict[str, tuple[list[_Fact], list[_Fact]]] = {}

    def shares(self, items: Sequence[RetrievedItem], session: int) -> tuple[Ratio | None, Ratio | None]:
        """Share of `items` that hold a superseded fact, and an interference point, as of the session at that place.

        None without items, and where the sample has no such facts by then.
        """
        found = [self._facts_in(item.text) for item in items]
        return (
            _ratio([stale for stale, _ in found], self._stale, session),
            _ratio([interference for _, interference in found], self._interference, session),
        )

    def _facts_in(self, text: str) -> tuple[list[_Fact], list[_Fact]]:
        found = self._found.get(text)
        if found is None:
            passage = softmatch.passage(text)
            found = (
                [fact for fact in self._stale if fact.stands_in(passage)],
                [fact for fact in self._interference if fact.stands_in(passage)],
            )
            self._found[text] = found
        return found


def _ratio(found: Sequence[Iterable[_Fact]], known: Iterable[_Fact], session: int) -> Ratio | None:
    if not found or not any(fact.since <= session for fact in known):
        return None
    held = [any(fact.since <= session < fact.until for fact in facts) for facts in found]
    return Ratio(float(sum(held)), float(len(held)))
