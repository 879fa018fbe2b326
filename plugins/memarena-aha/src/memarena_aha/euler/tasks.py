"""What is played: a task with its answer, and the teaching of one like it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from memarena_aha.euler.draws import Instance
from memarena_aha.parts import Lesson

__all__ = ["TEACHINGS", "Task", "Teaching", "plain", "practised", "teaching_of"]

TEACHINGS: Mapping[str, tuple[str, ...]] = {
    "partial": (),
    "answer-code": ("listing",),
    "answer-explanation": ("explanation",),
    "full": ("listing", "explanation"),
}
"""What a teaching tells beside the statement and the answer."""


@dataclass(frozen=True, slots=True)
class Teaching:
    """A task that was solved, and how."""

    statement: str
    answer: int
    explanation: str
    listing: str
    nouns: tuple[str, ...] = ()
    """The words of the world in which its statement is set."""
    slots: Mapping[str, Any] = field(default_factory=dict)
    """The numbers of its statement for a program, as those of a task."""

    def text(self, condition: str) -> str:
        """What a teacher tells in a condition, a key of TEACHINGS."""
        told = TEACHINGS[condition]
        parts = [f"Here is a task that has been solved.\n{self.statement}", f"Its result is {self.answer}."]
        if "listing" in told:
            parts.append(f"This program computes it:\n```python\n{self.listing.rstrip()}\n```")
        if "explanation" in told:
            parts.append(f"It was solved like this:\n{self.explanation}")
        return "\n\n".join(parts)


@dataclass(frozen=True, kw_only=True, slots=True)
class Task:
    """A held-out task, and the teaching that belongs to it."""

    kind: str
    """single, graph or convention."""
    key: Mapping[str, Any]
    """Plain JSON that names the instance: what is drawn, and from which seed and index."""
    statement: str
    answer: int
    slots: Mapping[str, Any]
    """The numbers of the statement for a program, plain JSON."""
    nodes: tuple[int, ...]
    """The answers of all its parts, the last one that of the task."""
    families: tuple[str, ...]
    """Ids of the families that it is made of."""
    teaching: Teaching
    lessons: tuple[Lesson, ...]
    gold: str
    block: str
    nouns: tuple[str, ...] = ()
    facets: Mapping[str, str | int | float | bool] = field(default_factory=dict)


def teaching_of(instance: Instance) -> Teaching:
    """How an instance is taught."""
    family = instance.family
    return Teaching(
        statement=instance.statement,
        answer=instance.answer,
        explanation=f"{family.idea}\n{family.explanation(instance.params)}",
        listing=family.listing(instance.params),
        nouns=family.skins(instance.split)[instance.skin].nouns,
        slots=plain(instance.params),
    )


def practised(task: Task) -> Task:
    """The taught task as one that is played."""
    taught = task.teaching
    return replace(task, statement=taught.statement, answer=taught.answer, slots=taught.slots, nodes=(taught.answer,))


def plain(params: Mapping[str, Any]) -> dict[str, Any]:
    """Slots as JSON has them: rows are lists."""
    return {name: list(value) if isinstance(value, tuple) else value for name, value in params.items()}
