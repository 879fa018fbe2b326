"""What a sentence says: the words and values that it holds to be so, denies, retires or only mentions."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memarena_arena.language.dates import Period
from memarena_arena.language.lexicon import NEGATIONS, PERSONAL, SPEAKING
from memarena_arena.language.polarity import TURNING, Turned, turned
from memarena_arena.language.terms import WORD, terms
from memarena_arena.language.values import is_value
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
    names: frozenset[str]
    """Keys of words with a capital inside the sentence."""
    values: frozenset[str]
    subject: str
    """The key of the first word with content, where it has a capital; else ""."""
    periods: tuple[Period, ...]
    personal: bool
    """It has a personal pronoun that may stand for its subject."""
    spoken: bool
    """It speaks in the first or second person, as a turn does."""
    called: frozenset[str]
    """Keys of the names that it calls somebody by, as in `Thanks, Ann!`."""
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
    opening = next((term.key for term in found if term.key), "")
    capital = first is not None and first[0][0].isupper() and stem(first[0].lower()) == opening

    def at(places: frozenset[int]) -> frozenset[str]:
        return frozenset(found[place].key for place in places) & keys

    return Statement(
        text=text,
        keys=keys,
        held=at(frozenset(range(len(found))) - aside) if aside else keys,
        denied=at(marks.denied),
        retired=at(marks.retired),
        hedged=at(marks.hedged),
        names=frozenset(term.key for term in found if term.name),
        values=frozenset(filter(is_value, keys)),
        subject=opening if capital else "",
        periods=tuple(periods),
        personal=not words.isdisjoint(PERSONAL),
        spoken=not words.isdisjoint(SPEAKING),
        called=frozenset(stem(each.lower()) for each in _CALLED.findall(text)),
        relative=_RELATIVE.search(text) is not None,
    )
