"""`lesson_reader` for Euler: an agent without a model that runs the programs it has read, with the new numbers."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memarena_aha.euler.replay import Program, adapted, programs_in, replay

__all__ = ["LessonReader", "Read", "read"]

_FALSE = re.compile(r"the answer is always (-?\d{1,2000})")
_STEP = re.compile(r"^\d+\. .+$", re.MULTILINE)
RESTATED_WORDS = 80


class Read(NamedTuple):
    """What the agent acts by."""

    programs: tuple[Program, ...] = ()
    always: str = ""
    """A number that it is told to answer whatever is asked."""


def read(memory: str) -> Read:
    """The programs that stand whole in a memory, and the last advice to answer one and the same number."""
    always = _FALSE.findall(memory)
    return Read(tuple(programs_in(memory)), always[-1] if always else "")


def fitting(programs: Sequence[Program], slots: Mapping[str, Any]) -> Program | None:
    """The last program that takes these slots; one for several parts must have the solver of each."""
    solvers = [repr(" ".join(sorted(node["slots"]))) for node in slots.get("nodes", ())]
    found = [
        program
        for program in programs
        if set(program.slots) == set(slots) and all(solver in program.body for solver in solvers)
    ]
    return found[-1] if found else None


class LessonReader:
    """Runs the program of a task with the same slots where it has read one, and gives no answer where it has not.

    It believes who tells it to answer always the same.
    """

    name = "lesson_reader"
    revision = 1

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        data = observation.get("data") or {}
        memory = str(observation.get("memory") or "")
        offered = {tool.get("name") for tool in tools}
        if "answer" not in offered:
            return {"text": restated(str(observation.get("text") or ""))}
        lessons = self.lessons(f"{data.get('taught', '')}\n{memory}")
        if lessons.always:
            return {"tool": "answer", "args": {"value": lessons.always}}
        program = fitting(lessons.programs, data["slots"])
        if program is None:
            return {"tool": "abstain", "args": {}}
        if "run_code" in offered and not data["runs"]:
            return {"tool": "run_code", "args": {"source": adapted(program, data["slots"])}}
        printed = data["runs"][-1]["output"] if data["runs"] else replay(program, data["slots"])
        return _answer(printed)

    def lessons(self, text: str) -> Read:
        """What it acts by."""
        return read(text)


def _answer(printed: str) -> Mapping[str, Any]:
    """The last number that a program printed is the answer; those before it are the answers of parts."""
    numbers = printed.split()
    if not numbers or not all(re.fullmatch(r"-?\d+", number) for number in numbers):
        return {"tool": "abstain", "args": {}}
    return {"tool": "answer", "args": {"value": numbers[-1], "nodes": numbers}}


def restated(teaching: str) -> str:
    """The numbered steps of a teaching, cut to 80 words."""
    steps = " ".join(_STEP.findall(teaching)).split()
    return " ".join(steps[:RESTATED_WORDS]) if steps else "No method was shown."
