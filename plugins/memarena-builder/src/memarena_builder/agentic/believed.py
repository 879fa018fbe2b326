"""What a playing agent believes so far, and what is told to it or supposed by it that is not so."""

from __future__ import annotations

import random
from collections.abc import Collection, Sequence

from memarena_builder.agentic.trajectory import Learnt, Refused


class Believed:
    """The values that an agent learnt, by subject and attribute."""

    def __init__(self) -> None:
        self.met: dict[str, None] = {}
        """The subjects, the one met longest ago first."""
        self._values: dict[tuple[str, str], list[str]] = {}
        self._noted: dict[tuple[tuple[str, str], str], None] = {}
        """What old notes told so far."""

    def take(self, learnt: Learnt) -> None:
        """Believe something from now on."""
        values = self._values.setdefault((learnt.subject, learnt.attribute), [])
        if not values or values[-1] != learnt.value:
            values.append(learnt.value)
        self.met.pop(learnt.subject, None)
        self.met[learnt.subject] = None

    def last(self, subject: str, attribute: str) -> str:
        """The last value; "" where there is none."""
        values = self._values.get((subject, attribute))
        return values[-1] if values else ""

    def is_new(self, learnt: Learnt) -> bool:
        """Whether it is not what is believed already."""
        return self.last(learnt.subject, learnt.attribute) != learnt.value

    def old_note(self, attributes: Sequence[str], never: Sequence[str], rng: random.Random) -> Refused | None:
        """Something that was so once, no note twice; `never`: values that nobody writes down."""
        old = [
            (key, value)
            for key, values in self._values.items()
            for value in dict.fromkeys(values[:-1])
            if key[1] in attributes and value not in (values[-1], *never) and (key, value) not in self._noted
        ]
        if not old:
            return None
        (subject, attribute), value = told = rng.choice(old)
        self._noted[told] = None
        return Refused(subject=subject, attribute=attribute, value=value, kind="old note")

    def guess(
        self, attribute: str, values: Sequence[str], rng: random.Random, present: Collection[str]
    ) -> Refused | None:
        """Something that may be so, for all the agent knows, and that it has not seen; `present`: what it has before
        its eyes or in mind, of which nobody supposes anything by the way."""
        met = [name for name in self.met if (name, attribute) in self._values and name not in present]
        if not met or not values:
            return None
        subject, value = rng.choice(met), rng.choice(values)
        if value in self._values[subject, attribute]:
            return None
        return Refused(subject=subject, attribute=attribute, value=value, kind="guess")
