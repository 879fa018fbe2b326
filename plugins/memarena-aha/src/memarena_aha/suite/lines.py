"""What a cell writes beside its journal: a line a step, and a line an episode.

steps.jsonl      one StepLine a decision, in order; what an agent saw can be made again by replaying its actions
episodes.jsonl   one EpisodeLine an episode that has ended
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

import msgspec

from memarena import codec
from memarena.records import Record
from memarena.store import RunStore
from memarena.texts import reference

__all__ = [
    "STEPS",
    "TALLIED",
    "EpisodeLine",
    "LessonStages",
    "Recorder",
    "Shown",
    "StepLine",
    "Trace",
    "canonical",
    "episodes_of",
    "hash_of",
    "steps_of",
]

STEPS, EPISODES = "steps.jsonl", "episodes.jsonl"
TALLIED = ("calls", "errors", "asked", "unanswered", "told", "unheard")
"""What an EpisodeLine has of the calls to the memory, as `memory_calls` and so on."""


class Shown(Record, frozen=True, kw_only=True):
    """What a memory gave for one decision."""

    query: str
    """Reference of the question, as `texts/` keeps it."""
    ids: tuple[str, ...] = ()
    """Of the first 50 items."""
    items: int = 0
    tokens: int = 0
    text: str = ""
    """Reference of the block as the agent saw it."""


class StepLine(Record, frozen=True, kw_only=True):
    """One decision."""

    pair_id: str
    arm: str
    condition: str
    session: str
    """The unit of the plan; `evaluation`."""
    step: int
    clock: str = ""
    """Day and minute, in a part that has them."""
    actor: Literal["agent"] = "agent"
    action: str | None = None
    """Name of the tool; None where the action is a text or cannot be read."""
    args: Any = None
    """Its arguments; a text; whatever was sent."""
    obs_hash: str = ""
    """Of the observation without the memory's block."""
    memory: Shown | None = None
    """None: as at the step before; the memory is asked anew where the question changed."""
    cost: Mapping[str, int] = {}
    """Estimated tokens that the agent was shown (`in`) and sent (`out`)."""
    flags: tuple[str, ...] = ()
    """`bad`: the action could not be read; `session_over`; the ending, with the last step; `reflection`."""


class LessonStages(Record, frozen=True, kw_only=True):
    """Where one lesson got to in one arm; None: it cannot be seen."""

    write: bool | None = None
    """Some change of the store while the plan was heard holds it."""
    keep: bool | None = None
    """An item of the store right before the evaluation holds it."""
    contradict: bool | None = None
    """An item of that store says the opposite."""
    retrieve: bool = False
    """The agent was shown an item that holds it, at a decision of the evaluation."""
    kept: int = 0
    """Times that the agent acted by it."""
    applied: int = 0
    """Times that it could have."""

    @property
    def use(self) -> bool | None:
        """It was acted by more often than not; None where it never applied."""
        return None if not self.applied else 2 * self.kept > self.applied


class EpisodeLine(Record, frozen=True, kw_only=True):
    """One episode that has ended."""

    pair_id: str
    arm: str
    condition: str
    """`cold`, `supported`, `gold`, `misled`; in an arm with a memory the name of a plan, `poisoned`, `foreign`."""
    session: str
    score: float
    ended: str
    raw: Mapping[str, float | int | str | None] = {}
    steps: int = 0
    bad: int = 0
    failure: str = ""
    """What the agent died of."""
    supported: bool = False
    """In a plan: a teacher was heard before it."""
    excluded: bool = False
    """A fault of the simulator: no score; the whole condition was run once more, or given up."""
    trace: str = ""
    """SHA-256 over all that was observed and done, the memory's block left out."""
    memory_calls: int = 0
    """With the plan before it."""
    memory_errors: int = 0
    memory_asked: int = 0
    """Of the calls, those to `retrieve`."""
    memory_unanswered: int = 0
    """Of these, those that failed."""
    memory_told: int = 0
    """Of the calls, those that it learns from: `ingest_turn`, `end_session`; in a restart `reset` and `reopen`."""
    memory_unheard: int = 0
    """Of these, those that failed."""
    memory_problem: str = ""
    leaked: bool = False
    """The evaluation changed the store that it should only read."""
    lessons: Mapping[str, LessonStages] = {}
    shown_tokens: int = 0
    """Of the memory's blocks, over all decisions."""
    cut: int = 0
    """Decisions (of `steps`) at which the memory gave more than the budget holds, so that the end was cut off."""


def canonical(value: Any) -> bytes:
    """`value` as JSON with sorted keys."""
    return msgspec.json.encode(codec.plain(value), order="sorted")


class Trace:
    """The hash of one episode: equal instances and equal actions give equal traces on every platform."""

    def __init__(self) -> None:
        self._digest = sha256()

    def add(self, value: Any) -> bytes:
        """Take in what was observed or done; its canonical form."""
        data = canonical(value)
        self._digest.update(len(data).to_bytes(8, "big") + data)
        return data

    def hexdigest(self) -> str:
        return self._digest.hexdigest()


class Recorder:
    """Writes the lines of one cell."""

    def __init__(self, store: RunStore, cell_id: str) -> None:
        folder = store.path / "cells" / cell_id
        self._texts = store.texts
        self._steps = codec.LineWriter(folder / STEPS)
        self._episodes = codec.LineWriter(folder / EPISODES)

    def text(self, text: str) -> str:
        """Keep `text`, and give its reference."""
        return self._texts.put(text)

    def step(self, line: StepLine) -> None:
        self._steps.write(codec.encode(line))

    def episode(self, line: EpisodeLine) -> None:
        self._episodes.write(codec.encode(line))

    def close(self) -> None:
        self._steps.close()
        self._episodes.close()


def hash_of(data: bytes) -> str:
    """What an observation is known by."""
    return reference(data.decode("utf-8"))


def episodes_of(folder: Path) -> Iterator[EpisodeLine]:
    """The episodes of the cell in `folder`, in the order in which they ended."""
    file = folder / EPISODES
    if file.exists():
        yield from codec.read_lines(file, EpisodeLine)


def steps_of(folder: Path) -> Iterator[StepLine]:
    """The decisions of the cell in `folder`."""
    file = folder / STEPS
    if file.exists():
        yield from codec.read_lines(file, StepLine)
