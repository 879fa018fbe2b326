"""What a sentence retires, denies or only mentions, by place of its terms."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from memarena_arena.language.lexicon import (
    BEING,
    CHANGES,
    HEDGES,
    NEGATIONS,
    NEGATIONS_HAN,
    NOT_NEGATING,
    NOW,
    RETIRING,
)
from memarena_arena.language.terms import Term

TURNING = frozenset(
    {*NEGATIONS, *NEGATIONS_HAN, *HEDGES, *RETIRING, *NOW, "from", "used", "instead", "rather", "replaced"}
    | {"replacing", "replace", "swapped"}
)
"""A sentence with none of these words holds all that it says."""

_HARMLESS = re.compile("|".join(map(re.escape, NOT_NEGATING)), re.I)
_PHRASES = frozenset({("instead", "of"), ("rather", "than")})
_SWAPS = frozenset({"replaced", "replacing", "replace", "swapped"})
UNREAL = frozenset({"would", "i'd", "we'd", "he'd", "she'd", "they'd", "you'd"})
"""Words by which a condition is told not to hold."""
_NEAR = 4
"""Words that `instead of` and `rather than` set aside, at most."""


class Turned(NamedTuple):
    """Places of the terms that a sentence does not hold to be so, by how."""

    retired: frozenset[int]
    denied: frozenset[int]
    hedged: frozenset[int]


def turned(text: str, terms: Sequence[Term]) -> Turned:
    """The terms that a sentence retires, else denies, else only mentions."""
    retired = frozenset(_retired(terms))
    denying = _denying(text, terms)
    hedging = _hedging(terms)
    denied = frozenset(at for at, term in enumerate(terms) if term.clause in denying) - retired
    hedged = frozenset(at for at, term in enumerate(terms) if term.clause in hedging) - retired - denied
    return Turned(retired, denied, hedged)


def _retired(terms: Sequence[Term]) -> set[int]:
    words = [term.word for term in terms]
    marks: set[int] = set()
    if not CHANGES.isdisjoint(words):
        marks |= _after(terms, "from", {"to", "into", "onto"})
    for place, word in enumerate(words):
        before = words[place - 1] if place else ""
        after = words[place + 1] if place + 1 < len(words) else ""
        if word == "used" and after == "to" and before not in BEING:
            marks |= _rest(terms, place + 2)
        elif (word, after) in _PHRASES:
            marks |= {at for at in _rest(terms, place + 2) if at < place + 2 + _NEAR}
        elif word in RETIRING:
            marks |= _rest(terms, place + 1) or _clause(terms, place)
        elif word in _SWAPS:
            marks |= _swapped(terms, place, after)
        elif word in ("was", "were", "had") and not NOW.isdisjoint(words[place:]) and before not in NOW:
            marks |= _rest(terms, place + 1)
    return {place for place in marks if words[place] not in CHANGES}


def _swapped(terms: Sequence[Term], place: int, after: str) -> set[int]:
    """What is replaced: X in `X was replaced by Y` and in `replaced X with Y`."""
    if after in ("by", "with"):
        return {at for at in _clause(terms, place) if at < place}
    rest = _rest(terms, place + 1)
    stop = min((at for at in rest if terms[at].word in ("with", "by", "for")), default=0)
    return {at for at in rest if at < stop}


def _clause(terms: Sequence[Term], place: int) -> set[int]:
    return {at for at, term in enumerate(terms) if term.clause == terms[place].clause}


def _rest(terms: Sequence[Term], place: int) -> set[int]:
    """The places from `place` to the end of the clause of the term before it, or to a `now`."""
    out = set()
    while place < len(terms) and terms[place].clause == terms[place - 1].clause and terms[place].word not in NOW:
        out.add(place)
        place += 1
    return out


def _after(terms: Sequence[Term], word: str, ends: set[str]) -> set[int]:
    """The places of the up to eight terms after each `word`, as far as one of `ends`."""
    marks: set[int] = set()
    for place, term in enumerate(terms):
        if term.word == word:
            rest = sorted(_rest(terms, place + 1))[:8]
            stop = next((at for at in rest if terms[at].word in ends), len(terms))
            marks.update(at for at in rest if at < stop)
    return marks


def _denying(text: str, terms: Sequence[Term]) -> set[int]:
    """The clauses that deny what they say; `, or fish` goes with the clause before; a bare `No,` denies nothing."""
    harmless = {place for each in _HARMLESS.finditer(text) for place in range(each.start(), each.end())}
    words: dict[int, list[str]] = {}
    out: set[int] = set()
    for term in terms:
        words.setdefault(term.clause, []).append(term.word)
        if (term.word in NEGATIONS or term.word in NEGATIONS_HAN) and term.start not in harmless:
            out ^= {term.clause}
    out = {clause for clause in out if len(words[clause]) > 1}
    for clause in sorted(words):
        if clause - 1 in out and len(words[clause]) <= 3 and not {"or", "nor"}.isdisjoint(words[clause]):
            out.add(clause)
    return out


def _hedging(terms: Sequence[Term]) -> set[int]:
    """The clauses with a joke, a rumour or a condition, the one after `she joked that`, and all of `if I were`."""
    out: set[int] = set()
    unreal = any(term.word in UNREAL for term in terms)
    for term in terms:
        if term.word in HEDGES:
            out.add(term.clause)
            if term.word != "if":
                out.add(term.clause + 1)
            elif unreal:
                out.update(each.clause for each in terms)
    return out
