"""Numbers of things in what commands say."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from memarena.records import Sample


def counted(number: int, thing: str) -> str:
    """`1 sample`, `1,200 samples`."""
    return f"{number:,} {thing}{'' if number == 1 else 's'}"


def size(sample: Sample) -> str:
    """`8 sessions, 2 checkpoints, 1 question`."""
    questions = sum(len(checkpoint.questions) for checkpoint in sample.checkpoints)
    held = {"session": len(sample.sessions), "checkpoint": len(sample.checkpoints), "question": questions}
    return ", ".join(counted(number, thing) for thing, number in held.items())
