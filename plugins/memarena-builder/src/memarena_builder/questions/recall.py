"""FR, VFR, DU, VU: the value that holds; MB: one that was never told. One form of question for all five."""

from __future__ import annotations

import random
from collections.abc import Iterator

from memarena_builder.questions.known import Draft, Known, asked
from memarena_builder.questions.query import Current, Query
from memarena_builder.questions.several import Members
from memarena_builder.world.facts import Fact, Key

PLAIN = ("plain", "date", "relation")


def _draft(kind: str, known: Known, fact: Fact, rng: random.Random) -> Draft:
    text, template = asked(known.attribute(fact.key), fact.key.subject, rng)
    stale = known.stale(fact.key)
    hard = "medium" if stale else "easy"
    return Draft(kind, text, Current(key=fact.key), template, (fact.key,), stale, hard)


def factual_recall(known: Known, rng: random.Random) -> Iterator[Draft]:
    """FR: told once, in words."""
    for fact in known.holding(*PLAIN, visual=False, versions="one"):
        yield _draft("FR", known, fact, rng)


def visual_factual_recall(known: Known, rng: random.Random) -> Iterator[Draft]:
    """VFR: told once, by a picture alone."""
    for fact in known.holding(*PLAIN, visual=True, versions="one"):
        yield _draft("VFR", known, fact, rng)


def dynamic_update(known: Known, rng: random.Random) -> Iterator[Draft]:
    """DU: told in several versions, the last in words."""
    for fact in known.holding(*PLAIN, visual=False, versions="many"):
        yield _draft("DU", known, fact, rng)


def visual_update(known: Known, rng: random.Random) -> Iterator[Draft]:
    """VU: told in several versions, the last by a picture."""
    for fact in known.holding(*PLAIN, visual=True, versions="many"):
        yield _draft("VU", known, fact, rng)


REASONS = ("never told", "retracted", "detail not given", "no such entity", "picture never sent")
"""Why a question of memory boundary cannot be answered; each is asked equally often, as far as there are cases."""


def memory_boundary(known: Known, rng: random.Random, reason: str) -> Iterator[Draft]:
    """MB, for one of `REASONS`."""
    for key in _untold(known, rng, reason):
        attribute = known.attribute(key)
        text, template = asked(attribute, key.subject, rng)
        query: Query = Current(key=key)
        if attribute.form == "set":
            query = Members(subject=key.subject, attribute=attribute.name, joint=known.pack.asking.joint)
        yield Draft("MB", text, query, template, (key,), known.stale(key), "medium", reason)


def _untold(known: Known, rng: random.Random, reason: str) -> Iterator[Key]:
    if reason == "never told":
        yield from _never_told(known)
    elif reason == "retracted":
        yield from (key for key in known.by_key if key not in known.held and not key.element)
    elif reason == "picture never sent":
        yield from _announced(known)
    elif reason == "detail not given":
        kept = ((key, known.attribute(key).detail_of) for key in known.plan.reserved)
        yield from (key for key, event in kept if event and Key(key.subject, event) in known.held)
    else:
        told = {key.attribute for key in known.held}
        for attribute in known.pack.attributes:
            if attribute.about == "person" and attribute.form in PLAIN and attribute.name in told:
                yield Key(rng.choice(known.plan.cast.namesakes), attribute.name)


def _announced(known: Known) -> Iterator[Key]:
    events = (event for session in known.plan.sessions[: known.until + 1] for event in session.events)
    yield from (event.claim for event in events if event.kind == "announced" and event.claim)


def _never_told(known: Known) -> Iterator[Key]:
    """What is kept back, but what a picture was to tell, and details; and sets of which no member was named."""
    announced = set(_announced(known))
    for key in known.plan.reserved:
        attribute = known.attribute(key)
        if attribute.form in PLAIN and not attribute.detail_of and key not in announced:
            yield key
    for attribute in (each for each in known.pack.attributes if each.form == "set"):
        told_of = {key.subject for key in known.by_key if key.attribute == attribute.name}
        entities = (each.name for each in known.plan.cast.of(attribute.about))
        yield from (Key(name, attribute.name) for name in entities if name not in told_of)
