"""Distractors: what is said and is to be refused, each with one cue that tells it."""

from __future__ import annotations

import random
from collections.abc import Set

from memarena_builder.plan.events import DISTRACTIONS, Distraction, Event
from memarena_builder.plan.picturing import Pictures
from memarena_builder.plan.state import State
from memarena_builder.world.facts import Fact, Key
from memarena_builder.world.values import NoValueLeftError

STORIES = 0.45
"""Share of the distractors that repeat a value which was replaced, where there is one: whoever believes the last
mention is wrong there."""
OLD_VALUES = frozenset({"story", "stale"})
OUTSIDE = frozenset({"stranger", "namesake"})
NOT_ON_USERS = frozenset({"guess", "hearsay"})
"""Kinds that say nothing of the one who speaks, who would know."""


class Distractors:
    """Plans the distractors of one session after the other."""

    def __init__(self, state: State, pictures: Pictures) -> None:
        self._state = state
        self._pictures = pictures
        self._told: set[tuple[Key, str]] = set()

    def plan(self, session_id: str, count: int, rng: random.Random, spoken_of: Set[Key] = frozenset()) -> list[Event]:
        """`count` distractors on facts of earlier sessions; fewer where there are too few facts. What is
        `spoken_of` in the same session is neither guessed at nor told as it was once."""
        made: list[Event] = []
        for _ in range(6 * count):
            if len(made) == count:
                break
            kind = "story" if rng.random() < STORIES else rng.choice(DISTRACTIONS)
            event = self._make(kind, session_id, rng, spoken_of)
            if event:
                made.append(event)
        return made

    def _make(self, kind: Distraction, session_id: str, rng: random.Random, spoken_of: Set[Key]) -> Event | None:
        if kind in OLD_VALUES:
            return self._old(kind, session_id, rng, spoken_of)
        held = [
            fact
            for fact in self._state.holding()
            if self._state.pack.attribute(fact.key.attribute).form in ("plain", "date") and not fact.visual
        ]
        if kind in OUTSIDE:
            held = [fact for fact in held if fact.key.subject in self._state.cast.persons]
        if kind == "namesake":
            held = [fact for fact in held if self._state.cast.namesake_of(fact.key.subject)]
        if kind in NOT_ON_USERS:
            held = [fact for fact in held if fact.key.subject != self._state.cast.protagonist]
        if kind == "guess":
            held = [fact for fact in held if fact.key not in spoken_of]
        if not held:
            return None
        fact = rng.choice(held)
        attribute = self._state.pack.attribute(fact.key.attribute)
        try:
            slots = self._state.draw(fact.key, attribute, rng)
        except NoValueLeftError:
            return None
        return Event(
            event_id="",
            kind="distractor",
            distraction=kind,
            claim=fact.key,
            slots=slots,
            other=self._other(kind, fact.key.subject, rng),
        )

    def _other(self, kind: Distraction, subject: str, rng: random.Random) -> str:
        if kind == "namesake":
            return self._state.cast.namesake_of(subject)
        if kind == "stranger":
            return rng.choice(self._state.pack.pools["strangers"])
        others = [name for name in self._state.cast.persons if name != subject]
        return rng.choice(others) if kind == "joke" else ""

    def _old(self, kind: Distraction, session_id: str, rng: random.Random, spoken_of: Set[Key]) -> Event | None:
        """A value that was replaced in an earlier session, told again or shown again."""
        fitting = []
        for held in (each for each in self._state.holding() if each.key not in spoken_of):
            for old in self._state.versions(held.key):
                told = (held.key, old.fact_id)
                if self._is_old(old, held, visual=kind == "stale") and told not in self._told:
                    fitting.append(old)
        if not fitting:
            return None
        old = rng.choice(fitting)
        self._told.add((old.key, old.fact_id))
        image_id = ""
        if kind == "stale":
            image_id = self._pictures.stale(session_id, old)
        return Event(
            event_id="", kind="distractor", distraction=kind, claim=old.key, slots=old.slots, image_id=image_id
        )

    def _is_old(self, old: Fact, held: Fact, *, visual: bool) -> bool:
        plain = self._state.pack.attribute(old.key.attribute).form in ("plain", "date")
        return (
            plain and bool(old.slots) and old.value != held.value and old.visual is visual and old.source != "hearsay"
        )
