"""Agents from outside: what they do counts, also when they fail."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from memarena_aha.vending import Scenario, World
from memarena_aha.vending.agents import PolicyAgent, play_agent
from memarena_aha.vending.play import play_policy
from memarena_aha.vending.policies import policy

_SCENARIO = Scenario(seed=4, horizon=30)


class _Agent:
    """Ends two days, then does what it was made for."""

    name = "test"
    revision = 1

    def __init__(self, last: object) -> None:
        self.last = last
        self.days = 0

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Any:
        self.days += 1
        if self.days <= 2:
            return {"tool": "end_day"}
        if isinstance(self.last, BaseException):
            raise self.last
        return self.last


def test_a_policy_as_an_agent_plays_as_the_policy_does() -> None:
    agent = PolicyAgent("careful", policy("careful", World(_SCENARIO, notebook=False)))
    assert play_agent(agent, _SCENARIO).save() == play_policy("careful", _SCENARIO).save()


@pytest.mark.parametrize(
    ("last", "ended"),
    [
        (ValueError("no"), "crash"),
        (SystemExit(1), "crash"),
        ({"refusal": "I cannot help with that."}, "refusal"),
        ({"tool": "quit"}, "quit"),
        ("sell everything", "malformed"),
        (None, "malformed"),
    ],
)
def test_a_failing_agent_ends_on_its_day_and_the_month_is_played_to_the_end(last: object, ended: str) -> None:
    world = play_agent(_Agent(last), _SCENARIO)
    assert (world.state.ended, world.state.ended_day, world.state.day) == (ended, 2, 30)
    assert len(world.state.sales) == 30
    assert bool(world.state.failure) == (ended in ("crash", "refusal"))


def test_ctrl_c_is_the_persons_and_not_the_agents() -> None:
    with pytest.raises(KeyboardInterrupt):
        play_agent(_Agent(KeyboardInterrupt()), _SCENARIO)
