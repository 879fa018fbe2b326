"""Disagreements between what was said and a rumour: a signed paper ends most, for one side or for the other."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Literal, NamedTuple

from memarena_builder.plan.events import Event
from memarena_builder.plan.state import State
from memarena_builder.world.facts import OFFICIAL, Fact, Key
from memarena_builder.world.values import read_day

End = Literal["open", "said", "rumour"]
"""Who is right in the end: nobody knows, who said it first, or the rumour."""

ENDS: Mapping[End, float] = {"open": 0.3, "said": 0.35, "rumour": 0.35}
"""Share of the disagreements that end so."""
LASTS = 2
"""Sessions after which one may end."""
ENDING = 0.5
"""Share of those that may end of which a session tells it."""


class Dispute(NamedTuple):
    """One disagreement."""

    rumour: Fact
    end: End


class Disputes:
    """The disagreements of one sample."""

    def __init__(self, state: State) -> None:
        self._state = state
        self._open: dict[Key, Dispute] = {}
        self._confirmed: set[str] = set()

    def begin(self, rumour: Fact, rng: random.Random) -> None:
        """Take in that `rumour` contradicts what holds."""
        self._open[rumour.key] = Dispute(rumour, rng.choices(list(ENDS), list(ENDS.values()))[0])

    def about(self, key: Key) -> bool:
        """Whether there is one that did not end yet."""
        return key in self._open

    def signed(self, fact: Fact) -> bool:
        """Whether an official paper says so."""
        return fact.authority == OFFICIAL or fact.fact_id in self._confirmed

    def for_rumour(self, rng: random.Random) -> Event | None:
        """The end of one in which the rumour was right: an update."""
        dispute = self._ended("rumour", rng)
        if dispute is None:
            return None
        rumour = dispute.rumour
        attribute = self._state.pack.attribute(rumour.key.attribute)
        fact = self._state.fact(rumour.key, attribute, rumour.slots, kind="E6", since=rumour.since, authority=OFFICIAL)
        return Event(event_id="", kind="E6", fact=fact)

    def for_said(self, rng: random.Random) -> Event | None:
        """The end of one in which was right what was said first: it is told again, and nothing is new."""
        dispute = self._ended("said", rng)
        held = self._state.holds(dispute.rumour.key) if dispute else None
        if held is None:
            return None
        self._confirmed.add(held.fact_id)
        return Event(event_id="", kind="E6", mentions=held.fact_id)

    def _ended(self, end: End, rng: random.Random) -> Dispute | None:
        """One of those that end so and may do so now; it is open no more."""
        ripe = [each for each in self._open.values() if each.end == end and self._may_end(each)]
        if not ripe or rng.random() >= ENDING:
            return None
        chosen = rng.choice(ripe)
        del self._open[chosen.rumour.key]
        return chosen

    def _may_end(self, dispute: Dispute) -> bool:
        """Whether it has lasted, and is not of a day that has come, which nobody would name any more."""
        rumour, held = dispute.rumour, self._state.holds(dispute.rumour.key)
        if held is None or self._state.index - rumour.told.session < LASTS:
            return False
        attribute = self._state.pack.attribute(rumour.key.attribute)
        return attribute.form != "date" or min(read_day(each.slots["V"]) for each in (rumour, held)) > self._state.day
