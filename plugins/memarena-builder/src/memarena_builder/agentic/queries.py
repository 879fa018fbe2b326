"""Queries on what an agent learnt, beside those on told facts in `questions.query`."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import ClassVar

from memarena_builder.questions.query import Found, Query, ShownIn
from memarena_builder.world.facts import Fact, Key, current, value_on
from memarena_builder.world.values import COUNTS

FIRST = frozenset({"E1", "E9", "E11"})
"""Kinds of events by which a key becomes known."""


class Earlier(Query, frozen=True, kw_only=True):
    """Which of two things became known first; answers with its name."""

    offers: ClassVar[bool] = True
    one: Key
    other: Key
    names: tuple[str, str]

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        first, second = (self._begin(facts, key) for key in (self.one, self.other))
        if first is None or second is None:
            return None
        return Found(self.names[0 if first.told < second.told else 1])

    def _begin(self, facts: Sequence[Fact], key: Key) -> Fact | None:
        return next((fact for fact in facts if fact.key == key and fact.kind in FIRST), None)

    def touches(self, fact: Fact) -> bool:
        return fact.key in (self.one, self.other)


class Distinct(Query, frozen=True, kw_only=True):
    """How many different values became known, in words."""

    key: Key

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        values = {fact.value for fact in facts if fact.key == self.key} - {None}
        return Found(COUNTS[len(values)]) if 0 < len(values) < len(COUNTS) else None

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key


class HowMany(Query, frozen=True, kw_only=True):
    """Of how many subjects a value is the last one known, in words."""

    attribute: str
    value: str

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        keys = dict.fromkeys(fact.key for fact in facts if fact.key.attribute == self.attribute)
        number = sum(held.value == self.value for key in keys if (held := current(facts, key)))
        return Found(COUNTS[number]) if 0 < number < len(COUNTS) else None

    def touches(self, fact: Fact) -> bool:
        return fact.key.attribute == self.attribute


class ShownOn(ShownIn, frozen=True, kw_only=True):
    """The picture that shows the value that was known on a day."""

    day: date

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = value_on(facts, self.key, self.day)
        return Found(held.image_id) if held and held.image_id else None


class Fits(Query, frozen=True, kw_only=True):
    """What shares a value with the subject, by a rule that was learnt: the key of the colour of a door."""

    subject: str
    attribute: str
    """What has to be the same."""
    rule: str
    """The attribute of the lessons that teach the rule; one is needed, with what is the same in it."""

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = self._held(facts)
        wanted = held.get(self.subject)
        lessons = [fact for fact in facts if fact.key.attribute == self.rule]
        taught = {sort(lesson.value or "") for lesson in lessons if self._is_same(lesson, held)} - {""}
        fitting = [name for name, value in held.items() if value == wanted and sort(name) in taught]
        return Found(fitting[0]) if wanted and len(fitting) == 1 else None

    def _held(self, facts: Sequence[Fact]) -> dict[str, str]:
        subjects = dict.fromkeys(fact.key.subject for fact in facts if fact.key.attribute == self.attribute)
        found = {name: current(facts, Key(name, self.attribute)) for name in subjects}
        return {name: fact.value for name, fact in found.items() if fact and fact.value}

    def _is_same(self, lesson: Fact, held: dict[str, str]) -> bool:
        mine, its = held.get(lesson.key.subject), held.get(lesson.value or "")
        return mine is not None and mine == its

    def touches(self, fact: Fact) -> bool:
        return fact.key.attribute in (self.attribute, self.rule)


def sort(name: str) -> str:
    """The word that says what a subject is: `key` for `the key Onyx`."""
    words = name.split()
    return words[1] if words[0:1] == ["the"] and len(words) > 2 else ""
