"""`lesson_reader` for puzzles: an agent without a model that asks the general questions of which it has read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from memarena_aha.keyed import Streams
from memarena_aha.puzzle.agents import Scripted, checks_confirmed, facts_confirmed, random_question, solve
from memarena_aha.puzzle.lessons import ASK_NOTHING, LESSONS, token
from memarena_aha.puzzle.schema import CHECKS, Check

__all__ = ["Habits", "LessonReader", "read"]


class Habits(NamedTuple):
    """What the agent acts by."""

    checks: tuple[Check, ...] = ()
    """The general questions that it asks, in the order of `CHECKS`."""
    guesses: bool = False
    """It asks nothing."""


def read(memory: str) -> Habits:
    """The habits of one who has read `memory`. Of advice to ask and advice to ask nothing the later one is believed."""
    text = memory.casefold()
    found = {check: text.rfind(token(check)) for check in CHECKS}
    checks = tuple(check for check, place in found.items() if place >= 0)
    nothing = text.rfind(ASK_NOTHING)
    if nothing > max(found.values(), default=-1):
        return Habits(guesses=True)
    return Habits(checks=checks)


class LessonReader(Scripted):
    """Asks the general questions it has read of, at random where it has read of none; states what it confirmed."""

    name = "lesson_reader"

    def __init__(self) -> None:
        self._checks: set[Check] = set()

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        data = observation.get("data") or {}
        memory = str(observation.get("memory") or "")
        if not any(tool.get("name") == "solve" for tool in tools):
            return {"text": reflection(f"{memory}\n{observation.get('text', '')}")}
        habits = self._learned(read(memory))
        if habits.guesses:
            return {"tool": "solve", "args": {"text": data["story"]}}
        asking = data["questions_left"] > 0
        for check in habits.checks:
            if asking and check not in checks_confirmed(data, asked=True):
                return self.general(check, tools)
        if asking and not habits.checks and not data["shown"]:
            return random_question(Streams(f"{self.name}|{self.seed}"), data, tools)
        return solve(facts_confirmed(data), checks_confirmed(data))

    def _learned(self, habits: Habits) -> Habits:
        """The habits of now, with the checks it has read of before in this episode."""
        self._checks.update(habits.checks)
        return habits._replace(checks=tuple(check for check in CHECKS if check in self._checks))


def reflection(text: str) -> str:
    """The lessons that a text holds, told again."""
    found = read(text).checks
    return " ".join(lesson.text for lesson in LESSONS if lesson.lesson_id in map(token, found)) or "Ask on."
