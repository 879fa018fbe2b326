"""What was learnt up to a checkpoint, sorted for the builders of questions."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from datetime import date
from functools import cached_property

from memarena_builder.agentic.trajectory import Attribute, Trajectory
from memarena_builder.agentic.turns import Shown
from memarena_builder.questions.known import sentence_case
from memarena_builder.world.facts import Fact, Key, current


class Learned:
    """The facts learnt up to a session."""

    def __init__(
        self,
        trajectory: Trajectory,
        facts: Sequence[Fact],
        until: int,
        today: date,
        split: str = "test",
        pictures: Sequence[Shown] = (),
    ) -> None:
        self.trajectory = trajectory
        self.split = split
        """`dev` or `test`: they share no words of questions."""
        self.until = until
        self.today = today
        self.facts = tuple(fact for fact in facts if fact.told.session <= until)
        self._pictures = tuple(each for each in pictures if each.session <= until)

    @cached_property
    def by_key(self) -> dict[Key, tuple[Fact, ...]]:
        """All versions of each key, in the order in which they were learnt."""
        out: dict[Key, list[Fact]] = {}
        for fact in self.facts:
            out.setdefault(fact.key, []).append(fact)
        return {key: tuple(facts) for key, facts in out.items()}

    @cached_property
    def held(self) -> dict[Key, Fact]:
        """The last version of each key."""
        found = ((key, current(facts, key)) for key, facts in self.by_key.items())
        return {key: fact for key, fact in found if fact is not None}

    @cached_property
    def shown(self) -> dict[Key, tuple[Shown, ...]]:
        """What pictures show of each key, known or not."""
        out: dict[Key, list[Shown]] = {}
        for each in self._pictures:
            out.setdefault(each.key, []).append(each)
        return {key: tuple(found) for key, found in out.items()}

    def is_shown_once(self, fact: Fact) -> bool:
        """Whether one picture alone shows the value."""
        images = {each.image_id for each in self.shown.get(fact.key, ()) if each.value == fact.value}
        return len(images | {fact.image_id}) == 1

    def newest_picture(self, subject: str) -> str:
        """The newest of the pictures that tell something of a subject; "" where there are not several."""
        images = [each.image_id for each in self.facts if each.image_id and each.key.subject == subject]
        return images[-1] if len(set(images)) > 1 else ""

    def attribute(self, key: Key) -> Attribute:
        """What the key is an instance of."""
        return self.trajectory.attribute(key.attribute)

    def what(self, key: Key) -> str:
        """The noun phrase for a key."""
        return self.attribute(key).what.format(S=self.called(key.subject))

    def claim(self, key: Key, value: str) -> str:
        """The sentence that a key has a value, to be part of another one."""
        point = self.attribute(key).point.removesuffix(".")
        return f"{point[:1].lower()}{point[1:]}".format(S=self.called(key.subject), V=value)

    def called(self, subject: str) -> str:
        """What a subject is called in questions."""
        return self.trajectory.called.get(subject, subject)

    def holding(self, *, visual: bool, versions: str = "any") -> Iterator[Fact]:
        """The last versions, told by pictures alone or in words. `versions`: `one`, `many` or `any`."""
        for key, fact in self.held.items():
            several = len(self.by_key[key]) > 1
            if fact.visual is visual and (versions == "any" or several is (versions == "many")):
                yield fact

    def stale(self, key: Key) -> tuple[str, ...]:
        """The values learnt for a key that are not its last one."""
        last = self.held[key].value if key in self.held else None
        values = (fact.value for fact in self.by_key.get(key, ()))
        return tuple(dict.fromkeys(value for value in values if value and value != last))

    def position(self, evidence: Sequence[Fact]) -> float:
        """Where the evidence stands: 0 for the first session, 1 for the last one."""
        return sum(fact.told.session for fact in evidence) / len(evidence) / max(self.until, 1)

    def ask(self, key: Key, rng: random.Random, subject: str = "") -> tuple[str, str]:
        """A question for the value of a key, and the name of its family."""
        attribute = self.attribute(key)
        number = rng.choice(self._pool(attribute.asked))
        return attribute.asked[number].format(S=subject or self.called(key.subject)), f"{attribute.name}/{number}"

    def framed(self, frames: Sequence[str], name: str, rng: random.Random, **blanks: str) -> tuple[str, str]:
        """A question from one of the frames, and the name of its family."""
        number = rng.choice(self._pool(frames))
        return sentence_case(frames[number].format(**blanks)), f"{name}/{number}"

    def _pool(self, texts: Sequence[str]) -> list[int]:
        """The places of the texts for the split: the first one is for `dev`, the others for `test`; one alone is for
        both."""
        own = [number for number in range(len(texts)) if (number == 0) is (self.split == "dev")]
        return own or list(range(len(texts)))
