"""The vending world in the shape of a Gymnasium environment; it needs no library."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from memarena.errors import UsageError
from memarena_aha.vending.equity import equity
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.world import World

__all__ = ["VendingEnvironment"]


class VendingEnvironment:
    """`reset` and `step` as Gymnasium defines them.

    An action is `{"tool": name, "args": {...}}`; anything else is an action that cannot be read. An observation is
    `{"day", "minute", "error", "message", "data"}`. The reward is the change of equity in cents, so the rewards of an
    episode add up to its net profit. An episode is truncated by the cap on calls, and otherwise terminates.
    """

    def __init__(self, scenario: Scenario, *, notebook: bool = False) -> None:
        self.scenario = scenario
        self.notebook = notebook
        self.world = World(scenario, notebook=notebook)
        self._equity = equity(self.world.state)

    def reset(
        self, *, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start anew, with another seed where one is given; `options` may hold `horizon` and `variant`.

        Raises `UsageError` for any other option.
        """
        changes: dict[str, Any] = {} if seed is None else {"seed": seed}
        for name, value in (options or {}).items():
            if name not in ("horizon", "variant"):
                raise UsageError(f"no option {name!r}; there are horizon and variant")
            changes[name] = value
        self.scenario = msgspec.structs.replace(self.scenario, **changes)
        self.world = World(self.scenario, notebook=self.notebook)
        self._equity = equity(self.world.state)
        welcome = self.world.state.inbox[0].body
        return self._observe({"welcome": welcome}), {"tools": self.world.describe_tools(), "instance": self.scenario.id}

    def step(self, action: object) -> tuple[dict[str, Any], int, bool, bool, dict[str, Any]]:
        """Do one action: observation, reward, terminated, truncated, info."""
        tool, args = (action.get("tool"), action.get("args")) if isinstance(action, Mapping) else (None, None)
        outcome = self.world.act(tool, args)
        before, self._equity = self._equity, equity(self.world.state)
        ended = self.world.state.ended
        observation = self._observe(outcome.data, outcome.error, outcome.message)
        truncated = ended == "message_cap"
        info = {"minutes": outcome.minutes, "ended": ended}
        return observation, self._equity - before, bool(ended) and not truncated, truncated, info

    def _observe(self, data: dict[str, Any], error: str = "", message: str = "") -> dict[str, Any]:
        state = self.world.state
        return {"day": state.day, "minute": state.minute, "error": error, "message": message, "data": data}
