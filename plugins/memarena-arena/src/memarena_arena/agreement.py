"""Does an answer agree with a reference? Values as values, the other words by their stems, part by part.

The rubric is that of the paper: *Correct* says the same and contradicts nothing; *Omission* leaves a part out or
abstains; *Hallucination* contradicts or makes up, also where a part is missing besides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from memarena_arena.commitment import LONGEST, Hedge, committed, hedge
from memarena_arena.language.abstention import abstains
from memarena_arena.language.dates import Period
from memarena_arena.language.lexicon import NEGATIONS, NUMBERS, WEAK_NUMBERS
from memarena_arena.language.lines import sentences
from memarena_arena.language.periods import Match, match
from memarena_arena.language.statements import Statement, statement
from memarena_arena.language.words import alike, fold

CORRECT, HALLUCINATION, OMISSION = "Correct", "Hallucination", "Omission"

_NONE: frozenset[str] = frozenset()
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_PARTS = re.compile(r"\s*(?:[,;](?=\s|$)|[\n•&、，；和]|\band\b)\s*")
_YES = re.compile(r"\W*(?:(?:most )?likely |probably |presumably )?(yes|yeah|yep|true|correct|no|nope|not|false|是|不|否)\b", re.I)
_POLAR = re.compile(r"\W*(?:do|does|did|is|are|was|were|has|have|had|can|could|would|will|should|might)\b", re.I)
_REASON = re.compile(r"\bwhy\b|\bhow\b|\bwhat\b|\bwhich\b|\breason\b", re.I)
_PAST = re.compile(r"\bused to\b|\bprevious|\bbefore\b|\bformer|\boriginal|\bfirst\b|\binitial|\bpast\b|\bearlier\b|\bold\b", re.I)


class Told(NamedTuple):
    """A text as sets, over all its sentences."""

    text: str
    keys: frozenset[str]
    held: frozenset[str]
    denied: frozenset[str]
    retired: frozenset[str]
    names: frozenset[str]
    periods: tuple[Period, ...]

    @classmethod
    def of(cls, text: str) -> Told:
        """Read `text`."""
        parts = [statement(each) for each in sentences(text)]
        return cls(
            text=fold(text),
            keys=_join(parts, "keys"),
            held=_join(parts, "held") | _join(parts, "hedged"),
            denied=_join(parts, "denied"),
            retired=_join(parts, "retired"),
            names=_join(parts, "names"),
            periods=tuple(period for each in parts for period in each.periods),
        )


def _join(parts: Sequence[Statement], name: str) -> frozenset[str]:
    return _NONE.union(*(getattr(each, name) for each in parts))


def answer_label(question: str, reference: str, answer: str, points: Sequence[str] = ()) -> tuple[str, str]:
    """The label of `answer` and the reason for it; `points` are the contents of the question's evidence."""
    if not answer.strip():
        return OMISSION, "no answer"
    silent = abstains(answer)
    if not reference.strip() or (abstains(reference) and len(reference) < 120):
        return (CORRECT, "abstains, rightly") if silent else (HALLUCINATION, "answers what is not known")
    if silent:
        return OMISSION, "abstains"
    final, cut = committed(answer)
    label, reason = _compare(question, Told.of(reference), Told.of(final), Told.of("\n".join(points)))
    return label, f"{reason}; over {LONGEST} words, the end alone was read" if cut else reason


def _compare(question: str, wanted: Told, given: Told, known: Told) -> tuple[str, str]:
    asked = Told.of(question)
    ids = frozenset(key for key in wanted.keys if key[0] == "@")
    if ids and ids == wanted.keys:
        return _compare_ids(ids, frozenset(key for key in given.keys if key[0] == "@"))
    polar = _polarity(question, wanted, given)
    if polar:
        return polar
    if not wanted.keys and not wanted.periods:
        return _compare_words(wanted, given)
    if _reordered(wanted, given):
        return HALLUCINATION, "the names change places"
    dates = _compare_periods(wanted, given)
    if dates and dates[0] != CORRECT:
        return dates
    if dates and not wanted.keys - asked.keys:
        return dates
    return _compare_parts(question, asked, wanted, given, known)


def _compare_ids(wanted: frozenset[str], given: frozenset[str]) -> tuple[str, str]:
    if given - wanted:
        return HALLUCINATION, "an id that is not asked for"
    return (CORRECT, "the same ids") if given == wanted else (OMISSION, "an id is missing")


def _sign(text: str) -> bool | None:
    found = _YES.match(text)
    if found is None:
        return None
    return found[1].lower() in ("yes", "yeah", "yep", "true", "correct", "是")


def _polarity(question: str, wanted: Told, given: Told) -> tuple[str, str] | None:
    """The label, where the reference says yes or no and nothing else is asked for; None where it must go on."""
    sign = _sign(wanted.text)
    if sign is None:
        return None
    said = _sign(given.text)
    if said is None and _POLAR.match(question):
        words = set(_WORD.findall(given.text.lower()))
        said = NEGATIONS.isdisjoint(words)
    if said is None:
        return None
    if said is not sign:
        return HALLUCINATION, "yes and no differ"
    more = wanted.keys - Told.of(question).keys
    bare = len(_WORD.findall(wanted.text)) == 1 or not more
    return (CORRECT, "yes and no agree") if bare or not _REASON.search(question) else None


def _compare_words(wanted: Told, given: Told) -> tuple[str, str]:
    """Where the reference has no content (`A`, `one`, `up`): its words, as they stand, whole."""
    needed = [_plain(word) for word in _WORD.findall(wanted.text.lower())]
    found = [_plain(word) for word in _WORD.findall(given.text.lower())]
    if not needed:
        return (CORRECT, "the same") if wanted.text.strip() == given.text.strip() else (HALLUCINATION, "differs")
    if any(found[at : at + len(needed)] == needed for at in range(len(found))) and len(found) <= 12 * len(needed):
        return CORRECT, "the same words"
    return HALLUCINATION, "other words"


def _plain(word: str) -> str:
    return NUMBERS[word] if word in WEAK_NUMBERS else word


def _reordered(wanted: Told, given: Told) -> bool:
    """Whether both have the same words, but two names with a verb between have changed places."""
    one, other = _sequence(wanted), _sequence(given)
    if one == other or sorted(one) != sorted(other) or _PARTS.search(wanted.text) or len(one) < 3:
        return False
    named = wanted.names | given.names
    return [word for word in one if word in named] != [word for word in other if word in named]


def _sequence(told: Told) -> list[str]:
    from memarena_arena.language.statements import terms

    return [term.key for term in terms(told.text[:2000])[0] if term.key]


def _compare_periods(wanted: Told, given: Told) -> tuple[str, str] | None:
    if not wanted.periods:
        return None
    if not given.periods:
        return OMISSION, "the date is missing"
    grades = [max((match(each, other) for each in given.periods), key=_RANK.index) for other in wanted.periods]
    if Match.OTHER in grades:
        return HALLUCINATION, "another date"
    if Match.VAGUER in grades:
        return OMISSION, "the date is vaguer"
    strays = {each for each in given.periods if all(match(each, other) is Match.OTHER for other in wanted.periods)}
    if len(strays) > len(wanted.periods):
        return HALLUCINATION, "many dates"
    return CORRECT, "the same date"


_RANK = [Match.OTHER, Match.VAGUER, Match.SAME]


def _compare_parts(question: str, asked: Told, wanted: Told, given: Told, known: Told) -> tuple[str, str]:
    parts = _parts(wanted, asked)
    given = _with_weak_numbers(given, wanted)
    grades = [_share(part, given.keys) for part in parts]
    full = [grade >= _need(len(part)) and _values(part) <= given.keys for part, grade in zip(parts, grades, strict=True)]
    if all(full):
        return _check(question, asked, wanted, given, known, len(parts))
    extra = _made_up(given, wanted, asked, known)
    wrong = _values(given.keys) - _values(wanted.keys | asked.keys | known.keys)
    if wrong and not _values(wanted.keys) <= given.keys:
        return HALLUCINATION, "another value"
    if not given.keys - asked.keys:
        return OMISSION, "says nothing that was asked for"
    touched = any(full) or max(grades) >= 0.34
    if len(parts) > 1 and _foreign_item(given, wanted, asked, known):
        return HALLUCINATION, "a part is missing and another made up"
    if extra > 0.5 or (not touched and extra > 0.25):
        return HALLUCINATION, "other than the reference"
    return OMISSION, "a part is missing"


def _parts(wanted: Told, asked: Told) -> list[frozenset[str]]:
    """The things that the reference names, each as its keys without those of the question."""
    out = []
    for piece in _PARTS.split(wanted.text):
        keys = Told.of(piece).keys
        own = keys - asked.keys
        if own:
            out.append(own)
    return out or [wanted.keys]


def _need(size: int) -> float:
    return 1.0 if size <= 2 else 0.66 if size <= 4 else 0.6


def _share(part: frozenset[str], keys: frozenset[str]) -> float:
    return sum(key in keys or any(alike(key, other) for other in keys) for key in part) / len(part)


def _values(keys: frozenset[str]) -> frozenset[str]:
    return frozenset(key for key in keys if key[0] in "#@" or (key[0] == "t" and ":" in key))


def _with_weak_numbers(given: Told, wanted: Told) -> Told:
    """`one` and `twice` count as numbers where a number is wanted and the answer is short."""
    words = _WORD.findall(given.text.lower())
    if not _values(wanted.keys) or len(words) > 15:
        return given
    more = frozenset("#" + NUMBERS[word] for word in words if word in WEAK_NUMBERS)
    return given._replace(keys=given.keys | more, held=given.held | more)


def _made_up(given: Told, wanted: Told, asked: Told, known: Told) -> float:
    """The share of the answer's own words that neither reference nor question nor evidence has."""
    own = given.keys - asked.keys
    if not own:
        return 0.0
    base = wanted.keys | known.keys
    return sum(key not in base and not any(alike(key, other) for other in base) for key in own) / len(own)


def _foreign_item(given: Told, wanted: Told, asked: Told, known: Told) -> bool:
    """Whether an answer that is a list of short items has one that is nowhere else."""
    items = [Told.of(piece) for piece in _PARTS.split(given.text) if piece.strip()]
    if len(items) < 2 or any(len(_WORD.findall(item.text)) > 4 for item in items[1:]):
        return False
    return any(item.keys and _made_up(item, wanted, asked, known) == 1.0 for item in items)


def _check(question: str, asked: Told, wanted: Told, given: Told, known: Told, parts: int) -> tuple[str, str]:
    """The last look at an answer that has all parts: is it held to be so, and does it commit itself?"""
    needed = wanted.keys - asked.keys or wanted.keys
    negated_question = not NEGATIONS.isdisjoint(_WORD.findall(asked.text.lower()))
    if not negated_question:
        if len(needed & given.denied - given.held) * 2 > len(needed) and not wanted.denied & needed:
            return HALLUCINATION, "denies the reference"
        if wanted.denied & needed and not given.denied & wanted.denied and wanted.denied & given.held:
            return HALLUCINATION, "holds what the reference denies"
    others = (given.names | _values(given.keys)) & given.held - wanted.keys - asked.keys
    if needed <= given.retired - given.held and others and not _PAST.search(question):
        return HALLUCINATION, "names it as what was before"
    unsure = hedge(given.text, wanted.keys, asked.keys, parts)
    if unsure is Hedge.LISTS:
        return HALLUCINATION, "lists much else"
    if unsure is Hedge.ALTERNATIVES:
        return OMISSION, "does not commit itself"
    strays = _values(given.held) - _values(wanted.keys | asked.keys | known.keys)
    if _values(wanted.keys) and len(strays) > 2 * len(_values(wanted.keys)):
        return HALLUCINATION, "many values"
    return CORRECT, "all parts agree"
