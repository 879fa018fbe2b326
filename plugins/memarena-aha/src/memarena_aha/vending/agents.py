"""Play with an agent of the group `memarena.agents`, and score its failures as the rules say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memarena.errors import first_line, is_ctrl_c
from memarena.protocols import Agent
from memarena_aha.vending.environment import VendingEnvironment
from memarena_aha.vending.policies import Play
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.world import Outcome, World

__all__ = ["PolicyAgent", "play_agent"]


class PolicyAgent:
    """A scripted policy in the shape of an agent: it takes observations and returns actions."""

    revision = 1

    def __init__(self, name: str, play: Play) -> None:
        self.name = name
        self._play = play
        self._begun = False

    def act(self, observation: Mapping[str, Any], tools: object) -> dict[str, Any]:
        """The next call of the policy."""
        if self._begun:
            told = Outcome(data=observation["data"], error=observation["error"], message=observation["message"])
            tool, args = self._play.send(told)
        else:
            tool, args = next(self._play)
            self._begun = True
        return {"tool": tool, "args": args}


def play_agent(agent: Agent, scenario: Scenario, *, notebook: bool = False) -> World:
    """The finished world of an agent.

    An action is `{"tool": name, "args": {...}}`. `{"refusal": text}` ends the run as `refusal`, an exception of the
    agent as `crash`; the days that are left are then played without it.
    """
    environment = VendingEnvironment(scenario, notebook=notebook)
    observation, info = environment.reset()
    world = environment.world
    while not world.state.ended:
        try:
            action: object = agent.act(observation, info["tools"])
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            world.finish("crash", first_line(error)[:500])
            break
        if isinstance(action, Mapping) and "refusal" in action:
            world.finish("refusal", str(action["refusal"])[:500])
            break
        observation, *_ = environment.step(action)
    return world
