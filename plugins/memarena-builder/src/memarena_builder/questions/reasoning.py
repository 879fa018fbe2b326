"""MC, TR, KR, TTL: claims, time, several facts at once, taught rules."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import timedelta
from itertools import combinations, pairwise

from memarena_builder.packs.schema import Attribute
from memarena_builder.questions.known import UNSETTLED, Draft, Known, asked, framed
from memarena_builder.questions.query import (
    Apply,
    Claim,
    Count,
    DaysBetween,
    Hop,
    Lesson,
    Members,
    Nth,
    Sooner,
    Total,
    Unchanged,
    ValueOn,
)
from memarena_builder.questions.recall import PLAIN
from memarena_builder.world.facts import Fact, Key, chain
from memarena_builder.world.values import number_of

FURTHEST = 7
"""The last turn of a schedule that is asked for."""
PAIRS = 40
"""Pairs of facts that are looked at, at most."""


def memory_conflict(known: Known, rng: random.Random, form: str, *, agrees: bool) -> Iterator[Draft]:
    """MC: `claim`, with the value that holds (`agrees`) or with one that was told and does not; or `unchanged`, which
    holds what was on a day against what is, and names no value: of facts that are true since they were told, for a day
    in their words would lead a search there, and a correction does not say since when."""
    if form == "unchanged":
        yield from _unchanged(known, rng, agrees=agrees)
        return
    frames = known.pack.asking
    for fact in known.holding(*PLAIN, visual=False, versions="many"):
        values = [fact.value or ""] if agrees else list(known.stale(fact.key))
        for value in values[-1:]:
            text, template = framed(frames.claim, "claim", rng, what=known.what(fact.key), V=value)
            query = Claim(key=fact.key, value=value, yes=frames.yes, no=frames.no)
            yield Draft("MC", text, query, template, (fact.key,), (value,) if not agrees else (), "medium")


def _unchanged(known: Known, rng: random.Random, *, agrees: bool) -> Iterator[Draft]:
    frames = known.pack.asking
    today = known.plan.sessions[known.until].day
    for fact in known.holding(*PLAIN, visual=False, versions="any" if agrees else "many"):
        if any(each.since != each.day for each in known.by_key[fact.key]):
            continue
        held = chain(known.by_key[fact.key], fact.key)
        for earlier, later in pairwise((*held, None)):
            end = later.since if later else today
            room = (end - earlier.since).days if earlier else 0
            if earlier is None or room < 6 or earlier.value is None or earlier.visual:
                continue
            if (earlier.value == fact.value) is not agrees:
                continue
            day = earlier.since + timedelta(days=rng.randint(2, room - 2))
            text, template = framed(
                frames.unchanged, "unchanged", rng, what=known.what(fact.key), D=known.pack.writing.write(day)
            )
            query = Unchanged(key=fact.key, day=day, yes=frames.yes, no=frames.no)
            yield Draft("MC", text, query, template, (fact.key,), (earlier.value,) if not agrees else (), "hard")


def temporal(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    """TR: `order`, `days`, `value_on` or `count`."""
    if form in ("order", "days"):
        yield from _two_days(known, rng, form)
    elif form == "value_on":
        yield from _values_on(known, rng)
    else:
        yield from _counts(known, rng)


def _two_days(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    frames = known.pack.asking
    for one, other in _pairs(list(known.holding("date", visual=False)), rng):
        if one.key.attribute == other.key.attribute and one.key.subject == other.key.subject:
            continue
        names = (known.what(one.key), known.what(other.key))
        frame = frames.order if form == "order" else frames.days
        text, template = framed(frame, form, rng, what_a=names[0], what_b=names[1])
        query = (
            Sooner(one=one.key, other=other.key, names=names)
            if form == "order"
            else DaysBetween(one=one.key, other=other.key, unit=frames.day_unit, amount=known.pack.writing.amount)
        )
        yield Draft("TR", text, query, template, (one.key, other.key), (), "hard")


def _values_on(known: Known, rng: random.Random) -> Iterator[Draft]:
    """What held on a day; of facts that are true since they were told or say since when, as a correction does not."""
    for fact in known.holding("plain", visual=False, versions="many"):
        held = chain(known.by_key[fact.key], fact.key)
        for earlier, later in pairwise(held):
            room = (later.since - earlier.since).days
            if room < 6 or earlier.value is None or earlier.visual:
                continue
            if earlier.kind in UNSETTLED and earlier.since != earlier.day:
                continue
            day = earlier.since + timedelta(days=rng.randint(2, room - 2))
            text, template = framed(
                known.pack.asking.value_at, "value_at", rng, what=known.what(fact.key), D=known.pack.writing.write(day)
            )
            stale = (fact.value or "",) if fact.value != earlier.value else ()
            yield Draft("TR", text, ValueOn(key=fact.key, day=day), template, (fact.key,), stale, "hard")


def _counts(known: Known, rng: random.Random) -> Iterator[Draft]:
    for fact in known.holding(*PLAIN, visual=False, versions="many"):
        versions = known.by_key[fact.key]
        if any(each.kind in UNSETTLED or each.visual or each.value is None for each in versions):
            continue
        text, template = framed(known.pack.asking.count, "count", rng, what=known.what(fact.key))
        yield Draft("TR", text, Count(key=fact.key, counts=known.pack.asking.counts), template, (fact.key,), (), "hard")


def _pairs(facts: Sequence[Fact], rng: random.Random) -> list[tuple[Fact, Fact]]:
    pairs = list(combinations(facts, 2))
    chosen = rng.sample(pairs, min(PAIRS, len(pairs)))
    return [pair if rng.random() < 0.5 else pair[::-1] for pair in chosen]


def knowledge(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    """KR: `total`, `hop`, `nth` or `members`."""
    if form == "total":
        yield from _totals(known, rng)
    elif form == "hop":
        yield from hops(known, rng, "KR", visual=False)
    elif form == "nth":
        yield from _turns(known, rng)
    else:
        yield from _members(known, rng)


def _totals(known: Known, rng: random.Random) -> Iterator[Draft]:
    numbers = [fact for fact in known.holding("plain", visual=False) if known.attribute(fact.key).sums]
    for one, other in _pairs(numbers, rng):
        if one.key.attribute == other.key.attribute:
            names = (known.what(one.key), known.what(other.key))
            text, template = framed(known.pack.asking.total, "total", rng, what_a=names[0], what_b=names[1])
            query = Total(keys=(one.key, other.key), amount=known.pack.writing.amount)
            yield Draft("KR", text, query, template, (one.key, other.key), (), "hard")


def hops(known: Known, rng: random.Random, kind: str, *, visual: bool) -> Iterator[Draft]:
    """A value of the person to whom a relation leads; `visual`: the value is in a picture alone."""
    for relation in known.holding("relation", visual=False):
        for attribute in known.pack.attributes:
            key = Key(relation.value or "", attribute.name)
            fact = known.held.get(key)
            if fact is None or attribute.form not in ("plain", "date") or fact.visual is not visual:
                continue
            subject = known.attribute(relation.key).one.format(S=relation.key.subject)
            text, template = asked(attribute, subject, rng)
            query = Hop(relation=relation.key, attribute=attribute.name)
            name = f"{relation.key.attribute}>{template}"
            yield Draft(kind, text, query, name, (relation.key, key), known.stale(key), "hard")


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
    sets = dict.fromkeys(key[:2] for key in known.held if known.attribute(key).form == "set")
    for subject, name in sets:
        attribute = known.pack.attribute(name)
        elements = tuple(key for key in known.by_key if key[:2] == (subject, name))
        if len(elements) > 1:
            text, template = asked(attribute, subject, rng)
            stale = tuple(key.element for key in elements if key not in known.held)
            query = Members(subject=subject, attribute=name, joint=known.pack.asking.joint)
            yield Draft("KR", text, query, template, elements, stale, "hard")


def test_time(known: Known, rng: random.Random) -> Iterator[Draft]:
    """TTL: a rule or its exception applied to a case that never occurred, or what a failure taught."""
    for fact in known.holding("lesson"):
        text, template = asked(known.attribute(fact.key), fact.key.subject, rng)
        yield Draft("TTL", text, Lesson(key=fact.key), template, (fact.key,), (), "medium")
    rules = {each.form: each for each in known.pack.attributes}
    for form in ("rule", "exception"):
        for fact in known.holding(form):
            yield from _cases(known, rng, fact, rules["rule"], rules["exception"])


def _cases(known: Known, rng: random.Random, fact: Fact, rule: Attribute, exception: Attribute) -> Iterator[Draft]:
    subject = fact.key.subject
    if Key(subject, rule.name) not in known.held:
        return
    limit = number_of(known.held[Key(subject, rule.name)].slots["L"])
    amount = limit + rng.choice((-1, 1)) * rng.randint(3, min(limit // 2, 90))
    special = {key.element for key in known.by_key if key[:2] == (subject, exception.name)}
    cases = [case for case in known.pack.pools[exception.slots["C"].pool] if case not in special]
    case = fact.key.element or rng.choice(cases)
    number = rng.randrange(len(rule.asked))
    text = rule.asked[number].format(S=subject, X=amount, C=case)
    query = Apply(subject=subject, rule=rule.name, exception=exception.name, amount=amount, case=case)
    keys = (fact.key, Key("case", str(amount), case))
    yield Draft("TTL", text, query, f"{rule.name}/{number}", keys, (), "hard" if fact.key.element else "medium")
