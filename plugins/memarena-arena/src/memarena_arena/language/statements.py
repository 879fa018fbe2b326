"""What a sentence says: the words and values that it holds to be so, denies, retires or only mentions."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from memarena_arena.language import values
from memarena_arena.language.dates import MONTHS, WEEKDAYS, Period
from memarena_arena.language.lexicon import (
    CHANGES,
    HEDGES,
    NEGATIONS,
    NEGATIONS_HAN,
    NOT_NEGATING,
    RETIRING,
)
from memarena_arena.language.relative import extract_anchored
from memarena_arena.language.words import SINGLE, fold, is_content, number_word, stem

_WORD = re.compile(rf"[{SINGLE}]|[^\W\d_{SINGLE}]+(?:'[^\W\d_{SINGLE}]+)*")
_BREAK = re.compile(
    r"[,;:()\[\].!?。，；：！？、—–]|\s-\s|\b(?:but|because|although|though|while|whereas|however|so|which|who|that)\b",
    re.I,
)
_HARMLESS = re.compile("|".join(map(re.escape, NOT_NEGATING)), re.I)
_PERSON = frozenset(
    [
        "i",
        "i'm",
        "i've",
        "i'd",
        "i'll",
        "me",
        "my",
        "mine",
        "we",
        "us",
        "our",
        "he",
        "him",
        "his",
        "she",
        "her",
        "hers",
        "they",
        "them",
        "their",
        "user",
        "我",
        "我们",
        "他",
        "她",
    ]
)
_SPEAKING = frozenset(
    [
        "i",
        "me",
        "my",
        "we",
        "us",
        "our",
        "you",
        "your",
        "i'm",
        "i've",
        "i'd",
        "i'll",
        "we're",
        "we've",
        "you're",
        "我",
        "我们",
        "你",
    ]
)
_RELATIVE = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|ago|last|next|this (?:week|month|year|morning|weekend))\b|昨|今|明", re.I
)
_CALLED = re.compile(
    r"(?:^|[,!.]\s{0,3}|\b(?i:hey|hi|hello|thanks|thx|wow|yeah|yes|oh|congrats|sorry|sure|yep)\s{1,3})([A-Z][a-z]+)\s?(?=[,!.?]|$)"
)
_NO_NAMES = frozenset({*MONTHS, *WEEKDAYS, "i", "i'm", "i've", "i'll", "i'd", "ok", "user", "assistant"})
_NONE: frozenset[str] = frozenset()


class Term(NamedTuple):
    """A word or a value where it stands."""

    start: int
    word: str
    """Lower case, as written; the key, for a value."""
    key: str
    """The form in which it is compared; "" for a word without content."""
    clause: int
    name: bool


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


def terms(text: str) -> tuple[list[Term], list[Period]]:
    """The words and values of a folded sentence from left to right, and its dates."""
    dated, rest = extract_anchored(text)
    found, rest = values.extract(rest)
    breaks = [each.start() for each in _BREAK.finditer(rest)]
    out = [Term(each.start, each.key, each.key, 0, False) for each in found]
    first = True
    for match in _WORD.finditer(rest):
        written = match[0]
        word = written.lower()
        name = not first and written[0].isupper() and word not in _NO_NAMES
        first = False
        digits = number_word(word)
        key = values.NUMBER + digits if digits else stem(word) if is_content(word) else ""
        out.append(Term(match.start(), word, key, 0, name and bool(key)))
    return _placed(sorted(out), breaks), [each.period for each in dated]


def _placed(found: list[Term], breaks: list[int]) -> list[Term]:
    out, clause = [], 0
    for term in found:
        while clause < len(breaks) and breaks[clause] <= term.start:
            clause += 1
        out.append(term._replace(clause=clause))
    return out


def _retired(found: list[Term]) -> set[int]:
    """Places of the terms that the sentence says are so no longer."""
    words = [term.word for term in found]
    marks: set[int] = set()
    if not CHANGES.isdisjoint(words):
        marks |= _after(found, "from", {"to", "into", "onto"})
    for place, word in enumerate(words):
        before, after = words[place - 1] if place else "", words[place + 1] if place + 1 < len(words) else ""
        if (word == "used" and after == "to" and before not in _BEING) or (word, after) in _PHRASES:
            marks |= _rest(found, place + 2)
        elif word in RETIRING:
            rest = _rest(found, place + 1)
            marks |= rest or {at for at, term in enumerate(found) if term.clause == found[place].clause}
        elif word in ("replaced", "replacing", "replace", "swapped") and after not in ("by", "with"):
            marks |= _until(found, place + 1, {"with", "by", "for"})
        elif word == "replaced" and after in ("by", "with"):
            marks |= {at for at in range(place) if found[at].clause == found[place].clause}
        elif word in ("was", "were", "had") and not _NOW.isdisjoint(words[place:]) and before not in _NOW:
            marks |= _rest(found, place + 1)
    return {place for place in marks if words[place] not in CHANGES}


_BEING = frozenset(
    [
        "am",
        "is",
        "are",
        "was",
        "were",
        "be",
        "been",
        "being",
        "get",
        "gets",
        "got",
        "getting",
        "i'm",
        "you're",
        "he's",
        "she's",
        "it's",
        "we're",
    ]
)
_PHRASES = frozenset({("instead", "of"), ("rather", "than")})
_NOW = frozenset({"now", "currently", "nowadays"})


def _rest(found: list[Term], place: int) -> set[int]:
    """The places from `place` to the end of the clause of the term before it."""
    out = set()
    while place < len(found) and found[place].clause == found[place - 1].clause and found[place].word not in _NOW:
        out.add(place)
        place += 1
    return out


def _until(found: list[Term], place: int, ends: set[str]) -> set[int]:
    rest = _rest(found, place)
    stop = min((at for at in rest if found[at].word in ends), default=None)
    return set() if stop is None else {at for at in rest if at < stop}


def _after(found: list[Term], word: str, ends: set[str]) -> set[int]:
    marks: set[int] = set()
    for place, term in enumerate(found):
        if term.word == word:
            rest = sorted(_rest(found, place + 1))
            stop = next((at for at in rest if found[at].word in ends), None)
            marks.update(at for at in rest[:8] if stop is None or at < stop)
    return marks


def _denied(text: str, found: list[Term]) -> set[int]:
    """The clauses that deny what they say; a clause of up to three words goes with the one before."""
    harmless = [range(each.start(), each.end()) for each in _HARMLESS.finditer(text)]
    sizes: dict[int, int] = {}
    out: set[int] = set()
    for term in found:
        sizes[term.clause] = sizes.get(term.clause, 0) + 1
        negating = term.word in NEGATIONS or term.word in NEGATIONS_HAN
        if negating and not any(term.start in each for each in harmless):
            out.symmetric_difference_update({term.clause})
    lone = {clause for clause in out if sizes[clause] == 1}
    out -= lone
    for clause in sorted(sizes):
        if (
            clause - 1 in out
            and sizes[clause] <= 3
            and any(t.clause == clause and t.word in ("or", "nor") for t in found)
        ):
            out.add(clause)
    return out


@lru_cache(maxsize=1 << 16)
def statement(text: str) -> Statement:
    """What a sentence says."""
    text = fold(text)
    found, periods = terms(text)
    words = {term.word for term in found}
    keys = frozenset(term.key for term in found if term.key and term.word not in NEGATIONS)
    retired = denied = hedged = _NONE
    held = keys
    if not words.isdisjoint(_TURNING):
        places = _retired(found)
        denying = _denied(text, found)
        hedging = {term.clause for term in found if term.word in HEDGES}
        hedging |= {
            clause + 1
            for clause in hedging
            if any(t.clause == clause and t.word != "if" and t.word in HEDGES for t in found)
        }
        retired = frozenset(found[place].key for place in places) & keys
        denied = frozenset(t.key for at, t in enumerate(found) if t.clause in denying and at not in places) & keys
        hedged = (
            frozenset(
                t.key
                for at, t in enumerate(found)
                if t.clause in hedging and t.clause not in denying and at not in places
            )
            & keys
        )
        out = places | {at for at, t in enumerate(found) if t.clause in denying or t.clause in hedging}
        held = frozenset(t.key for at, t in enumerate(found) if at not in out) & keys
    first = next((match[0] for match in _WORD.finditer(text)), "")
    opening = next((term.key for term in found if term.key), "")
    return Statement(
        text=text,
        keys=keys,
        held=held,
        denied=denied,
        retired=retired,
        hedged=hedged,
        names=frozenset(term.key for term in found if term.name),
        values=frozenset(key for key in keys if key[0] in "#@" or (key[0] == "t" and ":" in key)),
        subject=opening if first[:1].isupper() and found and stem(first.lower()) == opening else "",
        periods=tuple(periods),
        personal=not words.isdisjoint(_PERSON),
        spoken=not words.isdisjoint(_SPEAKING),
        called=frozenset(stem(each.lower()) for each in _CALLED.findall(text)),
        relative=_RELATIVE.search(text) is not None,
    )


_TURNING = frozenset(
    {*NEGATIONS, *NEGATIONS_HAN, *HEDGES, *RETIRING, "from", "used", "instead", "rather", "replaced", "replacing",
     "replace", "swapped", *_NOW}
)  # fmt: skip
