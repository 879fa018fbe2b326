"""Sentences of the shown items, ranked by what they share with a question."""

from __future__ import annotations

import math
from collections.abc import Sequence
from datetime import date
from typing import NamedTuple

from memarena_arena.language.dates import Period
from memarena_arena.language.documents import Document
from memarena_arena.language.lines import Line
from memarena_arena.language.periods import Match, match
from memarena_arena.language.questions import Query
from memarena_arena.language.spoken import said
from memarena_arena.language.statements import Statement

BESIDE = 0.5
"""Worth of a word in the sentence before or after, against one in the sentence itself."""
ASKS = 0.3
"""What is left of the score of a sentence that is itself a question."""
STRANGER = 0.35
"""What is left of the score of a sentence that somebody else says about themselves."""
OTHER_TIME = 0.6
"""What is left of the score of a sentence said at another time than the question names."""


class Passage(NamedTuple):
    """A sentence of an item, with what it shares with the question."""

    score: float
    covered: float
    """Share of the question's words, by weight, that it has, its neighbours and its speaker included."""
    item: int
    place: int
    text: Document

    @property
    def said(self) -> Statement:
        """The sentence."""
        return self.text.statements[self.place]

    @property
    def day(self) -> date | None:
        """The day on which it was said."""
        return self.text.days[self.place]

    @property
    def line(self) -> Line:
        """The line in which it stands."""
        return self.text.lines[self.text.places[self.place]]


def weigh(query: Query, texts: Sequence[Document]) -> dict[str, float]:
    """The weight of each word of the question: the rarer among the sentences, the heavier."""
    total = sum(len(text.statements) for text in texts)
    out = {}
    for key in query.keys:
        holding = sum(len(text.postings.get(key, ())) for text in texts)
        out[key] = math.log(1 + (total + 1) / (holding + 0.5))
    return out


def rank(query: Query, texts: Sequence[Document], most: int = 40) -> list[Passage]:
    """The best sentences for the question, best first; ties in the order of the items."""
    weights = weigh(query, texts)
    known = frozenset().union(*(who for text in texts for who in set(text.speakers)))
    out = []
    for item, text in enumerate(texts):
        for place, score, covered in _candidates(weights, text):
            share = _fit(query, text, place, known)
            out.append(Passage(score * share, covered * min(share * 2, 1.0), item, place, text))
    out.sort(key=lambda each: (-each.score, each.item, each.place))
    return out[:most]


def _candidates(weights: dict[str, float], text: Document) -> list[tuple[int, float, float]]:
    own: dict[int, float] = {}
    has: dict[int, set[str]] = {}
    for key, weight in weights.items():
        for place in text.postings.get(key, ()):
            own[place] = own.get(place, 0.0) + weight
            has.setdefault(place, set()).add(key)
    total = sum(weights.values()) or 1.0
    near: set[int] = set(own)
    for place in own:
        near.update(other for other in (place - 1, place + 1) if 0 <= other < len(text.statements))
    out = []
    for place in sorted(near):
        mine = has.get(place, set())
        beside = set().union(*(has.get(other, set()) for other in (place - 2, place - 1, place + 1))) - mine
        extra = sum(weights[key] for key in beside)
        score = own.get(place, 0.0) + BESIDE * extra
        covered = (own.get(place, 0.0) + extra) / total
        out.append((place, score, covered))
    return out


def _fit(query: Query, text: Document, place: int, known: frozenset[str]) -> float:
    """What is left of the score, after whether it asks, who speaks, and when."""
    sentence = text.statements[place]
    share = ASKS if sentence.text.rstrip("\"'”’) ").endswith(("?", "？")) else 1.0
    about = query.names & known
    who = text.speakers[place]
    if about and who and not who & about and not sentence.keys & about:
        share *= STRANGER
    if query.periods and not _at_time(query.periods, text, place):
        share *= OTHER_TIME
    return share


def _at_time(wanted: tuple[Period, ...], text: Document, place: int) -> bool:
    day = text.days[place]
    given = [each.period for each in said(text.statements[place].text, day)]
    if day is not None:
        given.append(Period(day, day))
    if not given:
        return True
    return any(match(one, other) is not Match.OTHER for one in given for other in wanted)
