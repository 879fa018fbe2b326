"""What the user says to tell an event."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena_builder.packs.schema import Attribute, Halves, Pack
from memarena_builder.plan.events import Event, Plan
from memarena_builder.wording.clauses import fill, of_kind, past, sentence, written_otherwise
from memarena_builder.wording.names import Names
from memarena_builder.wording.persona import Hand, Persona
from memarena_builder.wording.standins import StandIn
from memarena_builder.wording.told import is_plain
from memarena_builder.world.facts import Fact

TOPICS = 0.5
"""Share of the threads that are led into."""
OTHERWISE = 0.4
"""Share of the numbers and amounts that are written in words, or with another name of the unit."""
SENT = 0.75
"""Share of the pictures that are handed over in words that fit what they show, where there are such."""
_OWN_WORDS = re.compile(r"\b(?:I|me|my|we|us|our)\b|[我咱俺]")
_ENDS = (".", "!", "?", "…", "。", "！", "？")


class Place(NamedTuple):
    """Where in the conversation something is told."""

    kind: str
    """Of the entity that it is about."""
    opens: bool
    """It begins a thread, and not the first."""
    goes_on: bool
    """It is not the first of its thread."""


class Teller:
    """Words of the user in one session."""

    def __init__(
        self, pack: Pack, plan: Plan, names: Names, persona: Persona, hand: Hand, stand_ins: Mapping[str, StandIn]
    ) -> None:
        """`stand_ins`: by event what is said instead of the name of its subject."""
        self.hand = hand
        self._stand_ins = stand_ins
        self._pack = pack
        self._wording = pack.wording
        self._plan = plan
        self._names = names
        self._persona = persona
        self._gap = " " if pack.writing.stop == "." else ""
        wording = pack.wording
        self._leads: Mapping[str, Sequence[str]] = {
            "E2": wording.changes, "E3": wording.corrections, "E5": wording.hearsay, "E6": wording.settled,
            "E15": wording.reminders, "E16": wording.reversions,
        }  # fmt: skip

    def tell(self, event: Event, fact: Fact, place: Place) -> str:
        """A fact that becomes known, or is told again."""
        if fact.visual:
            topic = self._topic(place)
            return self._parts(topic, self.sent(event, fact), "" if topic else self._aside(event, fact))
        if event.until is not None:
            return self._late(event, fact)
        said = self._dated(event, fact, self._statement(event, fact))
        before = self._met(event, fact, place)
        lead = self._lead(event, place) if event.kind in self._leads or not before else ""
        if not (lead or before):
            before = self._topic(place) or self._occasion(event, fact)
        plain = not before and (not lead or event.kind in self._leads)
        after = self._aside(event, fact) if plain else ""
        beside = self._pictured(self._wording.picture_beside or self._wording.picture_mentions, event, fact)
        return self._parts(before, self._led(lead, said), after, beside if event.image_id else "")

    def tell_all(self, events: Sequence[Event], facts: Sequence[Fact], place: Place) -> str:
        """Plain facts in one breath."""
        told = zip(events, facts, strict=True)
        first, *rest = (self._dated(event, fact, self._statement(event, fact)) for event, fact in told)
        lead = self.hand.take(self._leads["E2"]) if events[0].kind == "E2" else ""
        before = self._met(events[0], facts[0], place)
        if not (lead or before):
            before = self._topic(place) or self._occasion(events[0], facts[0])
        begun = self._parts(before, self._led(lead, first))
        more = self._wording.further or ("",)
        return self._parts(begun, *(self._led(self.hand.take(more), said) for said in rest))

    def leaves_unnamed(self, events: Sequence[Event]) -> bool:
        """Whether of somebody among whom `events` are about nothing but what they are to something was said."""
        told = (self._stand_ins.get(event.event_id) for event in events)
        return any(each is not None and bool(each.role) for each in told)

    def value_alone(self, event: Event, fact: Fact, kind: str) -> str:
        """A fact without its owner, which is of `kind`."""
        halves = self._halves(fact)
        lead = self.hand.take(self._leads["E2"]) if event.kind == "E2" else ""
        plain = fill(self.hand.take(halves.value, whole=True), "", self._written(event, fact))
        said = self._dated(event, fact, plain)
        return self._parts(self._led(lead, said), self.hand.take(of_kind(self._wording, self._wording.unowned, kind)))

    def owner_alone(self, fact: Fact) -> str:
        """Whose the fact is that was told before."""
        subject = self._names.mention(fact.key.subject, self.hand.rng)
        said = fill(self.hand.take(self._halves(fact).owner, whole=True), subject, {})
        return self._led(self.hand.take(self._wording.found), said)

    def sent(self, event: Event, fact: Fact) -> str:
        """A picture that is handed over."""
        frames = {"E12": self._wording.picture_renewed, "E13": self._wording.picture_against}.get(event.kind)
        own = self._attribute(fact).sent
        if frames is None and own and self.hand.chance(SENT):
            frames = own
        return self._pictured(frames or self._wording.picture_mentions, event, fact)

    def twisted(self, event: Event, role: str) -> str:
        """What is to be refused."""
        assert event.claim is not None and event.distraction is not None
        frame = self.hand.take(self._wording.distractors[event.distraction])
        if event.distraction == "stale":
            return self._shown(frame, event.image_id, event.claim.subject)
        attribute = self._pack.attribute(event.claim.attribute)
        subject = event.other if event.distraction in ("stranger", "namesake") else event.claim.subject
        clause = self._names.clause(attribute, subject, event.slots, self.hand.rng, role)
        return _capital(frame.format(clause=clause, other=event.other))

    def wondering(self, subject: str) -> str:
        """A question that the assistant can only guess at."""
        return self._names.fill(self.hand.take(self._wording.wondering), subject, self.hand.rng)

    def announced(self, kind: str, subject: str) -> str:
        """A picture that is to come."""
        return self._framed(self.hand.take(self._wording.announced), kind, subject)

    def _late(self, event: Event, fact: Fact) -> str:
        assert event.until is not None
        plain = self._names.clause(self._attribute(fact), fact.key.subject, fact.slots, self.hand.rng)
        days = {"D": self._pack.writing.write(fact.since), "E": self._pack.writing.write(event.until)}
        return _capital(self.hand.take(self._wording.late).format(**days, clause=past(self._pack, plain)))

    def _lead(self, event: Event, place: Place) -> str:
        """What stands directly before a statement; some kinds of events have a cue there."""
        if event.kind in self._leads:
            return self.hand.take(self._leads[event.kind])
        if not self.hand.chance(self._persona.lead):
            return ""
        return self.hand.take(
            self._wording.further if place.goes_on and self._wording.further else self._wording.openers
        )

    def _met(self, event: Event, fact: Fact, place: Place) -> str:
        """Names somebody for whom a pronoun is to stand."""
        stand_in = self._stand_ins.get(event.event_id)
        if stand_in is None or stand_in.by:
            return ""
        return self._around(self._wording.met[place.kind], fact)

    def _topic(self, place: Place) -> str:
        topics = (*self._wording.topics.get(place.kind, ()), *self._wording.topics.get("", ()))
        return self.hand.take(topics) if place.opens and topics and self.hand.chance(TOPICS) else ""

    def _occasion(self, event: Event, fact: Fact) -> str:
        texts = self._unnamed(self._attribute(fact).occasions, event) if fact.slots and event.kind != "E15" else ()
        return self._around(texts, fact) if texts and self.hand.chance(self._persona.occasion) else ""

    def _aside(self, event: Event, fact: Fact) -> str:
        told = fact.slots and event.kind not in ("E5", "E15")
        texts = self._unnamed(self._attribute(fact).asides, event) if told else ()
        return self._around(texts, fact) if texts and self.hand.chance(self._persona.aside) else ""

    def _unnamed(self, texts: Sequence[str], event: Event) -> Sequence[str]:
        """`texts` that do not name whom a statement leaves unnamed."""
        return tuple(each for each in texts if "{S}" not in each) if event.event_id in self._stand_ins else texts

    def _around(self, texts: Sequence[str], fact: Fact) -> str:
        return sentence(self._pack, self._names.fill(self.hand.take(texts), fact.key.subject, self.hand.rng))

    def _dated(self, event: Event, fact: Fact, said: str) -> str:
        """A statement, with the day since when it holds where the event says so."""
        if not event.dated:
            return said
        return said + self.hand.take(self._wording.dated).format(D=self._pack.writing.write(fact.since))

    def _statement(self, event: Event, fact: Fact) -> str:
        attribute = self._attribute(fact)
        stand_in = self._stand_ins.get(event.event_id)
        if stand_in:
            template = self.hand.take(tuple(filter(stand_in.fits, attribute.stated)), whole=True)
            return fill(stand_in.put(template), "", self._written(event, fact))
        subject = self._names.mention(fact.key.subject, self.hand.rng)
        if fact.value is None:
            return fill(attribute.gone, subject, {"V": fact.key.element})
        stated = _of_others(attribute.stated) if event.kind == "E5" else attribute.stated
        return fill(self.hand.take(stated, whole=True), subject, self._written(event, fact))

    def _written(self, event: Event, fact: Fact) -> Mapping[str, str]:
        """The values of a fact; some numbers in words or with another unit, where the words around decide nothing."""
        otherwise, which = self.hand.chance(OTHERWISE), self.hand.rng.random()
        if not otherwise or not is_plain(event):
            return fact.slots
        slots = self._attribute(fact).slots
        return {name: written_otherwise(self._pack, slots[name], value, which) for name, value in fact.slots.items()}

    def _led(self, lead: str, said: str) -> str:
        if not lead or lead.rstrip().endswith(_ENDS):
            return lead + sentence(self._pack, said)
        return _capital(f"{lead}{said}{self._pack.writing.stop}")

    def _pictured(self, frames: Sequence[str], event: Event, fact: Fact) -> str:
        return self._shown(self.hand.take(frames), event.image_id, fact.key.subject) if event.image_id else ""

    def _shown(self, frame: str, image_id: str, subject: str) -> str:
        return self._framed(frame, self._plan.pictures[image_id].kind, subject)

    def _framed(self, frame: str, kind: str, subject: str) -> str:
        return _capital(self._names.framed(frame, kind, subject, self.hand.rng))

    def _parts(self, *parts: str) -> str:
        return self._gap.join(filter(None, parts))

    def _halves(self, fact: Fact) -> Halves:
        halves = self._attribute(fact).halves
        assert halves is not None
        return halves

    def _attribute(self, fact: Fact) -> Attribute:
        return self._pack.attribute(fact.key.attribute)


def _of_others(stated: tuple[str, ...]) -> tuple[str, ...]:
    """Statements in which nobody speaks of themselves, where there are such: they can be in a message of another."""
    return tuple(each for each in stated if not _OWN_WORDS.search(each)) or stated


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
