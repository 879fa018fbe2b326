"""The agent that is a model: what it sends, what it makes of replies, and what it never does."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import pytest
from agents_model import Model, play, says, serving

from memarena.errors import ModelError
from memarena.modelclient import ModelCallFailed
from memarena_aha.agents.context import PlayContext
from memarena_aha.agents.conversation import Conversation
from memarena_aha.agents.llm import LlmAgent, LlmOptions
from memarena_aha.agents.prompts import prompt_hash, prompts
from memarena_aha.euler import PART as NUMBERS
from memarena_aha.puzzle import PART as PUZZLES
from memarena_aha.vending import PART
from memarena_aha.vending.episode import VendingEpisode
from memarena_aha.vending.scenario import Scenario

SEEN = {"text": "You see a door.", "data": {}}
TOOL = {"name": "open", "description": "Open it.", "parameters": {"type": "object", "properties": {}}}


@pytest.fixture
def model() -> Iterator[Model]:
    with serving() as found:
        yield found


def agent_of(model: Model, **options: int) -> LlmAgent:
    agent = LlmAgent(LlmOptions(**options))
    agent.begin(PlayContext(part="vending", seed=7, model=model.endpoint))
    return agent


def test_a_call_becomes_an_action_and_the_next_request_shows_what_came_of_it(model: Model) -> None:
    model.script = lambda body: says("open", '{"how": "slowly"}')
    agent = agent_of(model)
    assert agent.act({**SEEN, "memory": ""}, [TOOL]) == {"tool": "open", "args": {"how": "slowly"}}
    agent.act({"text": "It is open.", "data": {}, "memory": ""}, [TOOL])
    roles = [message["role"] for message in model.bodies[1]["messages"]]
    assert roles == ["system", "user", "assistant", "tool", "user"]
    assert model.bodies[1]["messages"][3]["content"] == "It is open."
    assert (model.bodies[1]["temperature"], model.bodies[1]["seed"]) == (0, 7)


def test_requests_of_two_arms_differ_in_the_block_of_memory_alone(model: Model) -> None:
    model.script = lambda body: says("open", "{}")
    bodies = []
    for memory in ("", "Doors open inwards."):
        agent = agent_of(model)
        for text in ("You see a door.", "It is open."):
            agent.act({"text": text, "data": {}, "memory": memory}, [TOOL])
        bodies.append(model.bodies[-1])
    empty, full = (json.dumps(body) for body in bodies)
    block = json.dumps(prompts().memory_block("Doors open inwards."))
    assert empty == full.replace(block, json.dumps(prompts().memory_block("")))
    assert full.count("Doors open inwards.") == 1


@pytest.mark.parametrize(
    ("message", "action"),
    [
        (says("open", "{oops"), {"tool": "open", "args": "{oops"}),
        (says("open", ""), {"tool": "open", "args": {}}),
        ({"content": "I would like to wait."}, {"text": "I would like to wait."}),
        ({"content": "I'm sorry, but I can't help with that."}, {"refusal": "I'm sorry, but I can't help with that."}),
        ({"content": "I cannot do that."}, {"refusal": "I cannot do that."}),
        ({"content": None}, {"text": ""}),
    ],
)
def test_what_the_model_says_is_given_on_as_it_is(model: Model, message: Any, action: Any) -> None:
    model.script = lambda body: message
    assert agent_of(model).act({**SEEN, "memory": ""}, [TOOL]) == action


def test_unreadable_calls_cost_time_and_end_the_run_as_malformed(model: Model) -> None:
    model.script = lambda body: says("sell_everything", "{oops")
    episode = VendingEpisode(Scenario(seed=1, horizon=30))
    assert len(play(agent_of(model), episode)) == 25
    assert episode.ended == "malformed"


def test_of_several_calls_in_one_reply_only_the_first_is_made(model: Model) -> None:
    two = {"content": None, "tool_calls": [says("open", "{}")["tool_calls"][0], says("shut", "{}")["tool_calls"][0]]}
    model.script = lambda body: two
    agent = agent_of(model)
    assert agent.act({**SEEN, "memory": ""}, [TOOL])["tool"] == "open"
    agent.act({**SEEN, "memory": ""}, [TOOL])
    assert [len(m["tool_calls"]) for m in model.bodies[1]["messages"] if m["role"] == "assistant"] == [1]


def test_the_conversation_keeps_its_first_message_and_the_newest_within_its_budget() -> None:
    conversation = Conversation(60)
    conversation.see("the beginning")
    for number in range(20):
        conversation.call("open", "{}")
        conversation.see(f"answer {number} " + "x " * 10)
    texts = [message["content"] for message in conversation.messages()]
    assert texts[0] == "the beginning"
    assert texts[-1].startswith("answer 19")
    assert 3 <= len(texts) < 20
    roles = [message["role"] for message in conversation.messages()]
    assert roles == ["user", *["assistant", "tool"] * ((len(roles) - 1) // 2)]


def test_where_the_episode_begins_anew_the_conversation_does_too(model: Model) -> None:
    model.script = lambda body: says("open", "{}")
    agent = agent_of(model)
    for stretch in (0, 0, 1):
        agent.act({"text": f"week {stretch}", "data": {"stretch": stretch}, "memory": ""}, [TOOL])
    assert [len(body["messages"]) for body in model.bodies] == [3, 5, 3]
    assert model.bodies[2]["messages"][1]["content"] == "week 1"


def test_asked_for_words_it_gives_words_and_needs_no_tool(model: Model) -> None:
    model.script = lambda body: {"content": "Doors open inwards." if not body.get("tools") else "?"}
    agent = agent_of(model)
    agent.act({**SEEN, "memory": ""}, [TOOL])
    asked = {"text": "What will you remember?", "data": {"reflect": True}, "memory": ""}
    assert agent.act(asked, ()) == {"text": "Doors open inwards."}
    assert model.bodies[-1]["messages"][0]["content"] == prompts().reflect.strip()


def test_the_same_play_sends_the_same_bytes(model: Model) -> None:
    runs = []
    for _ in range(2):
        start = len(model.bodies)
        (pair,) = PART.pairs(0, 1, {"horizon": 30})
        play(agent_of(model), pair.evaluate(""), pair.gold, most=40)
        runs.append(json.dumps(model.bodies[start:]))
    assert runs[0] == runs[1]


def test_the_offline_model_runs_a_month_and_better_with_lessons_than_without(model: Model) -> None:
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    scores = []
    for gold in (False, True):
        (pair,) = PART.pairs(0, 1, {"horizon": 30})
        episode = pair.evaluate("")
        play(agent_of(model), episode, pair.gold if gold else "")
        assert episode.ended == "horizon"
        score = episode.score()
        assert score.raw["bad_actions"] == 0
        assert score.raw["units_sold"] > 50  # type: ignore[operator]
        scores.append(score.score)
    assert scores[1] > scores[0]


@pytest.mark.parametrize("host", ["structured", "free"])
def test_the_offline_model_sweeps_a_puzzle_where_its_memory_says_so(model: Model, host: str) -> None:
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    (pair,) = PUZZLES.pairs(0, 1, {"host": host})
    asked = []
    for memory in ("", pair.gold):
        episode = pair.evaluate("")
        actions = play(agent_of(model), episode, memory)
        assert episode.ended in ("solved", "wrong")
        assert actions[-1]["tool"] == "solve"
        asked.append(len(actions) - 1)
    assert asked == ([2, 8] if host == "structured" else [2, 5])


def test_of_numbers_the_offline_model_knows_nothing(model: Model) -> None:
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    (pair,) = NUMBERS.pairs(0, 1, {})
    episode = pair.evaluate("")
    assert [action["tool"] for action in play(agent_of(model), episode)] == ["abstain"]


def test_without_a_model_it_says_which_flag_is_missing() -> None:
    with pytest.raises(ModelError, match="--model"):
        LlmAgent().begin(PlayContext(part="vending"))


def test_a_model_that_is_gone_is_no_action_of_the_agent() -> None:
    with serving() as found:
        agent = agent_of(found)
    with pytest.raises(ModelCallFailed):
        agent.act({**SEEN, "memory": ""}, [TOOL])


def test_prompts_have_a_hash_that_runs_are_compared_by() -> None:
    assert LlmAgent().prompt_hashes == {"agent": prompt_hash()}
    assert len(prompt_hash()) == 12
