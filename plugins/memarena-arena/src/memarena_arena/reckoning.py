"""Answers that stand in no sentence: how far apart two things are, how something changed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date

from memarena_arena import phrases
from memarena_arena.language.dates import Period, write
from memarena_arena.language.documents import Document
from memarena_arena.language.questions import Query, apart, query
from memarena_arena.language.statements import statement
from memarena_arena.passages import Passage, asks, rank

STEPS = 4
"""States of something that changed that an answer names, at most."""
RELATED = 0.4
"""Share of the best score from which a sentence may tell an earlier or a later state."""
STATE = 14
"""Words of a state, at most."""

_HOURS = frozenset({"time", "times", "hour", "hours"})
_DATES = frozenset({"date", "dates", "day", "days", "deadline"})
_MEASURES = frozenset(
    {"price", "cost", "budget", "amount", "salary", "dose", "rent", "number", "size", "weight", "fee"}
)

Found = tuple[str, Sequence[Passage]]
"""An answer and the sentences it rests on."""


def distance(question: Query, texts: Sequence[Document], floor: float) -> Found | None:
    """How far apart the two things of the question are; None where one of them has no date that is told."""
    sides = apart(question.text)
    if sides is None:
        return None
    one, other = (_dated(side, question, texts, floor) for side in (sides.one, sides.other))
    if one is None or other is None or one[0] == other[0]:
        return None
    text = write_distance(one[0], other[0], sides.unit)
    return (text, [each for each in (one[1], other[1]) if each]) if text else None


def _dated(side: str, question: Query, texts: Sequence[Document], floor: float) -> tuple[Period, Passage | None] | None:
    """When a side of the question was: as it says itself, else by the best sentence that has a date of its own."""
    part = query(side)
    if part.periods:
        return part.periods[0], None
    if not part.keys:
        return None
    good = [each for each in rank(part, texts) if each.covered >= floor and not asks(each.said)]
    best = good[0].score if good else 0.0
    for own in (True, False):
        for passage in good:
            if passage.score < 0.7 * best:
                break
            found = phrases.moment(part, passage)
            if found and (not own or passage.day is None or found[0] != Period(passage.day, passage.day)):
                return found[0], passage
    return None


def write_distance(one: Period, other: Period, unit: str) -> str | None:
    """How far `one` is from `other`, in whole units; None where it is less than one.

    A period without a year is of the year that brings it nearest to the other.
    """
    one, other = _same_year(one, other), _same_year(other, one)
    days = abs((one.first - other.first).days)
    months = abs((one.first.year - other.first.year) * 12 + one.first.month - other.first.month)
    unit = unit or ("day" if days < 14 else "week" if days < 60 else "month" if days < 730 else "year")
    number = {"day": days, "week": round(days / 7), "month": months, "year": round(months / 12)}[unit]
    return f"{number} {unit}{'s' if number != 1 else ''}" if number else None


def _same_year(period: Period, other: Period) -> Period:
    if period.has_year or not other.has_year:
        return period
    years = (other.first.year + step for step in (-1, 0, 1))
    moved = [
        Period(period.first.replace(year=year), period.last.replace(year=year)) for year in years if _leap(period, year)
    ]
    return min(moved, key=lambda each: abs((each.first - other.first).days), default=period)


def _leap(period: Period, year: int) -> bool:
    """Whether `year` has the days of the period."""
    return all((day.month, day.day) != (2, 29) or year % 4 == 0 for day in period[:2])


def history(question: Query, good: Sequence[Passage]) -> Found | None:
    """The states of what the question asks about, oldest first; None where there is only one."""
    related = [each for each in good if each.own >= RELATED * good[0].own and each.own and not asks(each.said)]
    states: dict[frozenset[str], tuple[str, Passage]] = {}
    for passage in sorted(related, key=lambda each: (each.day or date.min, each.item, each.place)):
        state = _state(question)(question, passage)
        if state:
            states.setdefault(_meant(state), (state, passage))
    if len(states) < 2:
        return None
    kept = list(states.values())[-STEPS:]
    words = [state for state, _ in kept]
    return f"from {words[0]} to {words[1]}" if len(kept) == 2 else ", then ".join(words), [each for _, each in kept]


def _meant(state: str) -> frozenset[str]:
    """What makes two states the same, however they are written."""
    read = statement(state)
    return read.keys | {write(period) for period in read.periods}


def _state(question: Query) -> Callable[[Query, Passage], str | None]:
    """How a state is read from a sentence, by what the question names."""
    words = frozenset(question.text.lower().replace("?", " ").split())
    if words & _HOURS:
        return phrases.hour
    if words & _DATES:
        return _own_date
    if words & _MEASURES:
        return phrases.amount
    return lambda asked, passage: phrases.concise(passage.said.text, asked.keys, STATE)


def _own_date(question: Query, passage: Passage) -> str | None:
    found = phrases.moment(question, passage)
    return found[1] if found and (passage.day is None or found[0] != Period(passage.day, passage.day)) else None
