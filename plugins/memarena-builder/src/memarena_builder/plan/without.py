"""A plan without some of what was to be told: what no words and no picture can tell as they should."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

from msgspec.structs import replace

from memarena_builder.packs.schema import Pack
from memarena_builder.pictures.spec import PictureSpec
from memarena_builder.plan.events import Event, Plan
from memarena_builder.world.facts import Key

TAUGHT = frozenset({"rule", "exception", "example", "slip"})
"""Forms of attributes that go together: an exception is nothing without its rule, nor is a case without the others."""


class Away(NamedTuple):
    """What is not to be told."""

    keys: frozenset[Key] = frozenset()
    """With all their versions, and whatever mentions or twists them."""
    events: frozenset[str] = frozenset()
    """Ids of distractors."""


def away_with(pack: Pack, plan: Plan, about: Collection[str]) -> Away:
    """What has to go, so that nothing is left of the facts and distractors whose ids are `about`."""
    keys = {fact.key for fact in plan.facts() if fact.fact_id in about}
    taught = {key.subject for key in keys if pack.attribute(key.attribute).form in TAUGHT}
    keys |= {
        fact.key
        for fact in plan.facts()
        if fact.key.subject in taught and pack.attribute(fact.key.attribute).form in TAUGHT
    }
    events = {event.event_id for event in plan.events() if event.kind == "distractor" and event.event_id in about}
    return Away(frozenset(keys), frozenset(events))


def without(plan: Plan, away: Away) -> Plan:
    """`plan` where what is `away` was never planned; all else has the ids that it had."""
    if not any(away):
        return plan
    gone = {fact.fact_id for fact in plan.facts() if fact.key in away.keys}
    sessions = tuple(
        replace(session, events=tuple(event for event in session.events if not _goes(event, away, gone)))
        for session in plan.sessions
    )
    sent = {event.image_id for session in sessions for event in session.events}
    pictures = {name: _kept(spec, gone) for name, spec in plan.pictures.items() if name in sent}
    return replace(plan, sessions=sessions, pictures=pictures)


def _goes(event: Event, away: Away, gone: Collection[str]) -> bool:
    told = event.fact is not None and event.fact.fact_id in gone
    twisted = event.kind == "distractor" and event.claim in away.keys
    return told or twisted or event.mentions in gone or event.event_id in away.events


def _kept(spec: PictureSpec, gone: Collection[str]) -> PictureSpec:
    """A picture without the facts that are gone."""
    fields = tuple(field for field in spec.fields if field.fact_id not in gone)
    if fields == spec.fields:
        return spec
    facts = [f"{field.label} {field.value}" for field in fields if field.fact_id]
    return replace(spec, fields=fields, caption_full=f"{spec.caption}: {', '.join(facts)}")
