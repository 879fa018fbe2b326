"""How somebody talks: how much stands around a fact, and how long it is."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import ceil, gcd
from typing import NamedTuple

from memarena_builder.streams import Streams

STEPS = (3, 2, 5, 7, 1)
"""By how many variants a session begins further on than the one before: the first that goes through all of them."""


class Persona(NamedTuple):
    """One way to talk; shares are of the turns that tell a fact."""

    lead: float
    """Share with words before the fact."""
    occasion: float
    """Share with a sentence on how the speaker comes to it, where the fact brings one."""
    aside: float
    """Share with a sentence after it, where the fact brings one."""
    joined: float
    """Share of the facts that are told with another in one turn, where they can be."""
    parting: float
    """Share of the sessions that end in a word of goodbye."""
    lengths: tuple[float, float] = (0.0, 1.0)
    """Which of the variants of a text it uses, where they stand in the order of their length."""
    register: str = ""
    """In which both of the two speak: that of a pack."""


TERSE = Persona(lead=0.3, occasion=0.2, aside=0.15, joined=0.5, parting=0.2, lengths=(0.0, 0.7))
PLAIN = Persona(lead=0.4, occasion=0.35, aside=0.3, joined=0.5, parting=0.4)
CHATTY = Persona(lead=0.45, occasion=0.5, aside=0.45, joined=0.6, parting=0.6, lengths=(0.3, 1.0))
FORMAL = Persona(lead=0.5, occasion=0.3, aside=0.35, joined=0.4, parting=0.8, register="formal")
PERSONAS = (TERSE, PLAIN, CHATTY, FORMAL)


def persona_of(streams: Streams) -> Persona:
    """How the user of one sample talks; `streams`: of its wording."""
    return streams.rng("persona").choice(PERSONAS)


class Hand:
    """Draws among variants, and draws none again before all others were drawn."""

    def __init__(
        self,
        rng: random.Random,
        lengths: tuple[float, float] = (0.0, 1.0),
        sample: Streams | None = None,
        turn: int = 0,
    ) -> None:
        """`sample`: of a whole sample, in which the variants have one order; the session whose `turn` it is begins
        further on in it than the one before, so that the same are not drawn in both."""
        self.rng = rng
        self._lengths = lengths
        self._sample = sample
        self._turn = turn
        self._left: dict[tuple[str, ...], list[str]] = {}

    def take(self, texts: Sequence[str], *, whole: bool = False) -> str:
        """One of `texts`; `whole`: of whatever length."""
        key = tuple(texts)
        left = self._left.get(key)
        if not left:
            left = self._left[key] = self._ordered(list(key) if whole else self._some(key))
        return left.pop()

    def chance(self, share: float) -> bool:
        """True in that share of calls."""
        return self.rng.random() < share

    def _ordered(self, texts: list[str]) -> list[str]:
        """`texts` in the order in which they are drawn, the last first."""
        if self._sample is None:
            self.rng.shuffle(texts)
            return texts
        self._sample.rng("variants", *texts[:1]).shuffle(texts)
        first = self._turn * next(step for step in STEPS if gcd(step, len(texts)) == 1) % len(texts)
        return (texts[first:] + texts[:first])[::-1]

    def _some(self, texts: tuple[str, ...]) -> list[str]:
        low, high = self._lengths
        ordered = sorted(texts, key=len)
        return ordered[int(low * len(texts)) : ceil(high * len(texts))]
