"""Queries on told facts: the answer of every question is computed, never written down.

`evaluate` looks at nothing but the facts that it is given: with the evidence alone it must say the same as with all
that was told, and with one piece of the evidence less something else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import ClassVar, NamedTuple

from memarena.records import Record
from memarena_builder.world.facts import Fact, Key, chain, current, value_on
from memarena_builder.world.values import COUNTS


class Found(NamedTuple):
    """What a query yields: what to answer, and by which finding."""

    answer: str
    detail: str = ""


class Query(Record, frozen=True, kw_only=True, tag=True):
    """Base of all queries."""

    offers: ClassVar[bool] = False
    """Whether a question of it names the answers among which to choose."""

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


class Led(Query, frozen=True, kw_only=True):
    """Base of what is asked of the person to whom a relation leads, or relations of relations."""

    relation: Key
    further: tuple[str, ...] = ()
    """The relations that lead on from there."""
    attribute: str

    def led(self, facts: Sequence[Fact]) -> Key | None:
        """What is asked for of the last person; None where these facts do not lead there."""
        key = self.relation
        for attribute in (*self.further, self.attribute):
            person = current(facts, key)
            if person is None or person.value is None:
                return None
            key = Key(person.value, attribute)
        return key

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.relation or fact.key.attribute in (*self.further, self.attribute)


class Hop(Led, frozen=True, kw_only=True):
    """A value of the person to whom relations lead."""

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        key = self.led(facts)
        return Current(key=key).evaluate(facts) if key else None


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


class ShownIn(Query, frozen=True, kw_only=True):
    """The picture that shows the value that holds."""

    key: Key

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = current(facts, self.key)
        return Found(held.image_id) if held and held.image_id else None

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key


class PictureOf(Led, frozen=True, kw_only=True):
    """The picture that shows a value of the person to whom relations lead."""

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        key = self.led(facts)
        return ShownIn(key=key).evaluate(facts) if key else None


def pictured(query: Query, facts: Sequence[Fact]) -> Key | None:
    """What the picture shows that a query asks for; None where it asks for none, or these facts do not lead there."""
    if isinstance(query, PictureOf):
        return query.led(facts)
    return query.key if isinstance(query, ShownIn) else None


def minimal(query: Query, facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """The fewest of the facts with which the query yields the same; what does not hold is given up first, then what is
    older."""
    kept = [fact for fact in facts if query.touches(fact)]
    wanted = query.evaluate(kept)
    holding = {id(current(kept, key)) for key in {fact.key for fact in kept}}
    order = sorted(kept, key=lambda fact: id(fact) in holding)
    before = None
    while before != len(kept):
        before = len(kept)
        for fact in order:
            rest = [other for other in kept if other is not fact]
            if len(rest) < len(kept) and query.evaluate(rest) == wanted:
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
