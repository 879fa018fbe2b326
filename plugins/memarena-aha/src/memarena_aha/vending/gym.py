"""The vending world as a `gymnasium.Env`; needs the extra `memarena-aha[gymnasium]`.

Actions and observations are JSON texts, because no fixed space holds a letter to a supplier.
"""

from __future__ import annotations

import json
import string
from typing import Any

import gymnasium
from gymnasium import spaces

from memarena_aha.vending.environment import VendingEnvironment
from memarena_aha.vending.scenario import Scenario

__all__ = ["GymVending"]

_LONGEST_ACTION, _LONGEST_OBSERVATION = 10_000, 200_000


class GymVending(gymnasium.Env[str, str]):
    """`VendingEnvironment` with texts: an action is the JSON of `{"tool": name, "args": {...}}`.

    A text that is no JSON is an action that cannot be read. The reward is in cents.
    """

    metadata = {"render_modes": []}  # noqa: RUF012 - Gymnasium's own declaration

    def __init__(self, scenario: Scenario | None = None, *, notebook: bool = False) -> None:
        self.inner = VendingEnvironment(scenario or Scenario(seed=0), notebook=notebook)
        self.action_space = spaces.Text(_LONGEST_ACTION, charset=string.printable)
        self.observation_space = spaces.Text(_LONGEST_OBSERVATION, charset=string.printable)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[str, dict[str, Any]]:
        """As `VendingEnvironment.reset`."""
        super().reset(seed=seed)
        observation, info = self.inner.reset(seed=seed, options=options)
        return json.dumps(observation), info

    def step(self, action: str) -> tuple[str, float, bool, bool, dict[str, Any]]:
        """As `VendingEnvironment.step`."""
        try:
            call = json.loads(action)
        except (ValueError, TypeError, RecursionError):
            call = None
        observation, reward, terminated, truncated, info = self.inner.step(call)
        return json.dumps(observation), float(reward), terminated, truncated, info
