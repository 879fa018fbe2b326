"""Does an answer agree with a reference? Values as values, the other words by their stems, part by part.

The rubric is that of the paper: *Correct* says the same and contradicts nothing; *Omission* leaves a part out or
abstains; *Hallucination* contradicts or makes up, also where a part is missing besides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from memarena_arena.agreeing import CHECKS, CORRECT, HALLUCINATION, OMISSION, Case, Verdict
from memarena_arena.commitment import LONGEST, Hedge, committed, hedge
from memarena_arena.language.abstention import abstains
from memarena_arena.language.lexicon import NEGATIONS
from memarena_arena.told import Told, found, share, values_of

TOUCHED = 0.34
"""Share of the words of a part from which an answer has something of it."""
MADE_UP = 0.5
"""Share of an answer's own words above which it is made up, where nothing else has them."""
SHORT_ITEM = 4
"""Words of an item of a list, at most."""

_PAST = re.compile(
    r"\bfrom\b|\bused to\b|\b(?:previous|former|original|initial)|\b(?:before|first|past|earlier|old)\b", re.I
)


def answer_label(question: str, reference: str, answer: str, points: Sequence[str] = ()) -> Verdict:
    """The label of `answer` and the reason for it; `points` are the contents of the question's evidence."""
    if not answer.strip():
        return OMISSION, "no answer"
    silent = abstains(answer)
    if not reference.strip() or abstains(reference):
        return (CORRECT, "abstains, rightly") if silent else (HALLUCINATION, "answers what is not known")
    if silent:
        return OMISSION, "abstains"
    final, cut = committed(answer)
    case = Case(Told.of(question), Told.of(reference), Told.of(final), Told.of("\n".join(points)))
    label, reason = next(filter(None, (check(case) for check in CHECKS)), None) or _by_parts(case)
    return label, f"{reason}; over {LONGEST} words, the end alone was read" if cut else reason


def _by_parts(case: Case) -> Verdict:
    case = case._replace(given=_readable(case))
    parts = _parts(case)
    has = case.given.keys
    full = [share(part, has) >= _need(len(part)) and values_of(part) <= has for part in parts]
    if all(full):
        checks = (_denies, _retires, _hedges, _strays)
        wrong = next(filter(None, (check(case, len(parts)) for check in checks)), None)
        return wrong or (CORRECT, "all parts agree")
    missing = values_of(case.wanted.keys) - has
    if missing and values_of(has) - values_of(case.wanted.keys | case.asked.keys | case.known.keys):
        return HALLUCINATION, "another value"
    if not has - case.asked.keys:
        return OMISSION, "says nothing that was asked for"
    if len(parts) > 1 and _foreign_item(case):
        return HALLUCINATION, "a part is missing and another made up"
    touched = any(full) or max(share(part, has) for part in parts) >= TOUCHED
    if _made_up(case.given, case) > (MADE_UP if touched else MADE_UP / 2):
        return HALLUCINATION, "other than the reference"
    return OMISSION, "a part is missing"


def _readable(case: Case) -> Told:
    """The answer, with what counts as a word or a number for this reference only."""
    given = case.given
    if not case.wanted.periods and given.periods:
        given = given.with_words_of_dates()
    if values_of(case.wanted.keys) and len(given.words) <= 15:
        given = given.with_weak_numbers()
    return given


def _parts(case: Case) -> list[frozenset[str]]:
    """The things that the reference names, each as its keys without those of the question."""
    own = [Told.of(piece).keys - case.asked.keys for piece in case.wanted.pieces]
    return [keys for keys in own if keys] or [case.wanted.keys]


def _need(size: int) -> float:
    return 1.0 if size <= 2 else 0.66 if size <= 4 else 0.6


def _made_up(told: Told, case: Case) -> float:
    """The share of a text's own words that neither reference nor question nor evidence has."""
    own = told.keys - case.asked.keys
    base = case.wanted.keys | case.known.keys
    return sum(not found(key, base) for key in own) / len(own) if own else 0.0


def _foreign_item(case: Case) -> bool:
    """Whether an answer that is a list of short items has one that is nowhere else."""
    items = [Told.of(piece) for piece in case.given.pieces]
    if len(items) < 2 or any(len(item.words) > SHORT_ITEM for item in items[1:]):
        return False
    return any(item.keys and _made_up(item, case) == 1.0 for item in items)


def _denies(case: Case, _: int) -> Verdict | None:
    """Whether the answer denies what the reference holds, or the other way round."""
    wanted, given = case.wanted, case.given
    if not NEGATIONS.isdisjoint(case.asked.words):
        return None
    needed = wanted.keys - case.asked.keys or wanted.keys
    if len(needed & given.denied - given.held) * 2 > len(needed) and not wanted.denied & needed:
        return HALLUCINATION, "denies the reference"
    denied = wanted.denied & needed
    if denied and not given.denied & wanted.denied and denied & given.held:
        return HALLUCINATION, "holds what the reference denies"
    return None


def _retires(case: Case, _: int) -> Verdict | None:
    """Whether the answer names the reference as what was before something else."""
    given = case.given
    needed = case.wanted.keys - case.asked.keys or case.wanted.keys
    others = given.held - case.wanted.keys - case.asked.keys
    if needed <= given.retired - given.held and others and not _PAST.search(case.asked.text):
        return HALLUCINATION, "names it as what was before"
    return None


def _hedges(case: Case, parts: int) -> Verdict | None:
    unsure = hedge(case.given.text, case.wanted.keys, case.asked.keys, parts)
    if unsure is Hedge.LISTS:
        return HALLUCINATION, "lists much else"
    return (OMISSION, "does not commit itself") if unsure is Hedge.ALTERNATIVES else None


def _strays(case: Case, _: int) -> Verdict | None:
    """Whether the answer has many more values than are wanted."""
    wanted = values_of(case.wanted.keys)
    strays = values_of(case.given.held) - values_of(case.wanted.keys | case.asked.keys | case.known.keys)
    return (HALLUCINATION, "many values") if wanted and len(strays) > 2 * len(wanted) else None
