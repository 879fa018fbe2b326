"""KR: several facts at once, by sums, relations, schedules and sets."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from memarena_builder.packs.schema import Attribute
from memarena_builder.questions.known import Draft, Known, asked, framed, groups, listed
from memarena_builder.questions.mix import MOST
from memarena_builder.questions.query import Hop
from memarena_builder.questions.several import Members, MembersOf, Nth, Total
from memarena_builder.world.facts import Fact, Key

FURTHEST = 7
"""The last turn of a schedule that is asked for."""
ADDED = range(2, MOST + 1)
"""How many numbers a sum has."""
MEMBERS = range(2, MOST + 1)
"""How many members a set has that is asked for."""


def knowledge(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    """KR: a `sum`; a value over one relation (`hop`) or over two (`path`); `nth`; `members` of a set, or of that of
    somebody to whom a relation leads (`theirs`)."""
    if form == "sum":
        yield from sums(known, rng, "KR")
    elif form in ("hop", "path"):
        yield from hops(known, rng, "KR", visual=False, far=form == "path")
    elif form == "nth":
        yield from _turns(known, rng)
    elif form == "theirs":
        yield from _theirs(known, rng)
    else:
        yield from _members(known, rng)


def sums(known: Known, rng: random.Random, kind: str) -> Iterator[Draft]:
    """The sum of numbers of one attribute: of KR all told in words, of CMR some by pictures alone."""
    frames = known.pack.asking
    numbers = [fact for fact in known.holding("plain") if known.attribute(fact.key).sums]
    for name in dict.fromkeys(fact.key.attribute for fact in numbers):
        same = [fact for fact in numbers if fact.key.attribute == name and (kind == "CMR" or not fact.visual)]
        for some in groups(same, ADDED, rng):
            if kind == "CMR" and not any(fact.visual for fact in some):
                continue
            keys = tuple(fact.key for fact in some)
            names = tuple(map(known.what, keys))
            text, template = (
                framed(frames.total, "total", rng, what_a=names[0], what_b=names[1])
                if len(names) == 2
                else framed(frames.sum, "sum", rng, list=listed(known.pack, names))
            )
            query = Total(keys=keys, amount=known.pack.writing.amount)
            yield Draft(kind, text, query, template, tuple(sorted(keys)), (), "hard")


def hops(known: Known, rng: random.Random, kind: str, *, visual: bool, far: bool = False) -> Iterator[Draft]:
    """A value of the person to whom a relation leads; `visual`: the value is in a picture alone; `far`: it is a
    relation of a person to whom another leads."""
    for each in led_to(known, far=far):
        for attribute in known.pack.attributes:
            key = Key(each.last.value or "", attribute.name)
            fact = known.held.get(key)
            if fact is None or attribute.form not in ("plain", "date") or fact.visual is not visual:
                continue
            text, template = asked(attribute, each.called, rng)
            query = Hop(relation=each.first, further=each.further, attribute=attribute.name)
            yield Draft(kind, text, query, each.named(template), (*each.keys, key), known.stale(key), "hard")


class LedTo(NamedTuple):
    """A person to whom relations lead."""

    called: str
    """How questions call them."""
    first: Key
    """The first relation."""
    further: tuple[str, ...]
    """Those that follow."""
    last: Fact
    """That which names the person."""

    @property
    def keys(self) -> tuple[Key, ...]:
        """All relations."""
        return (self.first, *([self.last.key] if self.further else []))

    def named(self, template: str) -> str:
        """The family of a question, over these relations."""
        return ">".join((self.first.attribute, *self.further, template))


def led_to(known: Known, *, far: bool) -> Iterator[LedTo]:
    """Each person to whom a relation leads; `far`: a relation of a person to whom another leads."""
    for first in known.holding("relation", visual=False):
        called = known.attribute(first.key).one.format(S=first.key.subject)
        if not far:
            yield LedTo(called, first.key, (), first)
            continue
        relations = (each for each in known.pack.attributes if each.form == "relation")
        for attribute in (each for each in relations if each.name != first.key.attribute):
            last = known.held.get(Key(first.value or "", attribute.name))
            if last is not None and not last.visual:
                yield LedTo(attribute.one.format(S=called), first.key, (attribute.name,), last)


def _turns(known: Known, rng: random.Random) -> Iterator[Draft]:
    frames = known.pack.asking
    for fact in known.holding("schedule", visual=False):
        number = rng.randint(3, FURTHEST)
        attribute = known.attribute(fact.key)
        family = rng.randrange(len(attribute.asked))
        text = attribute.asked[family].format(S=fact.key.subject, K=frames.ordinals[number])
        template = f"{attribute.name}/{family}"
        yield Draft("KR", text, Nth(key=fact.key, number=number), template, (fact.key,), (), "hard")


def _members(known: Known, rng: random.Random) -> Iterator[Draft]:
    for subject, attribute, elements in _sets(known):
        text, template = asked(attribute, subject, rng)
        query = Members(subject=subject, attribute=attribute.name, joint=known.pack.asking.joint)
        yield Draft("KR", text, query, template, elements, _gone(known, elements), "hard")


def _theirs(known: Known, rng: random.Random) -> Iterator[Draft]:
    sets = list(_sets(known))
    for each in (*led_to(known, far=False), *led_to(known, far=True)):
        for subject, attribute, elements in sets:
            if subject == each.last.value:
                text, template = asked(attribute, each.called, rng)
                query = MembersOf(
                    relation=each.first, further=each.further, attribute=attribute.name, joint=known.pack.asking.joint
                )
                keys = (*each.keys, *elements)
                yield Draft("KR", text, query, each.named(template), keys, _gone(known, elements), "hard")


def _sets(known: Known) -> Iterator[tuple[str, Attribute, tuple[Key, ...]]]:
    """Each set that has as many members as `MEMBERS` allows: of whom, the attribute, and all that ever were in it."""
    sets = dict.fromkeys(key[:2] for key in known.held if known.attribute(key).form == "set")
    for subject, name in sets:
        elements = tuple(key for key in known.by_key if key[:2] == (subject, name))
        if sum(key in known.held for key in elements) in MEMBERS:
            yield subject, known.pack.attribute(name), elements


def _gone(known: Known, elements: Sequence[Key]) -> tuple[str, ...]:
    return tuple(key.element for key in elements if key not in known.held)
