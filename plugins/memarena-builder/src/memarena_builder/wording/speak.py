"""Events become turns: who says what, in which words."""

from __future__ import annotations

import random
from collections.abc import Mapping
from datetime import datetime, time, timedelta
from typing import NamedTuple

from memarena_builder.packs.schema import Pack, SelfKind
from memarena_builder.plan.events import Event, Plan, SessionPlan
from memarena_builder.streams import Streams
from memarena_builder.wording.clauses import clause, content, fill, past, sentence
from memarena_builder.wording.turns import Line, Spoken
from memarena_builder.world.cast import short_name
from memarena_builder.world.facts import Fact

FEWEST_IDLE = 2
"""Rounds of a session that tell nothing, at least."""
REPEATS = 0.2
"""Share of replies in which the assistant repeats what was said."""


class Said(NamedTuple):
    """One turn without its time."""

    role: str
    text: str
    image_id: str = ""
    tells: bool = False
    """It tells the event of its round."""


Round = tuple[Said, ...]
"""Turns that belong together."""


class Speaker:
    """Puts the sessions of one plan into words."""

    def __init__(self, pack: Pack, plan: Plan, rounds: int, streams: Streams) -> None:
        self._pack = pack
        self._plan = plan
        self._rounds = rounds
        self._streams = streams
        self._facts: Mapping[str, Fact] = {fact.fact_id: fact for fact in plan.facts()}
        chat = list(pack.chat)
        streams.rng("chat").shuffle(chat)
        self._chat = chat
        self._gap = " " if pack.writing.stop == "." else ""

    def say(self, session: SessionPlan, attempt: int = 0) -> Spoken:
        """One session in words; another `attempt` uses other words."""
        streams = self._streams.at(session.session_id, attempt)
        told = [event for event in session.events if event.kind != "E7"]
        rounds: list[tuple[tuple[str, ...], Round]] = []
        sent: dict[str, int] = {}
        for event in told:
            shown = event.image_id if event.fact and event.fact.visual else ""
            if shown in sent:
                ids, spoken = rounds[sent[shown]]
                rounds[sent[shown]] = (*ids, event.event_id), spoken
                continue
            if shown:
                sent[shown] = len(rounds)
            rounds.append(((event.event_id,), self._round(event, streams.rng(event.event_id))))
        rng = streams.rng("order")
        for step in range(max(self._rounds - len(rounds), FEWEST_IDLE)):
            idle = self._small_talk(rng) if step % 2 == 0 else self._chat[(session.index * 7 + step) % len(self._chat)]
            rounds.insert(rng.randint(0, len(rounds)), ((), (Said("user", idle[0]), Said("assistant", idle[1]))))
        if session.index == 0:
            rounds.insert(0, ((), self._introduction(rng)))
        return Spoken(session_id=session.session_id, lines=tuple(self._timed(session, rounds, streams.rng("clock"))))

    def _timed(
        self, session: SessionPlan, rounds: list[tuple[tuple[str, ...], Round]], rng: random.Random
    ) -> list[Line]:
        now = datetime.combine(session.day, time(rng.randint(8, 18), rng.randint(0, 59)))
        lines = []
        for event_ids, spoken in rounds:
            lines += [
                Line(
                    role=said.role,
                    text=said.text,
                    time=now,
                    event_ids=event_ids if said.tells else (),
                    image_id=said.image_id,
                )
                for said in spoken
            ]
            now += timedelta(minutes=rng.randint(1, 4))
        return lines

    def _small_talk(self, rng: random.Random) -> tuple[str, str]:
        """A turn that has a name and no fact, so that a name alone leads nowhere."""
        named = rng.choice([each for each in self._plan.cast.entities if each.kind != SelfKind])
        wording = self._pack.wording
        return rng.choice(wording.small_talk).format(S=named.name), rng.choice(wording.small_replies)

    def _introduction(self, rng: random.Random) -> Round:
        text = rng.choice(self._pack.wording.introductions)
        text = text.format(self=self._plan.cast.protagonist, setting=rng.choice(self._pack.settings))
        return Said("user", text), Said("assistant", rng.choice(self._pack.wording.welcome))

    def _round(self, event: Event, rng: random.Random) -> Round:
        if event.kind == "distractor":
            return self._distraction(event, rng)
        wording = self._pack.wording
        if event.kind == "announced" and event.claim is not None:
            kind = wording.kinds[self._pack.attribute(event.claim.attribute).pictures[0]]
            text = rng.choice(wording.announced).format(kind=kind, S=event.claim.subject)
            return Said("user", text, tells=True), Said("assistant", rng.choice(wording.replies))
        fact = event.fact or self._facts[event.mentions]
        text = self._told(event, fact, rng)
        repeats = False
        if fact.visual:
            reply = rng.choice(wording.picture_replies)
        elif event.kind not in ("E15", "E5") and rng.random() < REPEATS:
            until = self._pack.writing.write(event.until) if event.until else ""
            point = content(self._pack, fact, dated=event.dated, until=until)
            reply, repeats = rng.choice(wording.repeats).format(point=point), True
        else:
            reply = rng.choice(wording.replies)
        return Said("user", text, event.image_id, tells=True), Said("assistant", reply, tells=repeats)

    def _told(self, event: Event, fact: Fact, rng: random.Random) -> str:
        """What the user says to tell a fact."""
        wording = self._pack.wording
        if fact.visual:
            frames = {"E12": wording.picture_renewed, "E13": wording.picture_against}
            frame = rng.choice(frames.get(event.kind, wording.picture_mentions))
            return self._pictured(frame, event, fact.key.subject) + self._aside(rng)
        if event.until is not None:
            attribute = self._pack.attribute(fact.key.attribute)
            plain = past(self._pack, clause(self._pack, attribute, fact.key.subject, fact.slots))
            days = {"D": self._pack.writing.write(fact.since), "E": self._pack.writing.write(event.until)}
            return rng.choice(wording.late).format(**days, clause=plain)
        before = {
            "E2": wording.changes, "E3": wording.corrections, "E16": wording.reversions, "E6": wording.settled,
            "E5": wording.hearsay, "E15": wording.reminders,
        }.get(event.kind, wording.openers)  # fmt: skip
        said = self._statement(fact, rng)
        if event.dated:
            said += rng.choice(wording.dated).format(D=self._pack.writing.write(fact.since))
        lead = rng.choice(before)
        ended = not lead or lead.endswith((". ", "! ", "。", "！"))
        said = lead + sentence(self._pack, said) if ended else f"{lead}{said}{self._pack.writing.stop}"
        text = said[:1].upper() + said[1:] + rng.choice(wording.closers)
        if event.image_id:
            text += self._gap + self._pictured(rng.choice(wording.picture_mentions), event, fact.key.subject)
        return text

    def _aside(self, rng: random.Random) -> str:
        """Something harmless that makes a short turn as long as others."""
        said = [each for each in self._pack.wording.closers if each]
        return "".join(rng.sample(said, 2))

    def _statement(self, fact: Fact, rng: random.Random) -> str:
        attribute = self._pack.attribute(fact.key.attribute)
        subject = self._mention(fact.key.subject, rng)
        if fact.value is None:
            return fill(attribute.gone, subject, {"V": fact.key.element})
        return fill(rng.choice(attribute.stated), subject, fact.slots)

    def _mention(self, subject: str, rng: random.Random) -> str:
        person = any(subject == each for each in self._plan.cast.persons)
        return short_name(self._pack, subject) if person and rng.random() < self._pack.writing.by_given else subject

    def _pictured(self, frame: str, event: Event, subject: str) -> str:
        kind = self._plan.pictures[event.image_id].kind
        own = any(each.kind == SelfKind and each.name == subject for each in self._plan.cast.entities)
        return frame.format(kind=self._pack.wording.kinds[kind], S=self._pack.writing.me if own else subject)

    def _distraction(self, event: Event, rng: random.Random) -> Round:
        wording = self._pack.wording
        assert event.distraction is not None and event.claim is not None
        frame = rng.choice(wording.distractors[event.distraction])
        if event.distraction == "stale":
            text = self._pictured(frame, event, event.claim.subject)
            seen = Said("assistant", rng.choice(wording.picture_replies))
            return Said("user", text, event.image_id, tells=True), seen
        attribute = self._pack.attribute(event.claim.attribute)
        outside = event.distraction in ("stranger", "namesake")
        subject = event.other if outside else event.claim.subject
        text = frame.format(clause=clause(self._pack, attribute, subject, event.slots), other=event.other)
        reply = Said("assistant", rng.choice(wording.replies))
        if event.distraction != "guess":
            return Said("user", text, tells=True), reply
        asked, aside = rng.choice(self._pack.chat)[0], rng.choice(wording.ignored)
        return Said("user", asked), Said("assistant", text, tells=True), Said("user", aside), reply
