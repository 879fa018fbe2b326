"""Agents without a model, by their entry points."""

from __future__ import annotations

from importlib import import_module

import pytest
from agents_model import play

from memarena import catalog
from memarena.errors import UsageError
from memarena_aha.agents.context import PlayContext
from memarena_aha.vending import PART
from memarena_aha.vending.play import play_policy
from memarena_aha.vending.scenario import Scenario

_NAMES = ("careful", "codex", "command", "idle", "lesson-reader", "llm", "naive", "openclaw", "oracle")


def test_all_agents_are_listed_and_can_be_loaded() -> None:
    found = {row.name: row for row in catalog.entries("agents") if row.distribution == "memarena-aha"}
    assert set(found) == set(_NAMES)
    for name, row in found.items():
        cls = row.load()
        assert (cls.name, cls.revision) == (name, 1)
        assert callable(cls.act)


@pytest.mark.parametrize(
    ("name", "policy"),
    [("oracle", "oracle"), ("careful", "careful"), ("naive", "naive-pays-all-mail"), ("idle", "do-nothing")],
)
def test_a_scripted_agent_plays_vending_as_its_policy_does(name: str, policy: str) -> None:
    (pair,) = PART.pairs(0, 1, {"horizon": 30})
    episode = pair.evaluate("")
    cls = catalog.load("agents", name)
    agent = cls()
    agent.begin(PlayContext(part="vending", episode=episode if getattr(cls, "privileged", False) else None))
    play(agent, episode)
    alone = play_policy(policy, Scenario(seed=pair.instance["seed"], horizon=30))
    assert episode.world.save() == alone.save()  # type: ignore[attr-defined]


def test_the_reader_goes_by_the_memory_it_is_shown() -> None:
    (pair,) = PART.pairs(0, 1, {})
    scores = []
    for memory in ("", pair.gold):
        episode = pair.evaluate("")
        agent = catalog.load("agents", "lesson-reader")()
        agent.begin(PlayContext(part="vending"))
        play(agent, episode, memory)
        scores.append(episode.score().score)
    assert scores[1] > scores[0] + 20


@pytest.mark.parametrize("part", ["euler", "puzzle", "vending"])
def test_in_every_part_the_oracle_is_best_and_all_of_them_play_to_an_end(part: str) -> None:
    made = import_module(f"memarena_aha.{part}").PART
    (pair,) = made.pairs(0, 1, {"horizon": 30} if part == "vending" else {})
    scores = {}
    for name in ("oracle", "careful", "naive", "idle", "lesson-reader"):
        episode, cls = pair.evaluate(""), catalog.load("agents", name)
        agent = cls()
        agent.begin(PlayContext(part=part, episode=episode if getattr(cls, "privileged", False) else None))
        play(agent, episode, most=5_000)
        assert episode.ended, name
        scores[name] = episode.score().score
    assert scores["oracle"] == max(scores.values()) > 80


def test_asked_for_words_a_scripted_agent_has_none() -> None:
    agent = catalog.load("agents", "careful")()
    agent.begin(PlayContext(part="vending"))
    assert agent.act({"text": "What did you learn?", "data": {"reflect": True}, "memory": ""}, ()) == {"text": ""}


def test_a_part_that_an_agent_does_not_play_is_named() -> None:
    agent = catalog.load("agents", "careful")()
    with pytest.raises(UsageError, match=r"careful does not play chess, only .*vending"):
        agent.begin(PlayContext(part="chess"))
