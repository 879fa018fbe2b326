"""What is known while a plan grows, session by session."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping
from datetime import date
from itertools import count

from memarena_builder.packs.schema import ELEMENTS, Attribute, Pack
from memarena_builder.world.cast import Cast
from memarena_builder.world.facts import SAID, EventKind, Fact, Key, Source, Told, chain
from memarena_builder.world.values import Values


class State:
    """The facts told so far, and the means to make more."""

    def __init__(self, pack: Pack, cast: Cast, values: Values) -> None:
        self.pack = pack
        self.cast = cast
        self.values = values
        self.index = 0
        self.day = date.min
        self._facts: dict[Key, list[Fact]] = {}
        self._held: dict[Key, Fact] = {}
        self._numbers = count(1)

    def begin(self, index: int, day: date) -> None:
        """Go to the session at `index`, which is on `day`."""
        self.index, self.day = index, day
        self.values.today = day

    def end(self, facts: Iterable[Fact]) -> None:
        """Take in what the session told."""
        for fact in facts:
            self._facts.setdefault(fact.key, []).append(fact)
            held = self._held.get(fact.key)
            if held is None or fact.rank > held.rank:
                self._held[fact.key] = fact

    def draw(self, key: Key, attribute: Attribute, rng: random.Random) -> dict[str, str]:
        """New values for all blanks; persons differ from each other, from the subject and from who holds it now. What
        tells the facts of a subject apart stays as it is."""
        away = {key.subject, *(fact.value for fact in self._facts.get(key, ()))}
        away |= {fact.slots.get("V", "") for fact in self.holding() if fact.key[:2] == key[:2]}
        slots: dict[str, str] = {ELEMENTS[attribute.form]: key.element} if key.element else {}
        for name in sorted({*attribute.slots} - {*slots}):
            persons = [each for each in self.cast.persons if each not in away and each not in slots.values()]
            slots[name] = self.values.draw(attribute.slots[name], rng, persons)
        return slots

    def fact(
        self,
        key: Key,
        attribute: Attribute,
        slots: Mapping[str, str] | None,
        *,
        kind: EventKind,
        since: date,
        visual: bool = False,
        source: Source = "user",
        authority: int = SAID,
    ) -> Fact:
        """A new version; `slots` None: it holds no more."""
        if slots and not key.element and attribute.form in ELEMENTS:
            key = key._replace(element=slots[ELEMENTS[attribute.form]])
        return Fact(
            fact_id=f"F{next(self._numbers):03}",
            key=key,
            value=None if slots is None else value_of(attribute, slots),
            slots=slots or {},
            since=since,
            told=Told(self.index, 0),
            day=self.day,
            source="picture" if visual else source,
            authority=authority,
            visual=visual,
            kind=kind,
        )

    def holds(self, key: Key) -> Fact | None:
        """The version of a key that holds, told in an earlier session."""
        return self._held.get(key)

    def is_ruled(self, subject: str) -> bool:
        """Whether a rule of `subject` was told in an earlier session."""
        return any(
            fact.key.subject == subject and self.pack.attribute(fact.key.attribute).form == "rule"
            for fact in self.holding()
        )

    def chain(self, key: Key) -> list[Fact]:
        """The versions that ever held."""
        return chain(self._facts.get(key, ()), key)

    def versions(self, key: Key) -> list[Fact]:
        """All versions in the order in which they were told."""
        return list(self._facts.get(key, ()))

    def holding(self) -> list[Fact]:
        """For each key the version that holds, where it has a value; in the order in which keys became known."""
        return [fact for fact in self._held.values() if fact.value is not None]


def value_of(attribute: Attribute, slots: Mapping[str, str]) -> str:
    """The value that a fact is asked for: its `V`, else all blanks in the order of their names."""
    return slots["V"] if "V" in slots else " | ".join(slots[name] for name in sorted(slots))
