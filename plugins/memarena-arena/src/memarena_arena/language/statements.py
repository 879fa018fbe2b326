"""What a sentence says: the words and values that it holds to be so, denies, retires or only mentions."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from memarena_arena.language.dates import Period
from memarena_arena.language.lexicon import FIRST, HEDGES, NEGATIONS, PERSONAL, SECOND, SPEAKING
from memarena_arena.language.polarity import TURNING, UNREAL, Turned, turned
from memarena_arena.language.terms import WORD, Term, terms
from memarena_arena.language.values import NUMBER, is_value
from memarena_arena.language.words import fold, stem

KEPT = 1 << 16
"""Sentences that are kept read."""

_RELATIVE = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|ago|last|next|this (?:week|month|year|morning|weekend))\b|昨|今|明", re.I
)
_CALLED = re.compile(
    r"(?:^|[,!.]\s{0,3}|\b(?i:hey|hi|hello|thanks|thx|wow|yeah|yes|oh|congrats|sorry|sure|yep)\s{1,3})"
    r"([A-Z][a-z]+)\s?(?=[,!.?]|$)"
)
_FULL_NAME = r"([A-Z][\w'-]+(?:\s[A-Z][\w'-]+)?)"
_INTRODUCED = re.compile(
    rf"\b(?:I'm|I am|[Mm]y name(?:'s| is)|[Cc]all me|[Tt]his is)\s{_FULL_NAME}|{_FULL_NAME}\shere\b"
    r"|([A-Z][\w'-]+\s[A-Z][\w'-]+),(?:\s[^,.;]{1,20},)?\sI\b"
)
_JOINED = re.compile(r"\W*(?:[A-Z][\w'-]*\s){1,2}and\s[A-Z][\w'-]*(?=\s)")
_NOTHING = Turned(frozenset(), frozenset(), frozenset())


class Statement(NamedTuple):
    """A sentence, as sets of keys."""

    text: str
    keys: frozenset[str]
    """All content: stems, and the keys of numbers, times and ids."""
    held: frozenset[str]
    """What it holds to be so."""
    denied: frozenset[str]
    retired: frozenset[str]
    """What it says was so before."""
    hedged: frozenset[str]
    """What it mentions as a joke, a rumour, a condition, or a thing called off."""
    supposed: frozenset[str]
    """What of that is the condition of an `if`."""
    names: frozenset[str]
    """Keys of words with a capital inside the sentence."""
    full_names: tuple[frozenset[str], ...]
    """The same, those side by side together: `Ruth Ames` is one of these."""
    values: frozenset[str]
    counts: frozenset[tuple[str, str]]
    """Numbers, each with the word that follows it: what it counts."""
    subject: frozenset[str]
    """The keys of the words with a capital that open it, as far as they go."""
    periods: tuple[Period, ...]
    personal: bool
    """It has a personal pronoun that may stand for its subject."""
    spoken: bool
    """It speaks in the first or second person, as a turn does."""
    first: bool
    """It speaks in the first person."""
    second: bool
    """It speaks to somebody, and of nobody else in the first person."""
    called: frozenset[str]
    """Keys of the names that it calls somebody by, as in `Thanks, Ann!`."""
    introduced: frozenset[str]
    """Keys of the name that the speaker gives as their own, as in `I'm Ann`."""
    relative: bool
    """It has a date that hangs on the day on which it was said."""


@lru_cache(maxsize=KEPT)
def statement(text: str) -> Statement:
    """What a sentence says."""
    text = fold(text)
    found, periods = terms(text)
    words = {term.word for term in found}
    keys = frozenset(term.key for term in found if term.key and term.word not in NEGATIONS)
    marks = _NOTHING if words.isdisjoint(TURNING) else turned(text, found)
    aside = marks.retired | marks.denied | marks.hedged
    first = WORD.search(text)
    opening = next((term for term in found if term.key), None)
    capital = first is not None and first[0][0].isupper() and opening is not None and opening.word == first[0].lower()
    full_names = _full_names(found, opening if capital else None)
    subject = next((keys for keys in full_names if opening and opening.key in keys), frozenset())

    def at(places: frozenset[int]) -> frozenset[str]:
        return frozenset(found[place].key for place in places) & keys

    return Statement(
        text=text,
        keys=keys,
        held=at(frozenset(range(len(found))) - aside) if aside else keys,
        denied=at(marks.denied),
        retired=at(marks.retired),
        hedged=at(marks.hedged),
        supposed=at(marks.hedged) if words & HEDGES == {"if"} and words.isdisjoint(UNREAL) else frozenset(),
        names=frozenset(term.key for term in found if term.name),
        full_names=tuple(name for name in full_names if name is not subject),
        values=frozenset(filter(is_value, keys)),
        counts=frozenset(
            (one.key, other.key)
            for one, other in pairwise(found)
            if one.key[:1] == NUMBER and other.key and other.key[0] != NUMBER
        ),
        subject=subject | _beside(text, found, subject) if capital else frozenset(),
        periods=tuple(periods),
        personal=not words.isdisjoint(PERSONAL),
        spoken=not words.isdisjoint(SPEAKING),
        first=not words.isdisjoint(FIRST),
        second=not words.isdisjoint(SECOND) and words.isdisjoint(FIRST),
        called=frozenset(stem(each.lower()) for each in _CALLED.findall(text)),
        introduced=frozenset(stem(word) for each in _INTRODUCED.finditer(text) for word in _own_name(each)),
        relative=_RELATIVE.search(text) is not None,
    )


def _own_name(found: re.Match[str]) -> list[str]:
    return " ".join(filter(None, found.groups())).lower().split()


def _beside(text: str, found: Sequence[Term], subject: frozenset[str]) -> frozenset[str]:
    """The name that an `and` joins to the one that opens the sentence, as in `Ann and Bob moved`."""
    joined = _JOINED.match(text)
    if joined is None or not subject:
        return frozenset()
    return frozenset(term.key for term in found if term.name and term.start < joined.end()) - subject


def _full_names(found: Sequence[Term], opening: Term | None) -> list[frozenset[str]]:
    """The names side by side, together; `opening` counts as a name."""
    out: list[list[str]] = []
    end = -1
    for place, term in enumerate(found):
        if term.name or term is opening:
            if place == end + 1 and out and found[place - 1].clause == term.clause:
                out[-1].append(term.key)
            else:
                out.append([term.key])
            end = place
    return [frozenset(name) for name in out]
