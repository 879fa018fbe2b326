"""Which questions a sample has so far, and where their evidence stood, so that no part of the past is preferred."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Mapping, Sequence

from memarena_builder.questions.known import Draft
from memarena_builder.questions.mix import Mix

MIDDLE = 0.5
"""Where the evidence of a type stands on average: 0 is the first session, 1 the last one told."""
SPREAD = 0.2
"""How far a single place may be off what brings the average there."""
TENDENCY = {"DU": 0.8, "VU": 0.8, "MC": 0.8, "KR": 0.7, "CMR": 0.8, "VFR": 0.6, "TTL": 0.2}
"""Where evidence of a type would stand by itself: what holds now was told late, what is taught was told early."""


class Chosen:
    """The questions of one sample, over all its checkpoints."""

    def __init__(self, tendency: Mapping[str, float] = TENDENCY) -> None:
        self._tendency = tendency
        self._taken: set[object] = set()
        self._places: dict[str, list[float]] = {}
        self._reasons: Counter[str] = Counter()
        self.mix = Mix()
        """How many pieces of evidence they rest on."""

    def has(self, draft: Draft) -> bool:
        """Whether the same was asked before, in whatever words."""
        return (draft.type, draft.keys) in self._taken

    def add(self, draft: Draft, place: float | None) -> None:
        """Take a question; `place`: where its evidence stands, None where it has none."""
        self._taken.add((draft.type, draft.keys))
        self._reasons[draft.reason] += 1
        if place is not None:
            self._places.setdefault(draft.type, []).append(place)

    def place(self, kind: str, rng: random.Random) -> float:
        """Where the evidence of the next question is to stand, so that the average of its type comes to the middle."""
        places = self._places.get(kind, ())
        if not places and kind not in self._tendency:
            return rng.random()
        told = sum(places) if places else self._tendency[kind]
        wanted = MIDDLE * (max(len(places), 1) + 1) - told + rng.uniform(-SPREAD, SPREAD)
        return min(max(wanted, 0.0), 1.0)

    def least(self, kinds: Sequence[str]) -> list[str]:
        """`kinds`, those first of which the fewest were asked so far."""
        return sorted(kinds, key=lambda kind: len(self._places.get(kind, ())))

    def reasons(self, every: Sequence[str], turn: int) -> list[str]:
        """Why the next question that cannot be answered cannot be: what was asked least so far comes first; of equals
        the one whose turn it is."""
        turned = [every[(turn + step) % len(every)] for step in range(len(every))]
        return sorted(turned, key=self._reasons.__getitem__)
