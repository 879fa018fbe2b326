"""Queries on several facts at once: sets, sums, days held against each other, schedules."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, timedelta
from typing import ClassVar

from memarena_builder.questions.query import Found, Led, Query
from memarena_builder.world.facts import Fact, Key, current, value_on
from memarena_builder.world.values import number_of, read_count, read_day, unit_of, write_day_like


class Members(Query, frozen=True, kw_only=True):
    """All members of a set, in the order of their letters."""

    subject: str
    attribute: str
    joint: str = ", "

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        keys = dict.fromkeys(fact.key for fact in facts if self.touches(fact))
        held = (current(facts, key) for key in keys)
        members = sorted(fact.value for fact in held if fact and fact.value is not None)
        return Found(self.joint.join(members)) if members else None

    def touches(self, fact: Fact) -> bool:
        return fact.key[:2] == (self.subject, self.attribute)


class MembersOf(Led, frozen=True, kw_only=True):
    """All members of a set of the person to whom relations lead."""

    joint: str = ", "

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        key = self.led(facts)
        if key is None:
            return None
        return Members(subject=key.subject, attribute=self.attribute, joint=self.joint).evaluate(facts)


def _day(facts: Sequence[Fact], key: Key) -> date | None:
    held = current(facts, key)
    return read_day(held.value) if held and held.value is not None else None


def _days(facts: Sequence[Fact], keys: Sequence[Key]) -> list[date]:
    """The day of each of `keys`; none at all where one of them is not told."""
    days = [day for day in (_day(facts, key) for key in keys) if day is not None]
    return days if len(days) == len(keys) else []


class Earliest(Query, frozen=True, kw_only=True):
    """Which of some days comes first; answers with its name."""

    offers: ClassVar[bool] = True
    place: ClassVar[int] = 0
    """Of the day that is asked for, in the order of time."""
    keys: tuple[Key, ...]
    names: tuple[str, ...]
    """One a key."""

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        days = _days(facts, self.keys)
        day = sorted(days)[self.place] if days else None
        return Found(self.names[days.index(day)]) if day and days.count(day) == 1 else None

    def touches(self, fact: Fact) -> bool:
        return fact.key in self.keys


class Second(Earliest, frozen=True, kw_only=True):
    """Which of some days comes second; answers with its name."""

    place: ClassVar[int] = 1


class Span(Query, frozen=True, kw_only=True):
    """How many days lie between the first and the last of some days."""

    keys: tuple[Key, ...]
    unit: str
    amount: str
    """How the language writes a number with its unit."""

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        days = _days(facts, self.keys)
        if not days or min(days) == max(days):
            return None
        return Found(self.amount.format(number=(max(days) - min(days)).days, unit=self.unit))

    def touches(self, fact: Fact) -> bool:
        return fact.key in self.keys


class Changed(Query, frozen=True, kw_only=True):
    """Which of some facts is another than on a day; answers with its name."""

    offers: ClassVar[bool] = True
    keys: tuple[Key, ...]
    names: tuple[str, ...]
    """One a key."""
    day: date

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        found = []
        for key, name in zip(self.keys, self.names, strict=True):
            then, now = value_on(facts, key, self.day), current(facts, key)
            if then is None or now is None or then.value is None or now.value is None:
                return None
            found += [name] if then.value != now.value else []
        return Found(found[0]) if len(found) == 1 else None

    def touches(self, fact: Fact) -> bool:
        return fact.key in self.keys


class DaysBetween(Query, frozen=True, kw_only=True):
    """How many days lie between two days."""

    one: Key
    other: Key
    unit: str
    amount: str
    """How the language writes a number with its unit."""

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        first, second = _day(facts, self.one), _day(facts, self.other)
        if first is None or second is None or first == second:
            return None
        return Found(self.amount.format(number=abs((second - first).days), unit=self.unit))

    def touches(self, fact: Fact) -> bool:
        return fact.key in (self.one, self.other)


class Total(Query, frozen=True, kw_only=True):
    """The sum of numbers of one unit."""

    keys: tuple[Key, ...]
    amount: str
    """How the language writes a number with its unit."""

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = [current(facts, key) for key in self.keys]
        values = [fact.value for fact in held if fact and fact.value is not None]
        if len(values) < len(self.keys):
            return None
        return Found(self.amount.format(number=sum(map(number_of, values)), unit=unit_of(values[0])).rstrip())

    def touches(self, fact: Fact) -> bool:
        return fact.key in self.keys


class Nth(Query, frozen=True, kw_only=True):
    """The day of the n-th turn of a schedule."""

    key: Key
    number: int

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = current(facts, self.key)
        if held is None or not held.slots:
            return None
        first, weeks = held.slots["V"], read_count(held.slots["N"])
        day = read_day(first) + timedelta(weeks=weeks * (self.number - 1))
        return Found(write_day_like(day, first))

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key
