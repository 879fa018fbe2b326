"""Agents without a model, under one name in all parts: each part has its own way to be an oracle, careful, or idle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar

from memarena.errors import UsageError
from memarena.protocols import Agent
from memarena_aha.agents.context import PlayContext

__all__ = ["Careful", "Idle", "LessonReader", "Naive", "Oracle"]


class _ByPart:
    """Plays what its part has under `name`: `module:function`, which makes an agent of a PlayContext."""

    name: ClassVar[str]
    revision = 1
    in_process = True
    """It is this package's own and cannot hang: no process of its own."""
    players: ClassVar[Mapping[str, str]]
    reflects: ClassVar[frozenset[str]] = frozenset()
    """Parts whose agent has words where it is asked for them."""

    def __init__(self) -> None:
        self._agent: Agent | None = None
        self._reflects = False

    def begin(self, context: PlayContext) -> None:
        """Become the agent of the part; raises UsageError where it has none of this name."""
        if context.part not in self.players:
            raise UsageError(f"the agent {self.name} does not play {context.part}, only {', '.join(self.players)}")
        module, _, make = self.players[context.part].partition(":")
        self._agent = getattr(import_module(module), make)(context)
        self._reflects = context.part in self.reflects

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """What the agent of the part does; one that does not reflect says nothing where it is asked for words."""
        assert self._agent is not None, "begin comes first"
        if observation["data"].get("reflect") and not self._reflects:
            return {"text": ""}
        return self._agent.act(observation, tools)


class LessonReader(_ByPart):
    """Acts by the lessons that it reads in its memory, and by nothing else."""

    name = "lesson-reader"
    reflects = frozenset({"euler", "puzzle"})
    players: ClassVar = {
        "euler": "memarena_aha.agents.players:euler_reader",
        "puzzle": "memarena_aha.agents.players:puzzle_reader",
        "vending": "memarena_aha.agents.players:vending_reader",
    }


class Oracle(_ByPart):
    """Knows the hidden truth: the reference for what can be reached."""

    name = "oracle"
    privileged = True
    players: ClassVar = {
        "euler": "memarena_aha.agents.players:euler_oracle",
        "puzzle": "memarena_aha.agents.players:puzzle_oracle",
        "vending": "memarena_aha.agents.players:vending_oracle",
    }


class Careful(_ByPart):
    """Does what a careful person would, from what it is shown alone."""

    name = "careful"
    players: ClassVar = {
        "euler": "memarena_aha.agents.players:euler_careful",
        "puzzle": "memarena_aha.agents.players:puzzle_careful",
        "vending": "memarena_aha.agents.players:vending_careful",
    }


class Naive(_ByPart):
    """Does the next best thing, and trusts everybody."""

    name = "naive"
    players: ClassVar = {
        "euler": "memarena_aha.agents.players:euler_naive",
        "puzzle": "memarena_aha.agents.players:puzzle_naive",
        "vending": "memarena_aha.agents.players:vending_naive",
    }


class Idle(_ByPart):
    """Does nothing at all."""

    name = "idle"
    players: ClassVar = {
        "euler": "memarena_aha.agents.players:euler_idle",
        "puzzle": "memarena_aha.agents.players:puzzle_idle",
        "vending": "memarena_aha.agents.players:vending_idle",
    }
