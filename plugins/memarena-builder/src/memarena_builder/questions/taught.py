"""Queries on what was taught: by a rule, by its exceptions, by cases, by what failed and what helped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from memarena_builder.packs.schema import Attribute, Form
from memarena_builder.questions.query import Found, Query
from memarena_builder.world.facts import Fact, Key, current
from memarena_builder.world.values import number_of


class Lesson(Query, frozen=True, kw_only=True):
    """What helped when something failed."""

    key: Key

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = current(facts, self.key)
        return Found(held.slots["V"]) if held and held.slots else None

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key


class Apply(Query, frozen=True, kw_only=True):
    """What a taught rule with a limit says about a case that never occurred."""

    subject: str
    rule: str
    exception: str
    example: str = ""
    slip: str = ""
    """Names of the attributes: of the rule, of its exceptions, of cases in which it was kept, of those in which not."""
    amount: int
    case: str

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        special = current(facts, Key(self.subject, self.exception, self.case))
        if special and special.slots:
            return Found(special.slots["A"], "exception")
        rule = current(facts, Key(self.subject, self.rule))
        if rule is not None and rule.slots:
            return Found(rule.slots["A" if self.amount > number_of(rule.slots["L"]) else "B"], "rule")
        return self._by_cases([fact for fact in facts if fact.key.subject == self.subject and fact.slots])

    def touches(self, fact: Fact) -> bool:
        names = (self.rule, self.exception, self.example, self.slip)
        return fact.key.subject == self.subject and fact.key.attribute in names

    def _by_cases(self, facts: Sequence[Fact]) -> Found | None:
        """Who decides here, wherever the limit is that the cases leave open, by which one of two persons decides below
        and the other above; None where it can be either, or where the cases do not name two."""
        right = [(number_of(fact.slots["X"]), fact.slots["A"]) for fact in facts if fact.key.attribute == self.example]
        wrong = [(number_of(fact.slots["X"]), fact.slots["A"]) for fact in facts if fact.key.attribute == self.slip]
        persons = sorted({person for _, person in right})
        if len(persons) != 2 or not {person for _, person in wrong} <= set(persons):
            return None
        known = [*right, *((size, persons[person == persons[0]]) for size, person in wrong)]
        sides = [[size for size, person in known if person == each] for each in persons]
        below, above = sorted((0, 1), key=lambda side: max(sides[side]))
        if max(sides[below]) >= min(sides[above]):
            return None
        if self.amount <= max(sides[below]):
            return Found(persons[below], "cases")
        return Found(persons[above], "cases") if self.amount >= min(sides[above]) else None


class Sorted(Query, frozen=True, kw_only=True):
    """Where a kind of things belongs: by the rule for that kind, else by that for all others."""

    subject: str
    rule: str
    rest: str
    """Names of the attributes."""
    case: str

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = current(facts, Key(self.subject, self.rule, self.case))
        if held and held.slots:
            return Found(held.slots["V"], "rule")
        other = current(facts, Key(self.subject, self.rest))
        return Found(other.slots["V"], "rest") if other and other.slots else None

    def touches(self, fact: Fact) -> bool:
        return fact.key in (Key(self.subject, self.rule, self.case), Key(self.subject, self.rest))


class Named(Query, frozen=True, kw_only=True):
    """What something on a topic is called by a rule for names."""

    key: Key
    topic: str

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = current(facts, self.key)
        return Found(f"{held.slots['P']}-{self.topic}-{held.slots['Q']}") if held and held.slots else None

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key


class Packed(Query, frozen=True, kw_only=True):
    """How many packs a number of things is, by a rule for how they are counted; a pack that is begun counts."""

    key: Key
    amount: int

    def evaluate(self, facts: Sequence[Fact]) -> Found | None:
        held = current(facts, self.key)
        return Found(str(-(-self.amount // number_of(held.slots["N"])))) if held and held.slots else None

    def touches(self, fact: Fact) -> bool:
        return fact.key == self.key


class Rules:
    """The attributes of a pack that teach something, by form; those that tell kind by kind where things belong by their
    own names and by those that tell where all others do."""

    def __init__(self, attributes: Iterable[Attribute]) -> None:
        every = tuple(attributes)
        self.by_form = {each.form: each for each in every}
        self.by_kind = {name: each for each in every if each.form == "case" for name in (each.name, each.rest)}

    def name(self, form: Form) -> str:
        """The name of the attribute of a form; "" where there is none."""
        return self.by_form[form].name if form in self.by_form else ""

    def apply(self, subject: str, amount: int, case: str) -> Apply:
        """The query for a case of the rule with a limit."""
        return Apply(
            subject=subject, rule=self.name("rule"), exception=self.name("exception"), example=self.name("example"),
            slip=self.name("slip"), amount=amount, case=case,
        )  # fmt: skip

    @staticmethod
    def sorted(attribute: Attribute, subject: str, case: str) -> Sorted:
        """The query for where something of a kind belongs, by the attribute that tells it kind by kind."""
        return Sorted(subject=subject, rule=attribute.name, rest=attribute.rest, case=case)
