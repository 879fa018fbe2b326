"""The questions of each type that what was learnt allows."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date, timedelta
from itertools import pairwise

from memarena_builder.agentic.known import Learned
from memarena_builder.agentic.queries import FIRST, Distinct, Earlier, Fits, HowMany, ShownOn
from memarena_builder.questions.known import Draft
from memarena_builder.questions.query import Claim, Current, Hop, ShownIn, Through, Unchanged, ValueOn
from memarena_builder.world.facts import Fact, Key, chain
from memarena_builder.world.values import write_day

CLAIM = (
    "Somebody maintains that {claim}. Is that the last state known?",
    "As far as is known, does it still hold that {claim}?",
)
"""`{claim}`: the sentence of the attribute."""
UNCHANGED = (
    "Is {what} still as it was known to be at the end of {D}?",
    "As far as is known, is {what} the same as at the end of {D}?",
)
VALUE_ON = (
    "By all that was known at the end of {D}, what was {what}?",
    "At the end of {D}, what was known to be {what}?",
)
EARLIER = ("Which came to be known sooner, {one} or {other}?", "What became known earlier: {one}, or {other}?")
DISTINCT = (
    "How many distinct values did {what} take, as far as is known?",
    "As far as is known, how many different values has {what} had?",
)
PICTURE = (
    "Which picture documents {what} in its last known state?",
    "Which picture has the last known evidence of {what}?",
)
"""Asked where one picture alone does."""
PICTURE_ON = (
    "Which picture documents {what} as it was known at the end of {D}?",
    "By all that was known at the end of {D}, which picture has the evidence of {what}?",
)
FITS = (
    "Nobody has opened {S} yet. Which of the things met so far would be right for it?",
    "Which thing that was met would serve for {S}, which never came open?",
)
CLAIMS = 0.15
"""Share of the questions of conflict that name a value, which leads a search for words to where it was learnt."""
PAIRS = 60
"""Pairs that are looked at, at most."""
MOST = 6
"""Pieces of evidence of a question, at most."""

Make = Callable[[Learned, random.Random], Iterable[Draft]]


def _recall(kind: str, known: Learned, rng: random.Random, facts: Iterable[Fact]) -> Iterator[Draft]:
    for fact in facts:
        if not known.attribute(fact.key).asked:
            continue
        text, template = known.ask(fact.key, rng)
        stale = known.stale(fact.key)
        version = fact.key._replace(element=fact.value if stale and fact.value else "")
        yield Draft(
            kind, text, Current(key=fact.key), template, (version,), stale, "medium" if stale else "easy"
        )  # fmt: skip


def factual_recall(known: Learned, rng: random.Random) -> Iterator[Draft]:
    """FR: learnt once, in words."""
    facts = (fact for fact in known.holding(visual=False, versions="one") if not known.attribute(fact.key).lesson)
    yield from _recall("FR", known, rng, facts)


def visual_factual_recall(known: Learned, rng: random.Random) -> Iterator[Draft]:
    """VFR: learnt once, from a picture alone."""
    yield from _recall("VFR", known, rng, known.holding(visual=True, versions="one"))


def dynamic_update(known: Learned, rng: random.Random) -> Iterator[Draft]:
    """DU: learnt in several versions, in words."""
    yield from _recall("DU", known, rng, known.holding(visual=False, versions="many"))


def visual_update(known: Learned, rng: random.Random) -> Iterator[Draft]:
    """VU: learnt in several versions, from pictures."""
    yield from _recall("VU", known, rng, known.holding(visual=True, versions="many"))


def visual_search(known: Learned, rng: random.Random) -> Iterator[Draft]:
    """VS: the one picture that shows the last value, or one that was known before."""
    yield from _shown_before(known, rng)
    for fact in filter(known.is_shown_once, known.holding(visual=True)):
        text, template = known.framed(PICTURE, "picture", rng, what=known.what(fact.key))
        older = tuple(dict.fromkeys(each.image_id for each in known.by_key[fact.key] if each is not fact))
        yield Draft("VS", text, ShownIn(key=fact.key), template, (fact.key,), older, "medium")


def _shown_before(known: Learned, rng: random.Random) -> Iterator[Draft]:
    for fact in known.holding(visual=True, versions="many"):
        for earlier, day in _days_before(known, fact, rng):
            if earlier.image_id and known.is_shown_once(earlier):
                what = known.what(fact.key)
                text, template = known.framed(PICTURE_ON, "picture_on", rng, what=what, D=write_day(day))
                key = Key(fact.key.subject, fact.key.attribute, earlier.fact_id)
                yield Draft("VS", text, ShownOn(key=fact.key, day=day), template, (key,), (fact.image_id,), "hard")


def _days_before(known: Learned, fact: Fact, rng: random.Random) -> Iterator[tuple[Fact, date]]:
    """The versions before the last one that had another value, each with a day on which it was known."""
    for earlier, later in pairwise(chain(known.by_key[fact.key], fact.key)):
        room = (later.since - earlier.since).days
        if room >= 1 and earlier.value != fact.value:
            yield earlier, earlier.since + timedelta(days=rng.randrange(room))


def cross_modal(known: Learned, rng: random.Random) -> Iterator[Draft]:
    """CMR: words lead to a subject of which a picture shows the value."""
    for relation in known.holding(visual=False):
        first = known.attribute(relation.key)
        for fact in known.holding(visual=True):
            if first.one and fact.key.subject == relation.value:
                phrase = first.one.format(S=known.called(relation.key.subject))
                query: Hop | Through = Hop(relation=relation.key, attribute=fact.key.attribute)
            elif first.who and fact.key.subject == relation.key.subject:
                phrase = first.who.format(V=relation.value)
                query = Through(known=first.name, value=relation.value or "", attribute=fact.key.attribute)
            else:
                continue
            text, template = known.ask(fact.key, rng, phrase)
            keys = (relation.key, fact.key)
            yield Draft("CMR", text, query, f"{first.name}>{template}", keys, known.stale(fact.key), "hard")


def memory_conflict(known: Learned, rng: random.Random, *, agrees: bool) -> Iterator[Draft]:
    """MC: whether what was known on a day is still the last that is known; now and then a claim that names a value."""
    claims = list(_claims(known, rng, agrees)) if rng.random() < CLAIMS else []
    yield from claims or _unchanged(known, rng, agrees)


def _unchanged(known: Learned, rng: random.Random, agrees: bool) -> Iterator[Draft]:
    for fact in known.holding(visual=False):
        if known.attribute(fact.key).numbered or known.attribute(fact.key).fixed:
            continue
        held = chain(known.by_key[fact.key], fact.key)
        ends = [*(each.since for each in held[1:]), known.today]
        for earlier, end in zip(held, ends, strict=True):
            room = (end - earlier.since).days
            if room < 1 or (earlier.value == fact.value) is not agrees:
                continue
            day = earlier.since + timedelta(days=rng.randrange(room))
            text, template = known.framed(UNCHANGED, "unchanged", rng, what=known.what(fact.key), D=write_day(day))
            query = Unchanged(key=fact.key, day=day, yes="Yes", no="No, it is {V}")
            stale = () if agrees else (earlier.value or "",)
            yield Draft("MC", text, query, template, (fact.key,), stale, "hard")


def _claims(known: Learned, rng: random.Random, agrees: bool) -> Iterator[Draft]:
    for fact in known.holding(visual=False, versions="many"):
        value = fact.value or "" if agrees else known.stale(fact.key)[-1]
        text, template = known.framed(CLAIM, "claim", rng, claim=known.claim(fact.key, value))
        query = Claim(key=fact.key, value=value, yes="Yes", no="No, it is {V}")
        yield Draft("MC", text, query, template, (fact.key,), () if agrees else (value,), "medium")


def temporal(known: Learned, rng: random.Random) -> Iterator[Draft]:
    """TR: which became known first, what was known on a day, how many values there were."""
    ways = [_earlier, _values_on, _distinct]
    rng.shuffle(ways)
    for way in ways:
        yield from way(known, rng)


def _earlier(known: Learned, rng: random.Random) -> Iterator[Draft]:
    begun = [
        fact
        for fact in known.facts
        if fact.kind in FIRST and not fact.visual and not known.attribute(fact.key).numbered
    ]  # fmt: skip
    for _ in range(PAIRS if len(begun) > 1 else 0):
        one, other = rng.sample(begun, 2)
        if one.key.attribute != other.key.attribute or one.told.session == other.told.session:
            continue
        names = (known.what(one.key), known.what(other.key))
        text, template = known.framed(EARLIER, "order", rng, one=names[0], other=names[1])
        keys = tuple(sorted((one.key, other.key)))
        yield Draft("TR", text, Earlier(one=one.key, other=other.key, names=names), template, keys, (), "hard")


def _values_on(known: Learned, rng: random.Random) -> Iterator[Draft]:
    for fact in known.holding(visual=False, versions="many"):
        for _, day in _days_before(known, fact, rng):
            text, template = known.framed(VALUE_ON, "value_on", rng, what=known.what(fact.key), D=write_day(day))
            key = Key(fact.key.subject, fact.key.attribute, str(day))
            yield Draft("TR", text, ValueOn(key=fact.key, day=day), template, (key,), (fact.value or "",), "hard")


def _distinct(known: Learned, rng: random.Random) -> Iterator[Draft]:
    for fact in known.holding(visual=False, versions="many"):
        text, template = known.framed(DISTINCT, "distinct", rng, what=known.what(fact.key))
        yield Draft("TR", text, Distinct(key=fact.key), template, (fact.key._replace(element="n"),), (), "hard")


def knowledge(known: Learned, rng: random.Random) -> Iterator[Draft]:
    """KR: a value of what a relation leads to, or how many subjects have a value."""
    for relation in known.holding(visual=False):
        first = known.attribute(relation.key)
        for fact in known.holding(visual=False):
            if first.one and fact.key.subject == relation.value and known.attribute(fact.key).asked:
                text, template = known.ask(fact.key, rng, first.one.format(S=known.called(relation.key.subject)))
                query = Hop(relation=relation.key, attribute=fact.key.attribute)
                keys = (relation.key, fact.key)
                yield Draft("KR", text, query, f"{first.name}>{template}", keys, known.stale(fact.key), "hard")
    pairs: dict[tuple[str, str], int] = {}
    for fact in known.holding(visual=False):
        pair = (fact.key.attribute, fact.value or "")
        pairs[pair] = pairs.get(pair, 0) + 1
    for (name, value), number in pairs.items():
        attribute = known.trajectory.attribute(name)
        if 1 < number <= MOST and attribute.many:
            text, template = known.framed(attribute.many, f"many {name}", rng, V=value)
            key = Key("", name, f"{value} {number}")
            yield Draft("KR", text, HowMany(attribute=name, value=value), template, (key,), (), "hard")


def test_time(known: Learned, rng: random.Random) -> Iterator[Draft]:
    """TTL: what was learnt by trying, and a rule learnt so, applied to what was never tried."""
    lessons = [fact for fact in known.holding(visual=False) if known.attribute(fact.key).lesson]
    yield from _recall("TTL", known, rng, lessons)
    for lesson in lessons:
        yield from _fitting(known, rng, lesson)
        yield from _applied(known, rng, lesson)


def _applied(known: Learned, rng: random.Random, lesson: Fact) -> Iterator[Draft]:
    """A lesson applied to a case that never was."""
    frames, case = known.attribute(lesson.key).cases, known.trajectory.cases.get(lesson.key.subject)
    if frames and case:
        name = f"new {lesson.key.attribute}"
        text, template = known.framed(frames, name, rng, S=known.called(lesson.key.subject), C=case)
        key = lesson.key._replace(element=case)
        yield Draft("TTL", text, Current(key=lesson.key), template, (key,), known.stale(lesson.key), "hard")


def _fitting(known: Learned, rng: random.Random, lesson: Fact) -> Iterator[Draft]:
    """The rule of a lesson: what helped has a visual value in common with what it helped with."""
    rule, applies = lesson.key.attribute, known.attribute(lesson.key).applies
    if applies is None:
        return
    stale = tuple(sorted({fact.value or "" for fact in known.facts if fact.key.attribute == rule}))
    for attribute in (each.name for each in known.trajectory.attributes):
        mine, its = (known.held.get(Key(name, attribute)) for name in (lesson.key.subject, lesson.value or ""))
        if mine is None or its is None or not mine.visual or mine.value != its.value:
            continue
        for key in known.held:
            state = known.held.get(Key(key.subject, applies[0]))
            open_to_it = state is not None and state.value == applies[1] and Key(key.subject, rule) not in known.held
            if key.attribute == attribute and open_to_it:
                text, template = known.framed(FITS, "fits", rng, S=key.subject)
                query = Fits(subject=key.subject, attribute=attribute, rule=rule)
                yield Draft("TTL", text, query, template, (key._replace(element=rule),), stale, "hard")


def memory_boundary(known: Learned, rng: random.Random) -> Iterator[Draft]:
    """MB: what was never learnt of something that is there, nor shown by a picture, and of something that is not."""
    told = {key.attribute for key in known.held}
    for reason, keys in (("never learnt", known.trajectory.subjects), ("no such thing", known.trajectory.strangers)):
        for subject, attribute in keys:
            key = Key(subject, attribute)
            if attribute in told and key not in known.by_key and key not in known.shown:
                text, template = known.ask(key, rng)
                yield Draft("MB", text, Current(key=key), template, (key,), (), "medium", reason)


MAKERS: Mapping[str, Make] = {
    "FR": factual_recall, "DU": dynamic_update, "TR": temporal, "KR": knowledge, "TTL": test_time,
    "VFR": visual_factual_recall, "VS": visual_search, "VU": visual_update, "CMR": cross_modal,
}  # fmt: skip
"""By type; MB comes in pairs, MC in turns of yes and no."""
