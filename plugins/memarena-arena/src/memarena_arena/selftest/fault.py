"""What a planted fault is: what it does to a memory that is perfect but for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import NamedTuple

from memarena.answering import ShowSettings
from memarena.records import Question
from memarena_arena.selftest.entries import Entry
from memarena_arena.selftest.world import World

MADE_UP = "made up"
"""Where an answer is lost to which there is no evidence."""


class Moment(NamedTuple):
    """Where in its life a memory is."""

    world: World
    session: int
    """Place of the session that ended last."""
    seed: int

    def picks(self, name: str, one_in: int = 2) -> bool:
        """A coin that falls the same way for the same name and seed: true for one of `one_in`."""
        return self.draw(name) * one_in < 1

    def draw(self, name: str) -> float:
        """A number from 0 to 1 that is the same for the same name and seed."""
        told = f"{self.seed} {self.world.sample.sample_id} {name}"
        return int.from_bytes(blake2b(told.encode(), digest_size=6).digest()) / 256**6


Keeping = Callable[[list[Entry], Moment], list[Entry]]
"""Items -> items: what becomes of what a session tells, or of all that is kept."""
Ranking = Callable[[list[Entry], list[Entry], Moment, Question], list[Entry]]
"""The perfect list, all that is kept -> the list that is returned."""
Answering = Callable[[Moment, Question, list[Entry]], str | None]
"""Question and what was shown -> a wrong answer; None where the fault cannot befall this question."""


class Fault(NamedTuple):
    """A fault of known place. What it leaves out it leaves perfect."""

    name: str
    stage: str
    """Where it loses what it loses: `write`, `maintain`, `retrieve`, `show`, `use` or `made up`."""
    about: str
    write: Keeping | None = None
    """What is written of what a session tells."""
    keep: Keeping | None = None
    """What is kept after a session."""
    rank: Ranking | None = None
    show: ShowSettings | None = None
    """The budgets of what an answerer sees."""
    answer: Answering | None = None
    reason: str = ""
    """The reason that a diagnosis is to give, where the fault is one of use."""


def by_name(*faults: Fault) -> Mapping[str, Fault]:
    """Faults by their names, in order."""
    return {fault.name: fault for fault in faults}
