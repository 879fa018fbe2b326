"""Keeps questions apart from the words of their answers: of each type few may be found by a search for their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from itertools import chain

from memarena_builder.plan import Plan
from memarena_builder.probes.words import Bm25
from memarena_builder.questions.ask import Asked
from memarena_builder.wording import Spoken

MOST = {"FR": 0.4}
"""By type: share of the questions of a sample whose evidence is the best find of a search, at most."""
OTHERS = 0.3
"""The same for every other type."""


class ByWords:
    """Counts, over the questions of one sample, those that a search for their words answers."""

    def __init__(self, plan: Plan, spoken: Mapping[str, Spoken]) -> None:
        self._plan = plan
        self._spoken = spoken
        self._indexes: dict[int, tuple[Bm25, list[tuple[str, int]]]] = {}
        self._asked: Counter[str] = Counter()
        self._found: Counter[str] = Counter()
        self._turns: dict[str, set[tuple[str, int]]] = {}
        """By id of a fact: session and place of the turns that tell it."""
        for session in plan.sessions:
            for event in session.events:
                fact_id = event.fact.fact_id if event.fact else event.mentions
                places = spoken[session.session_id].places(event.event_id)
                self._turns.setdefault(fact_id, set()).update((session.session_id, place) for place in places)

    def takes(self, question: Asked, until: int) -> bool:
        """Whether a question, on what was told up to a session, may be asked; counts it then."""
        found = self._is_found(question, until)
        allowed = max(MOST.get(question.type, OTHERS) * (self._asked[question.type] + 1), 1)
        if found and self._found[question.type] + 1 > allowed:
            return False
        self._asked[question.type] += 1
        self._found[question.type] += found
        return True

    def _is_found(self, question: Asked, until: int) -> bool:
        index, places = self._index(until)
        best = places[index.best(question.text, 1)[0]]
        return any(best in self._turns[fact.fact_id] for fact in chain(question.evidence, *question.alternatives))

    def _index(self, until: int) -> tuple[Bm25, list[tuple[str, int]]]:
        if until not in self._indexes:
            told = [session.session_id for session in self._plan.sessions if session.index <= until]
            places = [(name, place) for name in told for place in range(len(self._spoken[name].lines))]
            self._indexes[until] = Bm25([self._spoken[name].lines[place].text for name, place in places]), places
        return self._indexes[until]
