"""How sure is the diagnosis? Memories with faults of known place, run through the loop, the judge and a scorer.

`run(samples, memories)` gives an Outcome a question, and `Confusion(outcomes)` counts what was planted against what was
diagnosed. A Planting is a memory with some Faults: those of PLANTED, or your own.
"""

from __future__ import annotations

from memarena_arena.selftest.confusion import LEAST_RIGHT, MOST_BLAMED, STAGES, Confusion
from memarena_arena.selftest.entries import Entry, Line
from memarena_arena.selftest.fault import Fault, Moment
from memarena_arena.selftest.faults import MIXTURES, PLANTED
from memarena_arena.selftest.memory import PlantedAnswerer, PlantedMemory
from memarena_arena.selftest.runner import Outcome, Planting, plantings, run
from memarena_arena.selftest.truth import Truth
from memarena_arena.selftest.world import Fact, World

__all__ = [
    "LEAST_RIGHT",
    "MIXTURES",
    "MOST_BLAMED",
    "PLANTED",
    "STAGES",
    "Confusion",
    "Entry",
    "Fact",
    "Fault",
    "Line",
    "Moment",
    "Outcome",
    "PlantedAnswerer",
    "PlantedMemory",
    "Planting",
    "Truth",
    "World",
    "plantings",
    "run",
]
