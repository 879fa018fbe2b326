"""What was told up to a checkpoint, sorted for the builders of questions; and what they make."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import NamedTuple

from memarena_builder.packs.schema import Attribute, Pack
from memarena_builder.plan.events import Plan
from memarena_builder.questions.query import Query
from memarena_builder.world.facts import Fact, Key, current

UNSETTLED = frozenset({"E3", "E5", "E6", "E13"})
"""Kinds of events after which it is a matter of wording how many values there were."""


GROUPS = 40
"""Groups of facts that are looked at, at most."""


class Draft(NamedTuple):
    """A question that may be asked: its type, its words and what computes its answer."""

    type: str
    text: str
    query: Query
    template: str
    """Which family the words come from; an unanswerable question and its twin share it."""
    keys: tuple[Key, ...]
    stale: tuple[str, ...] = ()
    """Answers that were right once, or that a trap suggests."""
    difficulty: str = "easy"
    reason: str = ""
    """Why it cannot be answered; "" where it can."""


class Known:
    """The facts told up to a session."""

    def __init__(self, pack: Pack, plan: Plan, until: int) -> None:
        self.pack = pack
        self.plan = plan
        self.until = until
        self.facts = plan.facts(until)

    @cached_property
    def by_key(self) -> dict[Key, tuple[Fact, ...]]:
        """All versions of each key, in the order in which they were told."""
        out: dict[Key, list[Fact]] = {}
        for fact in self.facts:
            out.setdefault(fact.key, []).append(fact)
        return {key: tuple(facts) for key, facts in out.items()}

    @cached_property
    def held(self) -> dict[Key, Fact]:
        """For each key with a value the version that holds."""
        found = ((key, current(facts, key)) for key, facts in self.by_key.items())
        return {key: fact for key, fact in found if fact is not None and fact.value is not None}

    def holding(self, *forms: str, visual: bool | None = None, versions: str = "any") -> Iterator[Fact]:
        """The versions that hold, of attributes of these forms. `versions`: `one`, `many` or `any`."""
        for key, fact in self.held.items():
            several = len(self.by_key[key]) > 1
            if self.attribute(key).form not in forms or (visual is not None and fact.visual is not visual):
                continue
            if versions == "any" or several is (versions == "many"):
                yield fact

    def attribute(self, key: Key) -> Attribute:
        """What the key is an instance of."""
        return self.pack.attribute(key.attribute)

    def what(self, key: Key) -> str:
        """The noun phrase for a key, in the words of questions."""
        return self.attribute(key).what.format(S=key.subject)

    def stale(self, key: Key) -> tuple[str, ...]:
        """The values told for a key that do not hold."""
        holds = self.held.get(key)
        values = (fact.value for fact in self.by_key.get(key, ()))
        return tuple(dict.fromkeys(value for value in values if value and (not holds or value != holds.value)))

    def older_pictures(self, fact: Fact) -> tuple[str, ...]:
        """The pictures that showed another version of what `fact` tells."""
        return tuple(each.image_id for each in self.by_key[fact.key] if each.image_id and each is not fact)

    def position(self, evidence: tuple[Fact, ...]) -> float:
        """Where the evidence stands: 0 for the first session, 1 for the last one told."""
        return sum(fact.told.session for fact in evidence) / len(evidence) / max(self.until, 1)


def asked(attribute: Attribute, subject: str, rng: random.Random) -> tuple[str, str]:
    """A question for the value of an attribute, and the name of its family."""
    number = rng.randrange(len(attribute.asked))
    return attribute.asked[number].format(S=subject), f"{attribute.name}/{number}"


def framed(frames: tuple[str, ...], name: str, rng: random.Random, **blanks: str) -> tuple[str, str]:
    """A question from a frame, and the name of its family."""
    number = rng.randrange(len(frames))
    return sentence_case(frames[number].format(**blanks)), f"{name}/{number}"


def listed(pack: Pack, names: Sequence[str]) -> str:
    """What a question chooses among or adds, one after the other."""
    return pack.asking.apart.join(names)


def groups(facts: Sequence[Fact], sizes: range, rng: random.Random) -> list[tuple[Fact, ...]]:
    """Different facts, as many together as `sizes` allows, each group in an order by chance."""
    found: dict[frozenset[str], tuple[Fact, ...]] = {}
    for _ in range(GROUPS if len(facts) >= sizes.start else 0):
        chosen = rng.sample(facts, min(rng.choice(sizes), len(facts)))
        found.setdefault(frozenset(fact.fact_id for fact in chosen), tuple(chosen))
    return list(found.values())


def sentence_case(text: str) -> str:
    """`text` with a capital."""
    return text[:1].upper() + text[1:]
