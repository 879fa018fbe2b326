"""An episode takes whatever an agent sends: it is told, it costs what it costs, and it changes nothing else."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memarena_aha.vending.episode import WEEK, VendingEpisode
from memarena_aha.vending.equity import equity
from memarena_aha.vending.scenario import Scenario
from memarena_aha.vending.state import Mail
from memarena_aha.vending.tools import TOOLS

_WORDS = st.text(max_size=30) | st.sampled_from(
    ["P01", "S1", "A1", "Q0001", "AC-12345678", "\ud800", "\x00", "x" * 500]
)
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**30), 10**30) | st.floats() | _WORDS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_WORDS, inner, max_size=4),
    max_leaves=8,
)
_NAMES = st.sampled_from([*TOOLS, "sell", "", "end_day"])
_ACTIONS = st.one_of(
    _JSON,
    st.fixed_dictionaries({"tool": _NAMES, "args": _JSON}),
    st.fixed_dictionaries({"tool": _JSON, "args": _JSON}),
    st.fixed_dictionaries({"text": _WORDS}),
    st.just({"tool": "end_day", "args": {}}),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(_ACTIONS, max_size=40))
def test_whatever_is_sent_the_episode_goes_on_and_tells_of_it_in_text_that_can_be_kept(actions: list[Any]) -> None:
    episode = VendingEpisode(Scenario(seed=2, horizon=30))
    for action in actions:
        before, ended = episode.world.state.bank, bool(episode.ended)
        step = episode.act(action)
        if ended:
            assert (step.said, step.bad) == ((), False)
            continue
        for said in step.said:
            said.text.encode("utf-8")
            assert len(said.text) < 20_000
        if step.bad:
            assert episode.world.state.bank == before or episode.ended
        state = episode.world.state
        assert state.bank >= 0
        assert state.bank == 50_000 + sum(entry.amount for entry in state.ledger)
        json.dumps(episode.observe())
        assert episode.observe() == episode.observe()
        episode.query().encode("utf-8")
    episode.finish("quit")
    assert 0 <= episode.score().score <= 100
    assert episode.score().raw["profit"] == equity(episode.world.state) - 50_000


@settings(max_examples=20, deadline=None)
@given(st.lists(_ACTIONS, max_size=25))
def test_the_same_actions_lead_to_the_same_bytes(actions: list[Any]) -> None:
    runs = []
    for _ in range(2):
        episode = VendingEpisode(Scenario(seed=2, horizon=30))
        steps = [episode.act(action) for action in actions]
        runs.append((repr(steps), json.dumps(episode.observe()), episode.query(), episode.world.save()))
    assert runs[0] == runs[1]


def test_a_session_ends_after_each_week_and_with_the_run() -> None:
    episode = VendingEpisode(Scenario(seed=2, horizon=30))
    over = [episode.act({"tool": "end_day", "args": {}}).session_over for _ in range(30)]
    assert [day for day, ends in enumerate(over, 1) if ends] == [WEEK, 2 * WEEK, 3 * WEEK, 4 * WEEK, 30]


def test_the_query_stays_the_same_for_a_day_and_names_open_mail_without_numbers() -> None:
    episode = VendingEpisode(Scenario(seed=2, horizon=30))
    assert episode.query().startswith("Which lesson matters today? Monday, ")
    episode.act({"tool": "request_quote", "args": {"supplier_id": "S1"}})
    episode.act({"tool": "end_day", "args": {}})
    morning = episode.query()
    assert "Tuesday" in morning
    assert "Open mail: Welcome; Quote." in morning
    assert not any(character.isdigit() for character in morning)
    episode.act({"tool": "read_email", "args": {"id": "M0001"}})
    assert episode.query() == morning


def test_a_complaint_and_a_notice_stand_in_the_query_of_their_day() -> None:
    episode = VendingEpisode(Scenario(seed=2, horizon=30))
    world = episode.world
    world.state.inbox.append(
        Mail(id="M0002", day=0, sender="x", subject="URGENT: invoice I7777", body="", attachment={})
    )
    world.state.bank = 0
    episode.act({"tool": "end_day", "args": {}})
    assert "URGENT: invoice" in episode.query()
    assert "the daily fee is unpaid for" in episode.query()


@pytest.mark.parametrize("text", ["I can't help with that.", ""])
def test_a_refusal_ends_the_episode_as_one(text: str) -> None:
    episode = VendingEpisode(Scenario(seed=2, horizon=30))
    step = episode.act({"refusal": text})
    assert (episode.ended, step.session_over) == ("refusal", True)
    assert episode.score().raw["failure"] == text
    assert episode.world.state.day == 30


def test_the_first_observation_briefs_and_the_later_ones_say_what_came_of_the_call() -> None:
    episode = VendingEpisode(Scenario(seed=2, horizon=30))
    first = episode.observe()["text"]
    assert "You run a vending machine" in first
    assert first.endswith("Day 0 of 30 (Mon), 08:00, 840 minutes left. Bank $500.00.")
    episode.act({"tool": "get_storage", "args": {}})
    later = episode.observe()["text"]
    assert later == "In storage: nothing.\n\nDay 0 of 30 (Mon), 08:05, 835 minutes left. Bank $500.00."
