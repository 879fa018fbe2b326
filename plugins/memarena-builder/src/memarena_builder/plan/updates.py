"""Changes of facts that are known: natural ones, corrections, reversions, late reports, conflicts and how they end."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from datetime import timedelta

from memarena_builder.packs.schema import Attribute, SelfKind
from memarena_builder.plan.disputes import Disputes
from memarena_builder.plan.events import Event
from memarena_builder.plan.state import State
from memarena_builder.wording.clauses import can_be_past
from memarena_builder.world.facts import HEARSAY, OFFICIAL, SAID, EventKind, Fact, Key
from memarena_builder.world.values import NoValueLeftError, read_day

LONGEST_CHAIN = 5
LAGS: Mapping[int, float] = {1: 0.3, 4: 0.4, 10**6: 0.3}
"""Share of updates whose fact was told up to so many sessions ago."""
WEIGHTS: tuple[tuple[EventKind, float], ...] = (
    ("E2", 0.42), ("E3", 0.10), ("E17", 0.18), ("E4", 0.08), ("E5", 0.06), ("E13", 0.16),
)  # fmt: skip
CHANGING = frozenset({"plain", "date", "relation", "rule", "case", "rest", "pattern", "unit"})
VISUAL = (0.5, 0.2)
"""Share of updates that change what only a picture told, in the first half of the sessions and in the second: what
such a change ends in would else be told late."""
LENGTHENED = 0.35
"""Share of updates that go on with a chain, where there is one."""
RETRACTED = 3
"""Facts that a sample says in the end to hold no more, at least; as many a share of them as of the sessions is over."""
REVERTED = 0.08
"""Share of updates that go back to an earlier value, as far as there are facts that can."""
MEMBERS, REMOVES = 0.2, 0.25
"""Share of updates that are of sets, and share of these that take a member away."""
MOST_MEMBERS = 4
"""Of one set that may grow no more: nobody has eight allergies."""
GROWS = {True: 0.3, False: 1.0}
"""Weight of a set that may grow: one of a person, one of anything else."""
WIDEST_GAP = 60
"""Days that a late report reaches back at most, of what changes often."""
TOLD_ANEW = 0.3
"""Weight of a fact that is not due to change, against one that changes once in a hundred days: somebody can have been
wrong about it all the same."""
IN_WORDS: frozenset[EventKind] = frozenset({"E3", "E5", "E13", "E17"})
"""Kinds of events that need no change in the world."""


class Updates:
    """Plans the updates of one session after the other."""

    def __init__(self, state: State, sessions: int) -> None:
        self._state = state
        self._sessions = sessions
        self._disputes = Disputes(state)
        self._scenes: Collection[Key] = ()
        self._lags = dict.fromkeys(LAGS, 0)
        self._made: Counter[str] = Counter()

    def plan(self, count: int, rng: random.Random, scenes: Collection[Key] = ()) -> list[Event]:
        """`count` events on facts of earlier sessions, each on another key; fewer where there are too few facts.

        What `scenes` change, and can have changed by now, comes before what is drawn.
        """
        self._scenes = scenes
        made: list[Event] = []
        touched: set[Key] = set()
        for _ in range(8 * count):
            if len(made) == count:
                break
            event = self._one(touched, rng)
            if event is None or event.fact is None or event.fact.key in touched:
                continue
            touched.add(event.fact.key)
            if self._state.versions(event.fact.key):
                self._lags[self._lag(event.fact.key)] += 1
            self._made[event.kind] += 1
            if event.kind == "E5":
                self._disputes.begin(event.fact, rng)
            made.append(event)
        return made

    def confirmed(self, rng: random.Random) -> Iterator[Event]:
        """What a signed paper says to be as it was said, against a rumour; to be asked for behind `plan`."""
        event = self._disputes.for_said(rng)
        if event:
            yield event

    def _one(self, touched: set[Key], rng: random.Random) -> Event | None:
        """The first of what can be that is due by the shares."""
        return (
            self._disputes.for_rumour(rng)
            or self._member(touched, rng)
            or self._retracted(touched, rng)
            or self._reverted(touched, rng)
            or self._changed(touched, rng)
        )

    def _member(self, touched: set[Key], rng: random.Random) -> Event | None:
        """A member that leaves a set, or one more."""
        held = [fact for fact in self._earlier() if self._attribute(fact).form == "set"]
        if not held or self._made["E18"] >= MEMBERS * self._made.total():
            return None
        if rng.random() < REMOVES:
            old = rng.choice(held)
            return self._of_set(old.key, self._attribute(old), None)
        members = Counter(key._replace(element="") for key in {*touched, *(each.key for each in self._state.holding())})
        sets = {fact.key._replace(element=""): self._attribute(fact) for fact in held}
        sets = {key: attribute for key, attribute in sets.items() if members[key] < MOST_MEMBERS}
        if not sets:
            return None
        key = rng.choices(list(sets), [GROWS[each.about == "person"] for each in sets.values()])[0]
        try:
            return self._of_set(key, sets[key], self._state.draw(key, sets[key], rng))
        except NoValueLeftError:
            return None

    def _of_set(self, key: Key, attribute: Attribute, slots: Mapping[str, str] | None) -> Event:
        fact = self._state.fact(key, attribute, slots, kind="E18", since=self._state.day)
        return Event(event_id="", kind="E18", fact=fact)

    def _retracted(self, touched: set[Key], rng: random.Random) -> Event | None:
        """An expiry without a new value, where too few have been so far for questions that nothing answers."""
        if self._made["E4"] >= RETRACTED * self._state.index // self._sessions:
            return None
        fitting = [fact for fact in self._changing(touched) if self._attribute(fact).gone and self._due(fact)]
        fitting = [fact for fact in fitting if not fact.visual]
        old = rng.choices(fitting, [self._weight(fact) for fact in fitting])[0] if fitting else None
        return self._expired(old, self._attribute(old), rng) if old else None

    def _reverted(self, touched: set[Key], rng: random.Random) -> Event | None:
        """A return to an earlier value, where too few have been so far."""
        if self._made["E16"] >= REVERTED * (self._made.total() + 1):
            return None
        due = [fact for fact in self._changing(touched) if self._due(fact) and not fact.visual]
        fitting = [(fact, values[-1]) for fact in due if (values := self._earlier_values(fact))]
        if not fitting:
            return None
        old, earlier = rng.choices(fitting, [self._weight(fact) for fact, _ in fitting])[0]
        return Event(event_id="", kind="E16", fact=self._next(old, self._attribute(old), "E16", earlier.slots))

    def _earlier_values(self, held: Fact) -> list[Fact]:
        """The versions with another value to which a fact can go back in words."""
        earlier = (fact for fact in self._state.chain(held.key) if fact.value not in (None, held.value))
        return [fact for fact in earlier if not fact.visual and not self._over(fact)]

    def _changed(self, touched: set[Key], rng: random.Random) -> Event | None:
        old = self._pick(touched, rng)
        if old is None:
            return None
        try:
            return self._change(old, self._attribute(old), rng)
        except NoValueLeftError:
            return None

    def _pick(self, touched: set[Key], rng: random.Random) -> Fact | None:
        free = [fact for fact in self._changing(touched) if self._due(fact) or not fact.visual]
        scene = next((fact for fact in free if fact.key in self._scenes and self._due(fact)), None)
        if scene:
            return scene
        seen = rng.random() < VISUAL[2 * self._state.index >= self._sessions]
        free = [fact for fact in free if fact.visual is seen] or free
        if rng.random() < LENGTHENED:
            free = [fact for fact in free if len(self._state.chain(fact.key)) > 1] or free
        for lag in sorted(LAGS, key=self._surplus):
            near = [fact for fact in free if self._lag(fact.key) == lag]
            if near:
                return rng.choices(near, [self._weight(fact) for fact in near])[0]
        return None

    def _changing(self, touched: set[Key]) -> list[Fact]:
        """What can have another version now."""
        return [
            fact
            for fact in self._earlier()
            if fact.key not in touched
            and self._attribute(fact).form in CHANGING
            and len(self._state.versions(fact.key)) < LONGEST_CHAIN
            and not self._disputes.about(fact.key)
        ]

    def _lag(self, key: Key) -> int:
        """The class of `LAGS` of a change that comes now."""
        held = self._state.versions(key)[-1]
        return next(most for most in LAGS if self._state.index - held.told.session <= most)

    def _surplus(self, lag: int) -> float:
        """By how much the updates so far with this lag are more than their share."""
        return self._lags[lag] - LAGS[lag] * (sum(self._lags.values()) + 1)

    def _due(self, fact: Fact) -> bool:
        """Whether the world can have changed by now: it held for long enough."""
        attribute = self._attribute(fact)
        return attribute.volatility > 0 and (self._state.day - fact.since).days >= attribute.steady

    def _weight(self, fact: Fact) -> float:
        return self._attribute(fact).volatility if self._due(fact) else TOLD_ANEW

    def _earlier(self) -> list[Fact]:
        return [fact for fact in self._state.holding() if fact.told.session < self._state.index]

    def _over(self, fact: Fact) -> bool:
        """Whether the day that a fact tells has come, so that nobody would name it as what is to come."""
        return self._attribute(fact).form == "date" and read_day(fact.slots["V"]) <= self._state.day

    def _attribute(self, fact: Fact) -> Attribute:
        return self._state.pack.attribute(fact.key.attribute)

    def _change(self, old: Fact, attribute: Attribute, rng: random.Random) -> Event | None:
        """The way that is drawn, where the fact allows it; else a natural change."""
        kinds, shares = zip(*WEIGHTS, strict=True)
        kind: EventKind = "E12" if old.visual else rng.choices(kinds, shares)[0]
        ways = {
            "E3": self._corrected, "E4": self._expired, "E5": self._disputed, "E12": self._shown_anew,
            "E13": self._contradicted, "E17": self._late,
        }  # fmt: skip
        due = self._due(old)
        made = ways[kind](old, attribute, rng) if kind in ways and (due or kind in IN_WORDS) else None
        return made or (self._natural(old, attribute, rng) if due else None)

    def _shown_anew(self, old: Fact, attribute: Attribute, rng: random.Random) -> Event:
        slots = self._state.draw(old.key, attribute, rng)
        return Event(event_id="", kind="E12", fact=self._next(old, attribute, "E12", slots, visual=True))

    def _expired(self, old: Fact, attribute: Attribute, _: random.Random) -> Event | None:
        if not attribute.gone:
            return None
        return Event(event_id="", kind="E4", fact=self._next(old, attribute, "E4", None))

    def _corrected(self, old: Fact, attribute: Attribute, rng: random.Random) -> Event | None:
        return None if old.kind == "E3" else self._instead(old, attribute, rng, "E3", SAID)

    def _disputed(self, old: Fact, attribute: Attribute, rng: random.Random) -> Event | None:
        full = len(self._state.versions(old.key)) + 2 > LONGEST_CHAIN
        return None if full or attribute.about == SelfKind else self._instead(old, attribute, rng, "E5", HEARSAY)

    def _contradicted(self, old: Fact, attribute: Attribute, rng: random.Random) -> Event | None:
        return self._instead(old, attribute, rng, "E13", OFFICIAL) if attribute.visual else None

    def _instead(
        self, old: Fact, attribute: Attribute, rng: random.Random, kind: EventKind, authority: int
    ) -> Event | None:
        """Another value for the same time."""
        if self._disputes.signed(old):
            return None
        fact = self._state.fact(
            old.key,
            attribute,
            self._state.draw(old.key, attribute, rng),
            kind=kind,
            since=old.since,
            visual=kind == "E13",
            source="hearsay" if kind == "E5" else "user",
            authority=authority,
        )
        return Event(event_id="", kind=kind, fact=fact)

    def _natural(self, old: Fact, attribute: Attribute, rng: random.Random) -> Event:
        slots = self._state.draw(old.key, attribute, rng)
        room = (self._state.day - old.since).days
        dated = attribute.form == "plain" and room > attribute.steady + 2 and rng.random() < 0.4
        since = old.since + timedelta(days=rng.randint(attribute.steady, room - 1)) if dated else self._state.day
        fact = self._state.fact(old.key, attribute, slots, kind="E2", since=since)
        return Event(event_id="", kind="E2", fact=fact, dated=dated)

    def _next(
        self, old: Fact, attribute: Attribute, kind: EventKind, slots: Mapping[str, str] | None, *, visual: bool = False
    ) -> Fact:
        return self._state.fact(old.key, attribute, slots, kind=kind, since=self._state.day, visual=visual)

    def _late(self, old: Fact, attribute: Attribute, rng: random.Random) -> Event | None:
        """What held before all that is known, told only now: between two versions that were told it would belie what
        was said meanwhile."""
        if attribute.form != "plain" or not can_be_past(self._state.pack, attribute):
            return None
        if any(fact.since < old.since for fact in self._state.chain(old.key)):
            return None
        least = max(attribute.steady, 3)
        since = old.since - timedelta(days=rng.randint(least, max(WIDEST_GAP, 2 * least)))
        slots = self._state.draw(old.key, attribute, rng)
        fact = self._state.fact(old.key, attribute, slots, kind="E17", since=since)
        return Event(event_id="", kind="E17", fact=fact, dated=True, until=old.since)
