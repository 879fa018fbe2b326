"""Sentences of the shown items, ranked by what they share with a question."""

from __future__ import annotations

import heapq
import math
from collections.abc import Sequence, Set
from datetime import date
from typing import NamedTuple

from memarena_arena.language.dates import Period
from memarena_arena.language.documents import Document
from memarena_arena.language.lexicon import PICTURED, REASONS, SETTLING
from memarena_arena.language.lines import Line
from memarena_arena.language.periods import Match, match
from memarena_arena.language.questions import Kind, Query
from memarena_arena.language.spoken import said
from memarena_arena.language.statements import Statement
from memarena_arena.language.words import stems

BESIDE = 0.5
"""Worth of a word in the sentence before or after, against one in the sentence itself."""
REPLY = 1.0
"""Worth of a word of a question in the sentence that replies to it."""
ABSENT = 0.6
"""What is left of the score of a sentence with nothing of the one whom the question is about near it."""
WINDOW = 3
"""Sentences before and after that count as beside, within a turn."""
SEARCHED = 40
"""Sentences of an item that are looked at closely, at most, with those near them."""
ASKS = 0.3
"""What is left of the score of a sentence that is itself a question."""
CAPTION = 0.6
"""What is left of the score of a caption where the question does not speak of pictures."""
ABOUT_OTHERS = 1.2
"""Where a sentence of somebody else is better by this factor than all of the person asked about, the shown items tell
of somebody else: nothing supports an answer."""
HEDGED = 0.3
"""What is left of the score of a sentence that tells a word of the question as a joke or a condition."""
OTHER_TIME = 0.6
"""What is left of the score of a sentence said at another time than the question names."""


class Passage(NamedTuple):
    """A sentence of an item, with what it shares with the question."""

    score: float
    covered: float
    """Share of the question's words, by weight, that it has, its neighbours and its speaker included."""
    own: float
    """The part of the score that comes from the sentence itself."""
    strange: bool
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
    def turn_id(self) -> tuple[int, int]:
        """The item and the turn in which it stands."""
        return self.item, self.text.turns[self.place]

    @property
    def line(self) -> Line:
        """The line in which it stands."""
        return self.text.lines[self.text.places[self.place]]

    @property
    def turn(self) -> list[Statement]:
        """All sentences of its turn that are near it."""
        number = self.text.turns[self.place]
        first = max(self.place - 8, 0)
        return [
            each
            for at, each in enumerate(self.text.statements[first : self.place + 9], first)
            if self.text.turns[at] == number
        ]


def weigh(query: Query, texts: Sequence[Document]) -> dict[str, float]:
    """The weight of each word of the question: the rarer among the sentences, the heavier."""
    total = sum(len(text.statements) for text in texts)
    out = {}
    for key in query.keys:
        holding = sum(len(text.postings.get(key, ())) for text in texts)
        out[key] = math.log(1 + (total + 1) / (holding + 0.5))
    if settling := stems(SETTLING) & out.keys():
        heaviest = max(out[key] for key in settling)
        out.update((key, heaviest) for key in sorted(stems(SETTLING) - settling))
    if query.kind is Kind.WHY and out:
        out.update((key, max(out.values()) / 2) for key in sorted(stems(REASONS) - out.keys()))
    return out


class _Search(NamedTuple):
    """A question before the texts that are shown."""

    query: Query
    weights: dict[str, float]
    total: float
    known: frozenset[str]
    """Keys of the names of all who speak."""
    told_of: bool
    """The one whom the question is about is spoken of by others, and is not `user`."""


def rank(query: Query, texts: Sequence[Document], most: int = 40) -> list[Passage]:
    """The best sentences for the question, best first; ties in the order of the items."""
    known = frozenset().union(*(text.known for text in texts))
    weights = weigh(query, texts)
    users = frozenset().union(*(text.users for text in texts))
    told_of = query.subject not in users and any(query.subject in text.said_keys for text in texts)
    search = _Search(query, weights, sum(weights[key] for key in query.keys) or 1.0, known, told_of)
    out = [passage for item, text in enumerate(texts) for passage in _candidates(search, item, text)]
    out.sort(key=lambda each: (-each.score, each.item, each.place))
    own = [each for each in out if not each.strange]
    about_others = bool(own) and out[0].score > ABOUT_OTHERS * own[0].score
    return [] if about_others else own[:most]


def _candidates(search: _Search, item: int, text: Document) -> list[Passage]:
    """The sentences around those that have the heaviest words of the question."""
    query, weights = search.query, search.weights
    needed = weights.keys() - (query.names - query.target)
    out = []
    for place in _near(weights, text):
        mine = weights.keys() & _keys(text, place)
        beside = weights.keys() & frozenset().union(*(_keys(text, other) for other in _beside(text, place))) - mine
        if needed and needed.isdisjoint(mine | beside):
            continue
        missing = bool(query.subject) and query.subject not in mine | beside
        if missing and not search.told_of and _user_speaks(text, place):
            beside |= {query.subject}
        replied = beside & _asked(text, place)
        own = _sum(weights, mine)
        score = own + BESIDE * _sum(weights, beside) + (REPLY - BESIDE) * _sum(weights, replied)
        share = _fit(query, weights, text, place) * (ABSENT if missing and search.told_of and not text.known else 1.0)
        covered = min(_sum(weights, mine | beside) / search.total, 1.0)
        strange = _stranger(query, text, place, search.known) or (
            missing and search.told_of and text.attributed and not text.known
        )
        out.append(Passage(score * share, covered, own * share, strange, item, place, text))
    return out


def _sum(weights: dict[str, float], keys: Set[str]) -> float:
    return sum(weights[key] for key in sorted(keys))


def _near(weights: dict[str, float], text: Document) -> list[int]:
    """The places of the sentences that have most of the question, and of those near them."""
    own: dict[int, float] = {}
    for key in sorted(weights, key=lambda each: (-weights[each], each)):
        places = text.postings.get(key, ())
        if len(own) >= SEARCHED and len(places) > SEARCHED:
            break
        for place in places:
            own[place] = own.get(place, 0.0) + weights[key]
    near: set[int] = set()
    for place in heapq.nsmallest(SEARCHED, own, key=lambda place: (-own[place], place)):
        near.update(range(max(place - WINDOW, 0), min(place + WINDOW + 1, len(text.statements))))
    return sorted(near)


def _asked(text: Document, place: int) -> frozenset[str]:
    """Keys of the question that the turn before ends with, where `place` opens the reply to it."""
    for other in (place - 1, place - 2):
        if other >= 0 and text.turns[other] == text.turns[place] - 1:
            return text.statements[other].keys if asks(text.statements[other]) else frozenset()
    return frozenset()


def asks(sentence: Statement) -> bool:
    """Whether a sentence is a question."""
    return sentence.text.rstrip("\"'”’) ").endswith(("?", "？"))


def _user_speaks(text: Document, place: int) -> bool:
    """Whether a sentence is said by `user` of themselves, whose name a dialogue of roles seldom tells."""
    return text.lines[text.places[place]].speaker.lower() == "user" and text.statements[place].spoken


def _keys(text: Document, place: int) -> frozenset[str]:
    return text.statements[place].keys | text.speakers[place]


def _beside(text: Document, place: int) -> list[int]:
    """The sentences near `place` in its turn, and the end of the turn before."""
    turn = text.turns[place]
    around = range(max(place - WINDOW, 0), min(place + WINDOW + 1, len(text.statements)))
    return [
        other
        for other in around
        if other != place and (text.turns[other] == turn or (turn - 1 == text.turns[other] and place - other <= 2))
    ]


def _stranger(query: Query, text: Document, place: int, known: frozenset[str]) -> bool:
    """Whether a sentence is of somebody else than the one the question is about, who speaks elsewhere.

    Who speaks in the second person alone tells of the one spoken to.
    """
    about = query.names & (known | {query.subject})
    who, sentence = text.speakers[place], text.statements[place]
    meant = known - who if sentence.second else who
    named = meant | (sentence.keys - sentence.called)
    return bool(about) and bool(who) and about.isdisjoint(named)


def _fit(query: Query, weights: dict[str, float], text: Document, place: int) -> float:
    """What is left of the score, after whether it asks, and when it was said."""
    sentence = text.statements[place]
    share = HEDGED if sentence.hedged & weights.keys() - query.names else 1.0
    share *= ASKS if asks(sentence) else 1.0
    about_pictures = query.kind is Kind.PICTURE or not stems(PICTURED).isdisjoint(query.keys)
    if text.lines[text.places[place]].is_caption and not about_pictures:
        share *= CAPTION
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
