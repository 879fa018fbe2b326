"""Scripted agents: what can be reached by knowing the solution, by copying, by guessing and by trying everything."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memarena_aha.euler.conventions.register import operation
from memarena_aha.euler.episode import EulerEpisode
from memarena_aha.euler.family import Family
from memarena_aha.euler.reader import LessonReader, Read, read
from memarena_aha.euler.register import family
from memarena_aha.euler.steps import StepLimit, count_steps
from memarena_aha.euler.tasks import Task
from memarena_aha.keyed import Streams

__all__ = ["BRUTE_STEPS", "CodeReplay", "ConstantCopy", "LinearGuess", "RandomInteger", "SmallBrute", "SolverOracle"]

BRUTE_STEPS = 10**6
"""Lines of Python that `small_brute` may run for each part of a task."""
_TAUGHT = re.compile(r"Here is a task that has been solved\.\n(.*?)\n\nIts result is (-?\d+)\.", re.DOTALL)
_NUMBER = re.compile(r"\d+")
Action = Mapping[str, Any]


def _answer(value: int) -> Action:
    return {"tool": "answer", "args": {"value": str(value)}}


_ABSTAIN: Action = {"tool": "abstain", "args": {}}


def solved(task: Task, solve: Callable[[Family, Mapping[str, Any]], int]) -> int:
    """The answer of a task of families, each part given to `solve`."""
    rules = [family(family_id) for family_id in task.families]
    if task.kind != "graph":
        return solve(rules[0], _tuples(task.slots))
    answers: list[int] = []
    for rule, node in zip(rules, task.slots["nodes"], strict=True):
        slots = _tuples(node["slots"])
        for port, parents, low, high in node["carries"]:
            slots[port] = low + sum(answers[parent] for parent in parents) % (high - low + 1)
        answers.append(solve(rule, rule.repair(**slots) if node["carries"] else slots))
    return answers[-1]


def _tuples(slots: Mapping[str, Any]) -> dict[str, Any]:
    return {name: tuple(value) if isinstance(value, list) else value for name, value in slots.items()}


class _Knowing:
    """An agent that is given the episode, hidden truth and all."""

    revision = 1

    def __init__(self, episode: EulerEpisode) -> None:
        self._task = episode.task


class SolverOracle(_Knowing):
    """Runs the fast solvers."""

    name = "solver_oracle"

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Action:
        task = self._task
        if task.kind == "convention":
            return _answer(operation(task.families[0]).apply(task.slots["n"], **task.key["constants"]))
        return _answer(solved(task, lambda rule, slots: rule.solve_fast(**slots)))


class SmallBrute(_Knowing):
    """Runs the slow solvers, a million lines of Python for each part; of a convention it knows nothing."""

    name = "small_brute"

    def __init__(self, episode: EulerEpisode, steps: int = BRUTE_STEPS) -> None:
        super().__init__(episode)
        self._steps = steps

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Action:
        if self._task.kind == "convention":
            return _ABSTAIN
        try:
            return _answer(solved(self._task, lambda rule, slots: count_steps(rule.solve_brute, slots, self._steps)[0]))
        except StepLimit:
            return _ABSTAIN


class RandomInteger:
    """Answers with some number."""

    name = "random_integer"
    revision = 1

    def __init__(self, seed: int) -> None:
        self._streams = Streams(f"{self.name}|{seed}")

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Action:
        digits = self._streams.between(3, 15, "digits")
        return _answer(self._streams.between(10 ** (digits - 1), 10**digits - 1, "number"))


class _Recalling:
    """An agent that looks for a solved task in what is shown to it."""

    revision = 1

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Action:
        data = observation["data"]
        taught = _TAUGHT.findall(f"{data['taught']}\n{observation.get('memory') or ''}")
        if not taught:
            return _ABSTAIN
        statement, answer = taught[-1]
        return _answer(self.guess(statement, int(answer), data["statement"]))

    def guess(self, taught: str, answer: int, asked: str) -> int:
        """A number by the taught statement, its answer, and the statement that is asked."""
        raise NotImplementedError


class ConstantCopy(_Recalling):
    """Gives the answer that was taught."""

    name = "constant_copy"

    def guess(self, taught: str, answer: int, asked: str) -> int:
        return answer


class LinearGuess(_Recalling):
    """Scales the answer that was taught by the ratio of the first numbers of both statements."""

    name = "linear_guess"

    def guess(self, taught: str, answer: int, asked: str) -> int:
        before, now = (int(_NUMBER.findall(text)[0]) for text in (taught, asked))
        return answer * now // max(before, 1)


class CodeReplay(LessonReader):
    """Runs a program that it finds, with the new slots; believes nothing else."""

    name = "code_replay"

    def lessons(self, text: str) -> Read:
        return Read(read(text).programs)
