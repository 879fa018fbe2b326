"""The agent without a model for vending: it acts by the lessons that it reads in its memory, from the day it does."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memarena_aha.vending.policies import Play
from memarena_aha.vending.policies.habits import Habits
from memarena_aha.vending.policies.learner import Learner
from memarena_aha.vending.policies.reader import habits_from, habits_of, lessons_in, trusted_in
from memarena_aha.vending.world import Outcome

__all__ = ["LessonReader", "read"]


def read(memory: str) -> Habits:
    """What one acts by who has read `memory`, and knows nothing else."""
    return habits_from(memory)


class LessonReader:
    """Plays one episode. What it has read it keeps until the episode says that it begins anew (`stretch` rises)."""

    name = "lesson-reader"
    revision = 1

    def __init__(self) -> None:
        self._stretch: int | None = None
        self._text = ""
        self._lessons: list[str] = []
        self._keeper: Learner | None = None
        self._play: Play | None = None

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """The next call of a shopkeeper with the habits of the day."""
        data = observation["data"]
        if data["stretch"] != self._stretch:
            self._stretch, self._text, self._lessons, self._keeper = data["stretch"], "", [], None
        text = f"{data['support']}\n{observation.get('memory', '')}"
        if text != self._text:
            self._text = text
            self._lessons = lessons_in(text, self._lessons)
            if self._keeper is not None:
                self._keeper.habits = habits_of(self._lessons)
        return self._next(data)

    def _next(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        if self._keeper is None or self._play is None:
            habits, trusted = habits_of(self._lessons), trusted_in(self._text)
            self._keeper = Learner(habits, data["days_in_all"], day=data["day"], trusted=trusted)
            self._play = self._keeper.play(data["digest"])
            tool, args = next(self._play)
        else:
            told = Outcome(data=data["result"], error=data["error"], message=data["message"])
            tool, args = self._play.send(told)
        return {"tool": tool, "args": args}
