"""Checks of an answer that speak before its words are compared: ids, yes and no, choices, places, dates.

Each gives a verdict where it has something to say, else None.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from memarena_arena.language.lexicon import NEGATIONS, NUMBERS, WEAK_NUMBERS
from memarena_arena.language.periods import Match, match
from memarena_arena.language.values import is_value
from memarena_arena.language.words import alike
from memarena_arena.told import Told, values_of

CORRECT, HALLUCINATION, OMISSION = "Correct", "Hallucination", "Omission"

_YES = re.compile(
    r"\W*(?:(?:most )?likely |probably |presumably )?(yes|yeah|yep|true|correct|no|nope|not|false|是|不|否)\b", re.I
)
_AGREEING = frozenset({"yes", "yeah", "yep", "true", "correct", "是"})
_POLAR = re.compile(r"\W*(?:do|does|did|is|are|was|were|has|have|had|can|could|would|will|should|might)\b", re.I)
_REASON = re.compile(r"\b(?:why|how|what|which|reason)\b", re.I)
_OFFERS = re.compile(r",|，|\bor\b|还是", re.I)
_OR = re.compile(r"\bor\b|还是", re.I)
_CHANGE = re.compile(r"\bfrom\b.+\bto\b|->|→")
_RANK = (Match.OTHER, Match.VAGUER, Match.SAME)

Verdict = tuple[str, str]
"""A label and the reason for it."""


class Case(NamedTuple):
    """What is compared."""

    asked: Told
    wanted: Told
    given: Told
    known: Told
    """The contents of the evidence."""


def _by_ids(case: Case) -> Verdict | None:
    """Where the reference is ids alone: the same set."""
    ids = frozenset(key for key in case.wanted.keys if key[0] == "@")
    if not ids or ids != case.wanted.keys:
        return None
    given = frozenset(key for key in case.given.keys if key[0] == "@")
    if given - ids:
        return HALLUCINATION, "an id that is not asked for"
    return (CORRECT, "the same ids") if given == ids else (OMISSION, "an id is missing")


def _sign(told: Told) -> bool | None:
    begins = _YES.match(told.text)
    return None if begins is None else begins[1].lower() in _AGREEING


def _by_polarity(case: Case) -> Verdict | None:
    """Where the reference says yes or no: whether the answer says the same; a reason counts where it is asked for."""
    sign, said = _sign(case.wanted), _sign(case.given)
    if sign is not None and said is None and _POLAR.match(case.asked.text):
        said = NEGATIONS.isdisjoint(case.given.words)
    if sign is None or said is None:
        return None
    if said is not sign:
        return HALLUCINATION, "yes and no differ"
    if _says_another(case):
        return HALLUCINATION, "yes and no agree, what is so does not"
    bare = len(case.wanted.words) == 1 or not case.wanted.keys - case.asked.keys
    return (CORRECT, "yes and no agree") if bare or not _REASON.search(case.asked.text) else None


def _says_another(case: Case) -> bool:
    """Whether the answer has a value or a name instead of that of the reference (`No, it is 50`)."""
    wanted, given = case.wanted, case.given
    own = _exact(wanted, wanted.keys) - case.asked.keys
    others = _exact(given, given.held) - wanted.keys - case.asked.keys - case.known.keys
    if own and others and own.isdisjoint(given.keys):
        return True
    grades = [match(each, other) for each in given.periods for other in wanted.periods]
    return bool(grades) and all(grade is Match.OTHER for grade in grades)


def _exact(told: Told, keys: frozenset[str]) -> frozenset[str]:
    return values_of(keys) | (told.names & keys)


def _by_choice(case: Case) -> Verdict | None:
    """Where the question offers what the reference chooses among (`open or closed`): what the answer chooses."""
    wanted, asked, held = case.wanted, case.asked, case.given.held
    if not _OR.search(asked.text) or not wanted.keys or not wanted.keys <= asked.keys:
        return None
    first, *others = (Told.of(piece).sequence for piece in _OFFERS.split(asked.text))
    chosen = [keys for keys in ({*first[-1:]}, *map(frozenset, others)) if keys and keys <= held]
    if not chosen:
        return None
    right = [keys for keys in chosen if not keys.isdisjoint(wanted.keys)]
    if not right:
        return HALLUCINATION, "chooses otherwise"
    return (OMISSION, "does not choose") if len(right) < len(chosen) and _OR.search(case.given.text) else None


def _by_none(case: Case) -> Verdict | None:
    """Where the reference is zero: whether the answer says that there is none."""
    none = case.wanted.keys == {"#0"} and not values_of(case.given.keys)
    return (CORRECT, "none is zero") if none and not NEGATIONS.isdisjoint(case.given.words) else None


def _by_words(case: Case) -> Verdict | None:
    """Where the reference has no content (`A`, `one`, `up`): its words, as they stand, whole."""
    wanted, given = case.wanted, case.given
    if wanted.keys or wanted.periods:
        return None
    needed, words = _plain(wanted), _plain(given)
    if not needed:
        same = wanted.text.strip() == given.text.strip()
        return (CORRECT, "the same") if same else (HALLUCINATION, "differs")
    places = range(len(words) - len(needed) + 1)
    if len(words) <= 12 * len(needed) and any(words[at : at + len(needed)] == needed for at in places):
        return CORRECT, "the same words"
    return HALLUCINATION, "other words"


def _plain(told: Told) -> list[str]:
    return [NUMBERS[word] if word in WEAK_NUMBERS else word for word in told.words]


def _by_order(case: Case) -> Verdict | None:
    """Where both have the same words, but two names with a verb between, or the ends of a change, are exchanged."""
    wanted, given = case.wanted.sequence, case.given.sequence
    if all(_CHANGE.search(told.text) for told in (case.wanted, case.given)):
        ends, others = list(filter(is_value, wanted)), list(filter(is_value, given))
        if ends != others and sorted(ends) == sorted(others):
            return HALLUCINATION, "the change goes the other way"
    if wanted == given or sorted(wanted) != sorted(given) or len(case.wanted.pieces) > 1 or len(wanted) < 3:
        return None
    names = case.wanted.names | case.given.names
    moved = [key for key in wanted if key in names] != [key for key in given if key in names]
    return (HALLUCINATION, "the names change places") if moved else None


def _by_place(case: Case) -> Verdict | None:
    """Where two or three words have another in the place of one: `a green ball` is not `a grey ball`."""
    wanted, given = case.wanted.sequence, case.given.sequence
    if len(wanted) != len(given) or not 2 <= len(wanted) <= 3 or case.wanted.periods:
        return None
    other = [(one, two) for one, two in zip(wanted, given, strict=True) if one != two and not alike(one, two)]
    return (HALLUCINATION, f"another word in the place of {other[0][0]}") if len(other) == 1 else None


def _by_dates(case: Case) -> Verdict | None:
    """Where the reference has dates: the answer's; a verdict if they differ or nothing else is wanted."""
    wanted, given = case.wanted.periods, case.given.periods
    if not wanted:
        return None
    if not given:
        return OMISSION, "the date is missing"
    grades = [max((match(each, other) for each in given), key=_RANK.index) for other in wanted]
    if Match.OTHER in grades:
        return HALLUCINATION, "another date"
    if Match.VAGUER in grades:
        return OMISSION, "the date is vaguer"
    strays = {each for each in given if all(match(each, other) is Match.OTHER for other in wanted)}
    if len(strays) > len(wanted):
        return HALLUCINATION, "many dates"
    return None if case.wanted.keys - case.asked.keys else (CORRECT, "the same date")


CHECKS = (_by_ids, _by_polarity, _by_choice, _by_none, _by_words, _by_order, _by_place, _by_dates)
"""In the order in which they are asked."""
