"""Queries on told facts: the answer of every question is computed, never written down.

`evaluate` looks at nothing but the facts that it is given: with the evidence alone it must say the same as with all
that was told, and with one piece of the evidence less something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from typing import NamedTuple

from memarena.records import Record
from memarena_builder.world.facts import Fact, Key, chain, current, value_on
from memarena_builder.world.values import COUNTS, number_of, read_count, read_day, unit_of, write_day_like


class Found(NamedTuple):
    """What a query yields: what to answer, and by which finding."""

    answer: str
    detail: str = ""


class Query(Record, frozen=True, kw_only=True, tag=True):
    """Base of all queries."""

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        """The answer by these facts; None where they do not tell."""
        raise NotImplementedError

    def touches(self, fact: Fact) -> bool:
        """Whether a fact can matter for the answer."""
        raise NotImplementedError


class Current(Query, frozen=True, kw_only=True):
    """The value that holds."""

    key: Key

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = current(facts, self.key)
        return Found(held.value) if held and held.value is not None else None

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key


class Lesson(Query, frozen=True, kw_only=True):
    """What helped when something failed."""

    key: Key

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = current(facts, self.key)
        return Found(held.slots["V"]) if held and held.slots else None

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key


class Members(Query, frozen=True, kw_only=True):
    """All members of a set, in the order in which they became known."""

    subject: str
    attribute: str
    joint: str = ", "

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        keys = dict.fromkeys(fact.key for fact in facts if self.touches(fact))
        held = [fact for fact in (current(facts, key) for key in keys) if fact and fact.value is not None]
        held.sort(key=lambda fact: fact.told)
        return Found(self.joint.join(str(fact.value) for fact in held)) if held else None

    def touches(self, fact: Fact) -> bool:
        return fact.key[:2] == (self.subject, self.attribute)


class Claim(Query, frozen=True, kw_only=True):
    """Whether what somebody claims holds; `detail` tells a value that was told once from one that never was."""

    key: Key
    value: str
    yes: str
    no: str
    """With `{V}` for the value that holds."""

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = current(facts, self.key)
        if held is None or held.value is None:
            return None
        if held.value == self.value:
            return Found(self.yes)
        told = any(fact.value == self.value for fact in facts if self.touches(fact))
        return Found(self.no.format(V=held.value), "told once" if told else "never told")

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key


class Unchanged(Query, frozen=True, kw_only=True):
    """Whether what held on a day still holds; `detail` tells what never changed from what is so again."""

    key: Key
    day: date
    yes: str
    no: str
    """With `{V}` for the value that holds."""

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        then, now = value_on(facts, self.key, self.day), current(facts, self.key)
        if then is None or now is None or then.value is None or now.value is None:
            return None
        if then.value == now.value:
            return Found(self.yes, "" if then is now else "came back")
        return Found(self.no.format(V=now.value))

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key


class ValueOn(Query, frozen=True, kw_only=True):
    """The value that held on a day."""

    key: Key
    day: date

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = value_on(facts, self.key, self.day)
        return Found(held.value) if held and held.value is not None else None

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key


class Count(Query, frozen=True, kw_only=True):
    """How many different values ever held."""

    key: Key
    counts: tuple[str, ...] = ()
    """The numbers in words, from zero; (): in English."""

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        values = {fact.value for fact in chain(facts, self.key)} - {None}
        return Found((self.counts or COUNTS)[len(values)]) if values else None

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key


def _day(facts: Sequence[Fact], key: Key) -> date | None:
    held = current(facts, key)
    return read_day(held.value) if held and held.value is not None else None


class Sooner(Query, frozen=True, kw_only=True):
    """Which of two days is first; answers with its name."""

    one: Key
    other: Key
    names: tuple[str, str]

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        first, second = _day(facts, self.one), _day(facts, self.other)
        if first is None or second is None or first == second:
            return None
        return Found(self.names[0 if first < second else 1])

    def touches(self, fact: Fact) -> bool:
        return fact.key in (self.one, self.other)


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
    """The sum of two numbers of one unit."""

    keys: tuple[Key, Key]
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


class Hop(Query, frozen=True, kw_only=True):
    """A value of the person to whom a relation leads."""

    relation: Key
    attribute: str

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        person = current(facts, self.relation)
        if person is None or person.value is None:
            return None
        return Current(key=Key(person.value, self.attribute)).evaluate(facts)

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.relation or fact.key.attribute == self.attribute


class Through(Query, frozen=True, kw_only=True):
    """A value of whoever has another value."""

    known: str
    """The attribute by which the subject is found."""
    value: str
    attribute: str

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        keys = dict.fromkeys(fact.key for fact in facts if fact.key.attribute == self.known)
        held = [current(facts, key) for key in keys]
        subjects = [fact.key.subject for fact in held if fact and fact.value == self.value]
        if len(subjects) != 1:
            return None
        return Current(key=Key(subjects[0], self.attribute)).evaluate(facts)

    def touches(self, fact: Fact) -> bool:
        return fact.key.attribute in (self.known, self.attribute)


class Apply(Query, frozen=True, kw_only=True):
    """What a taught rule says about a case that never occurred."""

    subject: str
    rule: str
    exception: str
    """Names of the two attributes."""
    amount: int
    case: str

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        special = current(facts, Key(self.subject, self.exception, self.case))
        if special and special.slots:
            return Found(special.slots["A"], "exception")
        rule = current(facts, Key(self.subject, self.rule))
        if rule is None or not rule.slots:
            return None
        return Found(rule.slots["A" if self.amount > number_of(rule.slots["L"]) else "B"], "rule")

    def touches(self, fact: Fact) -> bool:
        return fact.key.subject == self.subject and fact.key.attribute in (self.rule, self.exception)


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


class ShownIn(Query, frozen=True, kw_only=True):
    """The picture that shows the value that holds."""

    key: Key

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = current(facts, self.key)
        return Found(held.image_id) if held and held.image_id else None

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key


def minimal(query: Query, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The fewest of the facts with which the query yields the same; older ones are given up first."""
    kept = [fact for fact in facts if query.touches(fact)]
    wanted = query.evaluate(kept)
    before = None
    while before != len(kept):
        before = len(kept)
        for fact in tuple(kept):
            rest = [other for other in kept if other is not fact]
            if query.evaluate(rest) == wanted:
                kept = rest
    return tuple(kept)


def proved(query: Query, facts: Sequence[Fact], evidence: Sequence[Fact]) -> str:
    """What speaks against the evidence; "" where it is enough and each piece of it is needed."""
    wanted = query.evaluate(facts)
    if query.evaluate(evidence) != wanted:
        return "the evidence alone yields another answer"
    for fact in evidence:
        if query.evaluate([other for other in evidence if other is not fact]) == wanted:
            return f"{fact.fact_id} is not needed"
    return ""
