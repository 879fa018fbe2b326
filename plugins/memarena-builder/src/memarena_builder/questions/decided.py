"""Queries on what taught rules lead to: on the person whom one names, on several cases at once."""

from __future__ import annotations

from collections.abc import Sequence

from memarena_builder.questions.query import Current, Found, Query
from memarena_builder.questions.taught import Apply, Sorted
from memarena_builder.world.facts import Fact, Key


class OfDecider(Query, frozen=True, kw_only=True):
    """A value of whoever decides, by a rule with a limit."""

    rule: Apply
    attribute: str

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        who = self.rule.evaluate(facts)
        held = Current(key=Key(who.answer, self.attribute)).evaluate(facts) if who else None
        return Found(held.answer, who.detail) if who and held else None

    def touches(self, fact: Fact) -> bool:
        return fact.key.attribute == self.attribute or self.rule.touches(fact)


class SortedAll(Query, frozen=True, kw_only=True):
    """Where things of several kinds belong, in the order of the letters."""

    rules: tuple[Sorted, ...]
    """One a kind."""
    joint: str = ", "

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        found = [rule.evaluate(facts) for rule in self.rules]
        places = sorted({each.answer for each in found if each})
        details = " ".join(each.detail for each in found if each)
        return Found(self.joint.join(places), details) if all(found) else None

    def touches(self, fact: Fact) -> bool:
        return any(rule.touches(fact) for rule in self.rules)
