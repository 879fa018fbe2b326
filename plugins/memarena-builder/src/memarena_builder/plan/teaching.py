"""Rules that nobody states: they are taught by what went through and by what came back."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from memarena_builder.packs.schema import Attribute, Slot
from memarena_builder.plan.events import Event
from memarena_builder.plan.state import State
from memarena_builder.world.facts import EventKind, Key

SHARE = 0.6
"""Share of the subjects of rules whose rule is taught by cases."""
WITHIN = 0.7
"""Share of the sessions within which all its cases are told."""
FIRST = 3
"""Cases that are told in one session, before the others in a later one."""


class Case(NamedTuple):
    """One case: how large it is, as shares of the limit, and what became of it."""

    low: float
    high: float
    above: bool
    """Who decides above the limit was asked."""
    right: bool


CASES = (
    Case(0.3, 0.45, above=False, right=True),
    Case(1.6, 1.9, above=True, right=True),
    Case(0.7, 0.9, above=True, right=False),
    Case(1.1, 1.3, above=False, right=False),
    Case(1.95, 2.2, above=True, right=True),
)
"""What teaches a limit: three cases that went through, on both sides of it, and two wrong attempts nearer to it."""


class Teaching:
    """The cases of one sample, session by session."""

    def __init__(self, state: State, sessions: int, rng: random.Random) -> None:
        self._state = state
        forms = {each.form: each for each in state.pack.attributes}
        self._rule, self._right, self._wrong = (forms.get(form) for form in ("rule", "example", "slip"))
        subjects = [each.name for each in state.cast.of(self._rule.about)] if self._rule and self._right else []
        self.subjects: Sequence[str] = rng.sample(subjects, round(SHARE * len(subjects)))
        """Whose rule nobody states."""
        self._cases: dict[int, list[tuple[str, Attribute, dict[str, str]]]] = {}
        early = range(max(round(WITHIN * sessions), 2 * len(self.subjects)))
        chosen = iter(rng.sample(early, 2 * len(self.subjects)))
        for subject in self.subjects:
            first, then = sorted((next(chosen), next(chosen)))
            for place, case in enumerate(self._drawn(subject, rng)):
                self._cases.setdefault(first if place < FIRST else then, []).append((subject, *case))

    def events(self, index: int) -> list[Event]:
        """The cases that the session at `index` tells."""
        return [self._told(*case) for case in self._cases.get(index, ())]

    def _drawn(self, subject: str, rng: random.Random) -> Iterator[tuple[Attribute, dict[str, str]]]:
        """The cases that teach the rule of `subject`, which is drawn and never told."""
        assert self._rule is not None and self._right is not None and self._wrong is not None
        limit = self._rule.slots["L"]
        most = rng.randrange(limit.low, limit.high // 2)
        above, below = rng.sample(self._state.cast.persons, 2)
        for case in CASES:
            size = Slot(kind="number", low=round(case.low * most), high=round(case.high * most))
            slots = {"X": self._state.values.draw(size, rng), "A": above if case.above else below}
            yield (self._right if case.right else self._wrong), slots

    def _told(self, subject: str, attribute: Attribute, slots: Mapping[str, str]) -> Event:
        kind: EventKind = "E10" if attribute is self._right else "E9"
        fact = self._state.fact(Key(subject, attribute.name), attribute, slots, kind=kind, since=self._state.day)
        return Event(event_id="", kind=kind, fact=fact)
