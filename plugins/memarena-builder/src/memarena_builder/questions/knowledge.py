"""KR: several facts at once, by sums, relations, schedules and sets."""

from __future__ import annotations

import random
from collections.abc import Iterator

from memarena_builder.questions.known import Draft, Known, asked, framed, groups, listed
from memarena_builder.questions.query import Hop
from memarena_builder.questions.several import Members, Nth, Total
from memarena_builder.world.facts import Fact, Key

FURTHEST = 7
"""The last turn of a schedule that is asked for."""
ADDED = range(3, 7)
"""How many numbers a sum has."""
SHORT, LONG = range(2, 7), range(4, 7)
"""How many members a set has that is asked for, and one that is long."""


def knowledge(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    """KR: `total` of two and `sum` of more; a value over one relation (`hop`) or over two (`path`); `nth`; `members` of
    a set, or of a `long` one."""
    if form in ("total", "sum"):
        yield from _sums(known, rng, form)
    elif form in ("hop", "path"):
        yield from hops(known, rng, "KR", visual=False, far=form == "path")
    elif form == "nth":
        yield from _turns(known, rng)
    else:
        yield from _members(known, rng, LONG if form == "long" else SHORT)


def _sums(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    frames = known.pack.asking
    numbers = [fact for fact in known.holding("plain", visual=False) if known.attribute(fact.key).sums]
    for name in dict.fromkeys(fact.key.attribute for fact in numbers):
        same = [fact for fact in numbers if fact.key.attribute == name]
        for some in groups(same, range(2, 3) if form == "total" else ADDED, rng):
            keys = tuple(fact.key for fact in some)
            names = tuple(map(known.what, keys))
            text, template = (
                framed(frames.total, "total", rng, what_a=names[0], what_b=names[1])
                if form == "total"
                else framed(frames.sum, "sum", rng, list=listed(known.pack, names))
            )
            query = Total(keys=keys, amount=known.pack.writing.amount)
            yield Draft("KR", text, query, template, tuple(sorted(keys)), (), "hard")


def hops(known: Known, rng: random.Random, kind: str, *, visual: bool, far: bool = False) -> Iterator[Draft]:
    """A value of the person to whom a relation leads; `visual`: the value is in a picture alone; `far`: it is a
    relation of a person to whom another leads."""
    for subject, relation, further, person in _led_to(known, far=far):
        for attribute in known.pack.attributes:
            key = Key(person.value or "", attribute.name)
            fact = known.held.get(key)
            if fact is None or attribute.form not in ("plain", "date") or fact.visual is not visual:
                continue
            text, template = asked(attribute, subject, rng)
            query = Hop(relation=relation, further=further, attribute=attribute.name)
            name = ">".join((relation.attribute, *further, template))
            keys = (relation, *([person.key] if further else []), key)
            yield Draft(kind, text, query, name, keys, known.stale(key), "hard")


def _led_to(known: Known, *, far: bool) -> Iterator[tuple[str, Key, tuple[str, ...], Fact]]:
    """For each person to whom relations lead: how questions call them, the first relation, those that follow, and the
    fact that is the last of them."""
    for first in known.holding("relation", visual=False):
        called = known.attribute(first.key).one.format(S=first.key.subject)
        if not far:
            yield called, first.key, (), first
            continue
        for attribute in (each for each in known.pack.attributes if each.form == "relation"):
            last = known.held.get(Key(first.value or "", attribute.name))
            if last is not None and not last.visual:
                yield attribute.one.format(S=called), first.key, (attribute.name,), last


def _turns(known: Known, rng: random.Random) -> Iterator[Draft]:
    frames = known.pack.asking
    for fact in known.holding("schedule", visual=False):
        number = rng.randint(3, FURTHEST)
        attribute = known.attribute(fact.key)
        family = rng.randrange(len(attribute.asked))
        text = attribute.asked[family].format(S=fact.key.subject, K=frames.ordinals[number])
        template = f"{attribute.name}/{family}"
        yield Draft("KR", text, Nth(key=fact.key, number=number), template, (fact.key,), (), "hard")


def _members(known: Known, rng: random.Random, sizes: range) -> Iterator[Draft]:
    sets = dict.fromkeys(key[:2] for key in known.held if known.attribute(key).form == "set")
    for subject, name in sets:
        attribute = known.pack.attribute(name)
        elements = tuple(key for key in known.by_key if key[:2] == (subject, name))
        if sum(key in known.held for key in elements) in sizes:
            text, template = asked(attribute, subject, rng)
            stale = tuple(key.element for key in elements if key not in known.held)
            query = Members(subject=subject, attribute=name, joint=known.pack.asking.joint)
            yield Draft("KR", text, query, template, elements, stale, "hard")
