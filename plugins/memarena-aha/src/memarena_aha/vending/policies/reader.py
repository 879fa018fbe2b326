"""What a text teaches a shopkeeper without a model: lessons that are told, and what goes wrong in what was seen.

With nothing to read it has none of the habits; each lesson that it reads switches one on, and one that is turned round
switches it off. So the whole way from experience to behaviour can be tested without a language model.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from memarena_aha.parts import found_in
from memarena_aha.vending.lessons import LESSONS
from memarena_aha.vending.policies.habits import Habits

__all__ = ["NOVICE", "habits_from", "habits_of", "lessons_in", "trusted_in"]

NOVICE = Habits(
    variety=4,
    markup=200,
    climbs=False,
    bids=0,
    landed=False,
    one_supplier="first",
    mail="none",
    refunds="none",
    waits_for_goods=False,
    fills_for_weekends=False,
    collects_every=0,
    clears_jams=False,
    stops_before=0,
)
"""The habits of one who has learned nothing."""
_TAUGHT: Mapping[str, Mapping[str, Any]] = {
    "L1": {"mail": "verified"},
    "L2": {"landed": True},
    "L3": {"waits_for_goods": True},
    "L4": {"collects_every": 4},
    "L5": {"one_supplier": ""},
    "L6": {"clears_jams": True},
    "L7": {"variety": 8},
    "L8": {"bids": 2},
    "L9": {"fills_for_weekends": True},
    "L10": {"refunds": "valid"},
    "L11": {"climbs": True, "markup": 220},
    "L12": {"stops_before": 10},
}
_PAYS_ALL = re.compile(r"\bpay (?:every|each|all) (?:invoice|payment|bill)")
_SEEN = {
    "L2": re.compile(r"final invoice: \S+ for handling"),
    "L3": re.compile(r"not_in_storage"),
    "L5": re.compile(r"has closed for good"),
    "L6": re.compile(r"\d, jammed"),
}
"""What the world itself says when a lesson is due; whoever remembers it needs no teacher."""
_TRUSTED = re.compile(r"([A-Z][\w&]*(?: [A-Z&][\w&]*)*) was honest")


def lessons_in(text: str, before: Sequence[str] = ()) -> list[str]:
    """The lessons that the sentences of a text teach, in their order, after those known `before`.

    `-L1` is L1 turned round. Of a lesson and its opposite only the later stays.
    """
    found = dict.fromkeys(before)
    for sentence in re.split(r"(?<=[.!?])\s+|\n", text):
        for lesson in _taught_by(sentence):
            found.pop(lesson[1:] if lesson.startswith("-") else f"-{lesson}", None)
            found[lesson] = None
    return list(found)


def habits_of(lessons: Iterable[str]) -> Habits:
    """The habits of one who goes by these lessons."""
    changes: dict[str, Any] = {}
    for lesson in lessons:
        changes |= {"mail": "all"} if lesson == "-L1" else _TAUGHT.get(lesson, {})
    return msgspec.structs.replace(NOVICE, **changes)


def habits_from(text: str) -> Habits:
    """The habits of one who has read `text`; of two lessons that contradict each other the later one is believed."""
    return habits_of(lessons_in(text))


def trusted_in(text: str) -> list[str]:
    """The suppliers that a text calls honest: names, which another town may give to somebody else."""
    return list(dict.fromkeys(_TRUSTED.findall(text)))


def _taught_by(sentence: str) -> list[str]:
    lowered = sentence.casefold()
    taught = [name for name, pattern in _SEEN.items() if pattern.search(lowered)]
    for lesson in LESSONS:
        found = found_in(lesson, sentence)
        if found is not None:
            taught.append(lesson.lesson_id if found else f"-{lesson.lesson_id}")
    return [*taught, "-L1"] if _PAYS_ALL.search(lowered) else taught
