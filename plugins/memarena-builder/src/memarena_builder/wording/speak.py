"""A session as a conversation: a greeting with a reason, threads of what is told, exchanges between them."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, time, timedelta
from itertools import groupby
from typing import NamedTuple

from memarena_builder.packs.schema import Pack
from memarena_builder.plan.events import Event, Plan, SessionPlan
from memarena_builder.plan.threads import subject_of
from memarena_builder.streams import Streams
from memarena_builder.wording.halves import Half, halved, spread
from memarena_builder.wording.idle import Exchange, Idle
from memarena_builder.wording.names import ASSISTANT, USER, Names
from memarena_builder.wording.persona import Hand, persona_of
from memarena_builder.wording.replying import Replier
from memarena_builder.wording.standins import stand_ins
from memarena_builder.wording.telling import Place, Teller
from memarena_builder.wording.told import Told, told_at_once
from memarena_builder.wording.turns import Line, Spoken
from memarena_builder.world.facts import Fact

HOURS = (12, 17)
"""When sessions begin: what happened in the morning can be told, and nobody is wished a good afternoon by night."""
FEWEST_IDLE = 2
"""Rounds of a session that tell nothing, at least."""


class Said(NamedTuple):
    """One turn without its time."""

    role: str
    text: str
    image_id: str = ""
    event_ids: tuple[str, ...] = ()
    """The events that it tells."""


Round = tuple[Said, ...]
"""Turns that belong together."""


class Thread(NamedTuple):
    """What is told of one topic."""

    told: tuple[Told, ...]
    first: bool
    """It is the first of its session."""


Block = Thread | Exchange
"""What no half of a fact may interrupt."""


class Speaker:
    """Puts the sessions of one plan into words."""

    def __init__(self, pack: Pack, plan: Plan, rounds: int, streams: Streams) -> None:
        self._pack = pack
        self._plan = plan
        self._streams = streams
        self._facts: Mapping[str, Fact] = {fact.fact_id: fact for fact in plan.facts()}
        self._subjects = {name: fact.key.subject for name, fact in self._facts.items()}
        self._kinds = {entity.name: entity.kind for entity in plan.cast.entities}
        self._persona = persona_of(streams)
        self._halved = halved(pack, plan, streams.rng("halves"))
        idle = Idle(pack, plan.cast, streams.rng("chat"))
        self._idle = {each.session_id: idle.deal(self._left(each, rounds)) for each in plan.sessions}

    def say(self, session: SessionPlan, attempt: int = 0) -> Spoken:
        """One session in words; another `attempt` uses other words."""
        streams = self._streams.at(session.session_id, attempt)
        names = Names(self._pack, self._plan.cast, self._met(session))
        turn, sample = session.index + attempt, self._streams.at("variants")
        says = Hand(streams.rng("user"), self._persona.lengths, sample.at("user"), turn)
        rng = self._streams.rng(session.session_id, "stand-ins")
        instead = stand_ins(self._pack, self._plan, session, self._told(session), rng)
        user = Teller(self._pack, self._plan, names, self._persona, says, instead)
        assistant = Replier(
            self._pack, self._plan, names, Hand(streams.rng("assistant"), sample=sample.at("assistant"), turn=turn)
        )  # fmt: skip
        rng = streams.rng("frame")
        opening = list(self._opening(session, rng))
        told = [each for block in self._course(session, rng) for each in self._block(block, user, assistant)]
        rounds = [*opening, *told, *self._parting(session, rng)]
        return Spoken(
            session_id=session.session_id,
            lines=tuple(self._timed(session, rounds, streams.rng("clock"))),
            resolved={name: each.by for name, each in instead.items() if each.by},
        )

    def _course(self, session: SessionPlan, rng: random.Random) -> list[Block | Half]:
        """What comes one after the other: threads, exchanges that tell nothing, halves of facts."""
        threads = groupby(self._told(session), key=lambda each: each.events[0].thread)
        blocks: list[Block] = [Thread(tuple(thread), number == 0) for number, (_, thread) in enumerate(threads)]
        for exchange in self._idle[session.session_id]:
            blocks.insert(rng.randint(0, len(blocks)), exchange)
        return spread(blocks, _rounds, self._in_halves(session), rng)

    def _block(self, block: Block | Half, user: Teller, assistant: Replier) -> list[Round]:
        if isinstance(block, Thread):
            return self._thread(block, user, assistant)
        if isinstance(block, Half):
            return [self._half(block, user, assistant)]
        return list(_exchanged(block))

    def _told(self, session: SessionPlan) -> list[Told]:
        rng = self._streams.rng(session.session_id, "joined")
        return told_at_once(session, self._persona.joined, rng, self._halved)

    def _in_halves(self, session: SessionPlan) -> list[Event]:
        return [event for event in session.events if event.event_id in self._halved]

    def _met(self, session: SessionPlan) -> set[str]:
        """Who was spoken of before a session."""
        facts = self._plan.facts(session.index - 1) if session.index else ()
        return {name for fact in facts for name in (fact.key.subject, *fact.slots.values())}

    def _left(self, session: SessionPlan, rounds: int) -> int:
        """The rounds of a session that tell nothing."""
        guesses = sum(event.distraction == "guess" for event in session.events)
        told = len(self._told(session)) + 2 * len(self._in_halves(session)) + guesses
        return max(rounds - told - self._opens(session), FEWEST_IDLE)

    def _opens(self, session: SessionPlan) -> bool:
        return session.index == 0 or bool(self._pack.wording.greetings)

    def _opening(self, session: SessionPlan, rng: random.Random) -> Iterator[Round]:
        wording = self._pack.wording
        if session.index == 0:
            setting, frame = rng.choice(self._pack.settings), rng.choice(wording.introductions)
            text = frame.format(self=self._plan.cast.protagonist, setting=setting)
            yield Said(USER, text), Said(ASSISTANT, rng.choice(wording.welcome))
        elif wording.greetings:
            reason = self._turn(wording.reasons[self._pack.domain], session)
            text = self._turn(wording.greetings, session).format(reason=reason)
            yield Said(USER, text), Said(ASSISTANT, self._turn(wording.greeted, session))

    def _parting(self, session: SessionPlan, rng: random.Random) -> Iterator[Round]:
        wording = self._pack.wording
        if wording.partings and rng.random() < self._persona.parting:
            said, reply = self._turn(wording.partings, session), self._turn(wording.parted, session)
            yield Said(USER, said), Said(ASSISTANT, reply)

    def _turn(self, texts: Sequence[str], session: SessionPlan) -> str:
        """One of `texts` a session, none again before all others had their turn."""
        order = list(texts)
        self._streams.rng("turns", *texts[:1]).shuffle(order)
        return order[session.index % len(order)]

    def _half(self, half: Half, user: Teller, assistant: Replier) -> Round:
        event, fact, ids = half.event, half.event.fact, (half.event.event_id,)
        assert fact is not None
        if half.owner:
            reply = assistant.to_fact(event, fact, may_repeat=False)
            return Said(USER, user.owner_alone(fact), event_ids=ids), Said(ASSISTANT, reply.text)
        kind = self._kinds[fact.key.subject]
        return Said(USER, user.value_alone(event, fact, kind), event_ids=ids), Said(ASSISTANT, assistant.to_half(kind))

    def _thread(self, thread: Thread, user: Teller, assistant: Replier) -> list[Round]:
        out = []
        for number, told in enumerate(thread.told):
            kind = self._kinds.get(subject_of(told.events[0], self._subjects), "")
            place = Place(kind=kind, opens=number == 0 and not thread.first, goes_on=number > 0)
            out.append(self._turns(told, place, user, assistant))
        return out

    def _turns(self, told: Told, place: Place, user: Teller, assistant: Replier) -> Round:
        event = told.events[0]
        if event.kind == "distractor":
            return self._distraction(event, user, assistant)
        if event.kind == "announced" and event.claim is not None:
            kind, subject = self._pack.attribute(event.claim.attribute).pictures[0], event.claim.subject
            reply = assistant.to_kind("announced", subject)
            return Said(USER, user.announced(kind, subject), event_ids=told.ids), Said(ASSISTANT, reply)
        facts = [each.fact or self._facts[each.mentions] for each in told.events]
        if event.image_id or len(facts) == 1:
            text, last = user.tell(event, facts[0], place), 0
        else:
            text, last = user.tell_all(told.events, facts, place), -1
        bare = user.leaves_unnamed(told.events)
        answer = assistant.to_fact(told.events[last], facts[last], may_repeat=not bare, may_name=not bare)
        repeated = (told.events[last].event_id,) if answer.repeats else ()
        return Said(USER, text, event.image_id, told.ids), Said(ASSISTANT, answer.text, event_ids=repeated)

    def _distraction(self, event: Event, user: Teller, assistant: Replier) -> Round:
        assert event.distraction is not None and event.claim is not None
        kind, subject, ids = event.distraction, event.claim.subject, (event.event_id,)
        if kind == "stale":
            text, seen = user.twisted(event, USER), assistant.to_stale(event, subject)
            return Said(USER, text, event.image_id, ids), Said(ASSISTANT, seen)
        text = user.twisted(event, ASSISTANT if kind == "guess" else USER)
        reply = Said(ASSISTANT, assistant.to_kind(kind, subject))
        if kind != "guess":
            return Said(USER, text, event_ids=ids), reply
        asked, ignored = user.wondering(subject), user.hand.take(self._pack.wording.ignored)
        return Said(USER, asked), Said(ASSISTANT, text, event_ids=ids), Said(USER, ignored), reply

    def _timed(self, session: SessionPlan, rounds: list[Round], rng: random.Random) -> Iterator[Line]:
        now = datetime.combine(session.day, time(rng.randint(*HOURS), rng.randint(0, 59)))
        for each in rounds:
            for said in each:
                yield Line(
                    role=said.role, text=said.text, time=now, event_ids=said.event_ids, image_id=said.image_id
                )  # fmt: skip
            now += timedelta(minutes=rng.randint(1, 4))


def _rounds(block: Block) -> int:
    return len(block.told) if isinstance(block, Thread) else len(block) // 2


def _exchanged(exchange: Exchange) -> Iterator[Round]:
    for asked, answered in zip(exchange[::2], exchange[1::2], strict=True):
        yield Said(USER, asked), Said(ASSISTANT, answered)
