"""The vending world: an agent acts by tools, the night answers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from zlib import crc32

import msgspec

from memarena.errors import DataError
from memarena_aha.vending.arguments import check
from memarena_aha.vending.deliveries import arrive
from memarena_aha.vending.digest import digest
from memarena_aha.vending.endings import ending
from memarena_aha.vending.hidden import Hidden
from memarena_aha.vending.letters import SITE, deliver
from memarena_aha.vending.night import pass_night
from memarena_aha.vending.refusal import Refused
from memarena_aha.vending.rules import (
    BAD_ACTION_MINUTES,
    DAY_END,
    MALFORMED_AFTER,
    MESSAGE_CAP,
    VERSION,
)
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.state import State, Step
from memarena_aha.vending.tools import NOTEBOOK_TOOLS, TOOLS, Tool

__all__ = ["Outcome", "World"]

_KEPT_ARGS = 10_000
"""Characters of the arguments of a call that are kept in its step; longer ones cannot be valid."""


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """What a call returned: `data`, or `error` (a code) with `message`. `minutes` is what it took."""

    data: dict[str, Any] = {}
    error: str = ""
    message: str = ""
    minutes: int = 0

    @property
    def ok(self) -> bool:
        """Whether the action was done."""
        return not self.error


class _Saved(msgspec.Struct, kw_only=True):
    version: str
    scenario: Scenario
    notebook: bool
    state: State


class World:
    """One run of a scenario. `act` is all that an agent may use; `hidden` and `state` are for scores and tests.

    `notebook` gives the agent a notebook inside the world; without it a memory system is the only way to remember.
    """

    def __init__(self, scenario: Scenario, *, notebook: bool = True) -> None:
        self.scenario = scenario
        self.notebook = notebook
        self.hidden = Hidden(scenario)
        self.state = State()
        self.tools: Mapping[str, Tool] = {
            name: tool for name, tool in TOOLS.items() if notebook or name not in NOTEBOOK_TOOLS
        }
        deliver(self.state, SITE, "Welcome", self._welcome(), {"kind": "notice", "account": self.hidden.site_account})

    def act(self, tool: object, args: object = None) -> Outcome:
        """Do one action. Never raises for what an agent sends: junk costs 5 minutes and changes nothing."""
        state = self.state
        if state.ended:
            return Outcome(error="ended", message=f"the run has ended: {state.ended}")
        step = Step(day=state.day, minute=state.minute, tool=_name(tool), args=_kept(args))
        known = self.tools.get(tool) if isinstance(tool, str) else None
        outcome = self._attempt(known, tool, {} if args is None else args)
        step.error = outcome.error
        step.told = crc32(msgspec.json.encode([outcome.error, outcome.data]))
        state.steps.append(step)
        self._count(outcome)
        return outcome

    def end_day(self) -> dict[str, Any]:
        """Pass the night; returns the morning's digest, or how the run ended."""
        pass_night(self.hidden, self.state)
        reason = ending(self.scenario, self.state)
        if reason:
            self.finish(reason)
            return {"ended": reason}
        return digest(self.hidden, self.state)

    def finish(self, reason: str, failure: str = "") -> None:
        """End the run and play the days that are left without the agent; ends only once.

        `reason` is one of the modes of `endings.MODES`, `failure` what went wrong, in words.
        """
        if self.state.ended:
            return
        self.state.ended, self.state.ended_day = reason, self.state.day
        self.state.failure = failure.encode("utf-8", "replace").decode("utf-8")
        while self.state.day < self.scenario.horizon:
            pass_night(self.hidden, self.state)

    def save(self) -> bytes:
        """The run as JSON; `load` gives a world that goes on as this one would."""
        saved = _Saved(version=VERSION, scenario=self.scenario, notebook=self.notebook, state=self.state)
        return msgspec.json.encode(saved)

    @classmethod
    def load(cls, saved: bytes) -> World:
        """The world that `save` wrote; raises `DataError` for anything else, and for other rules."""
        try:
            found = msgspec.json.decode(saved, type=_Saved)
        except (msgspec.DecodeError, UnicodeDecodeError) as error:
            raise DataError(f"this is not a saved vending run: {error}") from error
        if found.version != VERSION:
            raise DataError(f"this run was saved under the rules {found.version}; these are {VERSION}")
        world = cls(found.scenario, notebook=found.notebook)
        world.state = found.state
        return world

    def describe_tools(self) -> list[dict[str, Any]]:
        """Name, description and JSON schema of each tool, as language models take them."""
        return [tool.describe() for tool in self.tools.values()]

    def _attempt(self, tool: Tool | None, name: object, args: object) -> Outcome:
        state = self.state
        try:
            if tool is None:
                raise Refused("bad_args", f"there is no tool {_name(name)!r}")
            checked = check(tool.arguments, args)
            if state.minute + tool.minutes > DAY_END:
                raise Refused("no_time", f"{tool.name} takes {tool.minutes} minutes, {DAY_END - state.minute} are left")
            data = tool.run(self, checked)
        except Refused as refused:
            return Outcome(error=refused.code, message=str(refused), minutes=self._refusal_minutes(refused.code, tool))
        return Outcome(data=data, minutes=tool.minutes)

    def _refusal_minutes(self, code: str, tool: Tool | None) -> int:
        if code == "no_time":
            return 0
        if code == "bad_args" or tool is None:
            return min(BAD_ACTION_MINUTES, DAY_END - self.state.minute)
        return tool.minutes

    def _count(self, outcome: Outcome) -> None:
        state = self.state
        bad = outcome.error == "bad_args"
        state.bad_streak = state.bad_streak + 1 if bad else 0
        state.bad_actions += bad
        if state.ended:
            return
        state.minute += outcome.minutes
        arrive(self.hidden, state)
        if state.bad_streak >= MALFORMED_AFTER:
            self.finish("malformed")
        elif len(state.steps) >= MESSAGE_CAP:
            self.finish("message_cap")

    def _welcome(self) -> str:
        return (
            f"You run a vending machine at Harbourside for {self.scenario.horizon} days with $500. Rows A and B take "
            "small products (15 a slot), rows C and D large ones (8 a slot). Find suppliers, ask for quotes, order, "
            "fill the machine and set prices. 70 % of sales are paid by card and reach the bank the next morning; the "
            "rest is cash that you collect. The site costs $2 a day; after 10 days in a row unpaid the contract ends. "
            f"You work from 08:00 to 22:00. Our invoices are paid to {self.hidden.site_account}. Harbourside Estates"
        )


def _name(tool: object) -> str:
    """The name of a tool as it can be kept and shown, whatever was sent."""
    return tool[:40].encode("utf-8", "replace").decode("utf-8") if isinstance(tool, str) else type(tool).__name__


def _kept(args: object) -> dict[str, Any]:
    """The arguments as the step keeps them: JSON of a bounded size, whatever was sent."""
    if args is None:
        return {}
    try:
        text = msgspec.json.encode(args)
        kept = msgspec.json.decode(text) if len(text) <= _KEPT_ARGS else None
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        kept = None
    return kept if isinstance(kept, dict) else {"unreadable": type(args).__name__}
