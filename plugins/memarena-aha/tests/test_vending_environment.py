"""The environment for agents that speak Gymnasium's language."""

from __future__ import annotations

import json

import pytest

from memarena.errors import UsageError
from memarena_aha.vending import Outcome, Scenario
from memarena_aha.vending.environment import VendingEnvironment
from memarena_aha.vending.policies import policy
from memarena_aha.vending.scoring import profit


def test_the_rewards_of_an_episode_add_up_to_its_profit() -> None:
    environment = VendingEnvironment(Scenario(seed=2, horizon=30))
    environment.reset()
    play = policy("careful", environment.world)
    tool, args = next(play)
    total = 0
    while True:
        observation, reward, terminated, truncated, info = environment.step({"tool": tool, "args": args})
        assert not truncated
        total += reward
        if terminated:
            break
        told = Outcome(data=observation["data"], error=observation["error"], minutes=info["minutes"])
        tool, args = play.send(told)
    assert total == profit(environment.world.state)


def test_reset_takes_a_seed_a_horizon_and_a_variant_and_nothing_else() -> None:
    environment = VendingEnvironment(Scenario(seed=2))
    observation, info = environment.reset(seed=4, options={"horizon": 30, "variant": "calm"})
    assert environment.scenario == Scenario(seed=4, horizon=30, variant="calm")
    assert "You run a vending machine" in observation["data"]["welcome"]
    assert info["instance"] == environment.scenario.id
    assert {tool["name"] for tool in info["tools"]} >= {"end_day", "place_order"}
    assert "write_note" not in {tool["name"] for tool in info["tools"]}
    with pytest.raises(UsageError, match="no option 'weather'"):
        environment.reset(options={"weather": "fine"})


def test_an_action_of_the_wrong_shape_is_answered_and_never_raises() -> None:
    environment = VendingEnvironment(Scenario(seed=2, horizon=30))
    environment.reset()
    for action in (None, 3, "end_day", {"tool": "end_day", "args": []}, {"name": "end_day"}):
        observation, reward, terminated, truncated, _ = environment.step(action)
        assert (observation["error"], reward, terminated, truncated) == ("bad_args", 0, False, False)


def test_the_gymnasium_environment_passes_gymnasiums_own_check_and_ends_an_episode() -> None:
    pytest.importorskip("gymnasium")
    from gymnasium.utils.env_checker import check_env

    from memarena_aha.vending.gym import GymVending

    environment = GymVending(Scenario(seed=2, horizon=30))
    check_env(environment, skip_render_check=True)
    observation, _ = environment.reset(seed=3)
    assert json.loads(observation)["day"] == 0
    assert json.loads(environment.step("no JSON")[0])["error"] == "bad_args"
    ended = [environment.step('{"tool": "end_day"}')[2] for _ in range(30)]
    assert ended == [False] * 29 + [True]
