"""Which questions a sample has so far, and where their evidence stood, so that no part of the past is preferred."""

from __future__ import annotations

import random

from memarena_builder.questions.known import Draft

MIDDLE = (0.48, 0.53)
"""Where the evidence of a type stands on average: 0 is the first session, 1 the last one told."""
EARLY, LATE = (0.0, 0.15), (0.6, 1.0)
"""The parts of the past that bring the average back."""
TENDENCY = {"DU": 0.7, "VU": 0.7, "MC": 0.7, "TTL": 0.4}
"""Where evidence of a type would stand by itself: what holds now was told late, what is taught was told early."""


class Chosen:
    """The questions of one sample, over all its checkpoints."""

    def __init__(self) -> None:
        self._taken: set[object] = set()
        self._places: dict[str, list[float]] = {}

    def has(self, draft: Draft) -> bool:
        """Whether the same was asked before, in whatever words."""
        return (draft.type, draft.keys) in self._taken

    def add(self, draft: Draft, place: float | None) -> None:
        """Take a question; `place`: where its evidence stands, None where it has none."""
        self._taken.add((draft.type, draft.keys))
        if place is not None:
            self._places.setdefault(draft.type, []).append(place)

    def place(self, kind: str, rng: random.Random) -> float:
        """Where the evidence of the next question is to stand: anywhere, unless the average has moved away."""
        places = self._places.get(kind, ())
        mean = sum(places) / len(places) if places else TENDENCY.get(kind, 0.5)
        low, high = EARLY if mean > MIDDLE[1] else LATE if mean < MIDDLE[0] else (0.0, 1.0)
        return rng.uniform(low, high)
