"""What is said for somebody instead of a name: a pronoun right behind the name, or what they are to something known."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memarena_builder.packs.schema import Pack
from memarena_builder.plan.events import Event, Plan, SessionPlan
from memarena_builder.wording.told import Told, is_plain
from memarena_builder.world.cast import short_name
from memarena_builder.world.facts import Key

PRONOUNS = 0.6
"""Share of the facts behind another of the same person that are told with a pronoun."""
MET = 0.6
"""Share of the other facts of people before which their name is said, and a pronoun then stands for it."""
ROLES = 0.6
"""Share of the facts of somebody of whom such is known that are told with what they are to something."""
_OBJECT = re.compile(
    r"(?:^|\s)(?:ring|get|for|have|gave|found|catch|with|set|got|put|find|drive|booked|given|has|of|on|moved)\s$"
)
"""What stands before somebody to whom something is done."""
OWNED = "{S}'s"


class StandIn(NamedTuple):
    """What is said for the subject of one event."""

    by: str = ""
    """Id of the event that tells who is meant; "": a sentence before it in the same turn names them."""
    forms: tuple[str, str, str] | None = None
    """Of a pronoun: as who does something, as to whom it is done, as whose something is."""
    role: str = ""
    """A noun phrase."""

    def fits(self, template: str) -> bool:
        """Whether it can stand in a template: a noun phrase owns nothing, and nothing is `of hers`."""
        if self.forms is None:
            return OWNED not in template
        return f"of {OWNED}" not in template

    def put(self, template: str) -> str:
        """`template` with it for `{S}`."""
        if self.forms is None:
            return template.replace("{S}", self.role)
        return pronouned(template, self.forms)


def pronouned(template: str, forms: tuple[str, str, str]) -> str:
    """`template` with a pronoun for `{S}`; `forms`: as of `StandIn`."""
    subject, thing, owner = forms
    before, _, _ = template.replace(OWNED, owner).partition("{S}")
    return template.replace(OWNED, owner).replace("{S}", thing if _OBJECT.search(before) else subject)


def stand_ins(
    pack: Pack, plan: Plan, session: SessionPlan, told: Sequence[Told], rng: random.Random
) -> Mapping[str, StandIn]:
    """By event: what is said for its subject, of the events that a session tells in words that decide nothing."""
    out: dict[str, StandIn] = {}
    kinds = {each.name: each.kind for each in plan.cast.entities if each.name != plan.cast.protagonist}
    for before, event in _neighbours(pack, told):
        forms = _pronoun(pack, kinds, event)
        if forms and before.event_id not in out and rng.random() < PRONOUNS:
            out[event.event_id] = StandIn(before.event_id, forms)
    roles = dict(_roles(pack, plan, session))
    away = {*out, *(each.by for each in out.values())}
    for event in (each.events[0] for each in told if is_plain(each.events[0])):
        if event.event_id in away:
            continue
        stand_in, forms = roles.get(_subject(event)), _pronoun(pack, kinds, event)
        if stand_in and any(map(stand_in.fits, _stated(pack, event))) and rng.random() < ROLES:
            out[event.event_id] = stand_in
        elif forms and pack.wording.met.get(kinds[_subject(event)]) and rng.random() < MET:
            out[event.event_id] = StandIn(forms=forms)
    return out


def _pronoun(pack: Pack, kinds: Mapping[str, str], event: Event) -> tuple[str, str, str] | None:
    """What stands for the subject of an event, where it is somebody else than the user."""
    subject = _subject(event)
    return pack.writing.pronoun(subject, short_name(pack, subject)) if subject in kinds else None


def _stated(pack: Pack, event: Event) -> tuple[str, ...]:
    return pack.attribute(event.fact.key.attribute).stated if event.fact else ()


def _subject(event: Event) -> str:
    return event.fact.key.subject if event.fact else ""


def _neighbours(pack: Pack, told: Sequence[Told]) -> Iterator[tuple[Event, Event]]:
    """Each event behind the one before it in its turn or in the turn before, where all that the two turns tell up to it
    is about the same person and names no other."""
    for place, each in enumerate(told):
        for number, event in enumerate(each.events):
            earlier = told[place - 1].events if place else ()
            before = each.events[:number] or (earlier if earlier and earlier[0].thread == event.thread else ())
            if before and all(_tells_alone(pack, other, _subject(event)) for other in (*before, event)):
                yield before[-1], event


def _tells_alone(pack: Pack, event: Event, subject: str) -> bool:
    """Whether an event tells of `subject` in words, and of nobody else."""
    if event.fact is None or not is_plain(event) or _subject(event) != subject:
        return False
    slots = pack.attribute(event.fact.key.attribute).slots
    return all(slot.kind != "person" for slot in slots.values())


def _roles(pack: Pack, plan: Plan, session: SessionPlan) -> Iterator[tuple[str, StandIn]]:
    """Who is something to something by all that was told before the session, undisputed."""
    roles = {each.name: each.role for each in pack.attributes if each.role}
    by_key: dict[Key, list[Event]] = {}
    for earlier in plan.sessions[: session.index]:
        for event in earlier.events:
            if event.fact and event.fact.key.attribute in roles:
                by_key.setdefault(event.fact.key, []).append(event)
    here = {event.fact.key for event in session.events if event.fact}
    for key, events in by_key.items():
        told = [(event.fact, event.event_id) for event in events if event.fact]
        held, by = max(told, key=lambda each: each[0].rank)
        if key not in here and held.value and all(fact.source != "hearsay" for fact, _ in told):
            yield held.value, StandIn(by, role=roles[key.attribute].format(S=key.subject))
