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

    def __init__(self) -> None:
        self._agent: Agent | None = None

    def begin(self, context: PlayContext) -> None:
        """Become the agent of the part; raises UsageError where it has none of this name."""
        if context.part not in self.players:
            raise UsageError(f"the agent {self.name} does not play {context.part}, only {', '.join(self.players)}")
        module, _, make = self.players[context.part].partition(":")
        self._agent = getattr(import_module(module), make)(context)

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """What the agent of the part does; where it is asked for words, what its `reflect` says, or nothing."""
        assert self._agent is not None, "begin comes first"
        if observation["data"].get("reflect"):
            reflect = getattr(self._agent, "reflect", None)
            return {"text": reflect(observation) if reflect is not None else ""}
        return self._agent.act(observation, tools)


class LessonReader(_ByPart):
    """Acts by the lessons that it reads in its memory, and by nothing else."""

    name = "lesson-reader"
    players: ClassVar = {
        "puzzle": "memarena_aha.agents.players:puzzle_reader",
        "euler": "memarena_aha.agents.players:euler_reader",
        "vending": "memarena_aha.agents.players:vending_reader",
    }


class Oracle(_ByPart):
    """Knows the hidden truth: the reference for what can be reached."""

    name = "oracle"
    privileged = True
    players: ClassVar = {"vending": "memarena_aha.agents.players:vending_oracle"}


class Careful(_ByPart):
    """Does what a careful person would, from what it is shown alone."""

    name = "careful"
    players: ClassVar = {"vending": "memarena_aha.agents.players:vending_careful"}


class Naive(_ByPart):
    """Does the next best thing, and trusts everybody."""

    name = "naive"
    players: ClassVar = {"vending": "memarena_aha.agents.players:vending_naive"}


class Idle(_ByPart):
    """Does nothing at all."""

    name = "idle"
    players: ClassVar = {"vending": "memarena_aha.agents.players:vending_idle"}
