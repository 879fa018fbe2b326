"""An agent at work in one episode: in this process, or in one of its own that can be stopped."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from time import monotonic
from typing import Any, Protocol

import msgspec

from memarena import catalog, codec
from memarena.catalog import Entry
from memarena.childprocess import ChildProcess, ProcessEnded, TimeLimit
from memarena.errors import ModelError, first_line, is_ctrl_c
from memarena.hosted import child_environment
from memarena.records import Record
from memarena_aha.agents.context import PlayContext
from memarena_aha.suite.rules import Limits

__all__ = ["AgentCrashed", "AgentHung", "Agents", "Player"]

START_SECONDS = 120.0
"""For the start of an agent's own process."""


class AgentCrashed(Exception):
    """The agent raised, or its process ended."""


class AgentHung(Exception):
    """The agent took longer than it may."""


class Player(Protocol):
    """One instance of an agent, for one episode."""

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Any:
        """Its next action; raises AgentCrashed, AgentHung, and ModelError where its model cannot be used at all."""
        ...

    def close(self) -> None: ...


class Agents:
    """Makes the players of a run, all of one agent."""

    def __init__(self, entry: Entry, options: Mapping[str, Any], limits: Limits, *, apart: bool | None = None) -> None:
        self.entry = entry
        self.options = options
        self.limits = limits
        self.cls = entry.load()
        self.privileged = bool(getattr(self.cls, "privileged", False))
        """It is shown the episode itself, so it plays in this process."""
        self.apart = not self.privileged and (not getattr(self.cls, "in_process", False) if apart is None else apart)
        """Each player has a process of its own."""
        made = catalog.make(self.cls, options, who=str(entry))
        self.prompts = dict(getattr(made, "prompt_hashes", {}))
        """Hashes of the prompts that it works with, by name."""
        self.held_by: str | None = made.held_by() if hasattr(made, "held_by") else None
        """What holds a program that plays; None: it is none."""

    def start(self, context: PlayContext, episode: object) -> Player:
        """A fresh agent for `episode`."""
        if self.apart:
            return _Apart(self, context)
        return _Inside(self, msgspec.structs.replace(context, episode=episode) if self.privileged else context)


class _Inside:
    """An agent in this process: a hang is seen once it is over."""

    def __init__(self, agents: Agents, context: PlayContext) -> None:
        self._limits = agents.limits
        self._until = monotonic() + agents.limits.episode
        self._agent: Any = None
        self._agents = agents
        self._context = context

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Any:
        start = monotonic()
        try:
            if self._agent is None:
                made = catalog.make(self._agents.cls, self._agents.options, who=str(self._agents.entry))
                self._agent = _begun(made, self._context)
            action = self._agent.act(observation, tools)
        except ModelError:
            raise
        except TimeLimit as error:
            raise AgentHung(str(error)) from None
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            raise AgentCrashed(first_line(error)) from error
        _in_time(start, self._until, self._limits)
        return action

    def close(self) -> None:
        _ended(self._agent)


class _Request(Record, frozen=True, kw_only=True):
    id: int
    method: str
    params: Any


class Reply(Record, frozen=True, kw_only=True):
    """What the process of an agent answers."""

    id: int
    action: Any = None
    kind: str = ""
    """The error that was raised; "" where none was."""
    message: str = ""


class _Apart:
    """An agent in a process of its own, which is killed where it hangs."""

    def __init__(self, agents: Agents, context: PlayContext) -> None:
        self._limits = agents.limits
        self._until = monotonic() + agents.limits.episode
        self._number = 0
        self._child: ChildProcess | None = None
        named = {"target": agents.entry.selector, "options": agents.options, "place": str(Path.cwd())}
        self._greeting = {**named, "context": context}

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Any:
        start = monotonic()
        if self._child is None:
            command = [sys.executable, "-m", "memarena_aha.suite.agent_process"]
            self._child = ChildProcess(command, child_environment(None))
            self._ask("begin", self._greeting, START_SECONDS)
            start = monotonic()
        left = min(self._limits.step, self._until - start)
        action = self._ask("act", {"observation": observation, "tools": list(tools)}, max(left, 0.001))
        _in_time(start, self._until, self._limits)
        return action

    def _ask(self, method: str, params: Any, seconds: float) -> Any:
        assert self._child is not None
        self._number += 1
        found: list[Reply] = []

        def is_answer(line: bytes) -> bool:
            try:
                found[:] = [msgspec.json.decode(line, type=Reply)]
            except msgspec.MsgspecError:
                return False
            return found[0].id == self._number

        try:
            self._child.ask(codec.encode(_Request(id=self._number, method=method, params=params)), seconds, is_answer)
        except TimeLimit as error:
            raise AgentHung(str(error)) from None
        except ProcessEnded as error:
            raise AgentCrashed(str(error)) from None
        reply = found[0]
        if reply.kind == "ModelError":
            raise ModelError(reply.message)
        if reply.kind == "TimeLimit":
            raise AgentHung(reply.message)
        if reply.kind:
            raise AgentCrashed(f"{reply.kind}: {reply.message}")
        return reply.action

    def close(self) -> None:
        if self._child is not None:
            self._child.close()


def _in_time(start: float, until: float, limits: Limits) -> None:
    now = monotonic()
    if now - start > limits.step:
        raise AgentHung(f"no action within {limits.step:g} s")
    if now > until:
        raise AgentHung(f"the episode took more than {limits.episode:g} s")


def _begun(agent: Any, context: PlayContext) -> Any:
    """`agent`, told what it is going to play where it wants to know."""
    if hasattr(agent, "begin"):
        agent.begin(context)
    return agent


def _ended(agent: Any) -> None:
    close = getattr(agent, "close", None)
    if close is not None:
        try:
            close()
        except Exception:
            # Its episode is over and recorded: what it raises while it lets go changes nothing.
            return
