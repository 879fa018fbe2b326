"""One play of a task: what costs, what ends it, and what it is worth."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena_aha.euler import sandbox
from memarena_aha.euler.episode import EulerEpisode
from memarena_aha.euler.graph_tasks import graph_task
from memarena_aha.euler.register import family
from memarena_aha.euler.single import single_task

SINGLE = single_task(family("F09"), 2, 0, "code")
GRAPH = graph_task(2, 1, 3, "code")
needs_bubblewrap = pytest.mark.skipif(bool(sandbox.problem()), reason=sandbox.problem() or "it runs")


def answer(value: object, **more: Any) -> dict[str, Any]:
    return {"tool": "answer", "args": {"value": value, **more}}


def played(*actions: object, track: Any = "closed", task: Any = SINGLE) -> EulerEpisode:
    episode = EulerEpisode(task, track)
    for action in actions:
        episode.act(action)
    return episode


@pytest.mark.parametrize("form", [str, int, lambda value: f"{value:,}", lambda value: f"+{value}"])
def test_the_exact_number_is_worth_all_in_every_form(form: Any) -> None:
    score = played(answer(form(SINGLE.answer))).score()
    assert (score.score, score.ended) == (100.0, "answered")


@pytest.mark.parametrize("off", [1, -1, 10**6])
def test_a_number_beside_it_is_worth_nothing(off: int) -> None:
    assert played(answer(str(SINGLE.answer + off))).score().score == 0.0


def test_a_text_with_an_answer_line_answers() -> None:
    score = played({"text": f"I multiply the pairs.\nANSWER: {SINGLE.answer}"}).score()
    assert (score.score, score.ended) == (100.0, "answered")


def test_a_text_that_offers_four_numbers_is_wrong_though_the_last_is_right() -> None:
    lines = "\n".join(f"ANSWER: {number}" for number in (1, 2, 3, SINGLE.answer))
    score = played({"text": lines}).score()
    assert (score.score, score.ended) == (0.0, "answered")


def test_only_the_first_answer_counts() -> None:
    episode = played(answer("1"))
    assert episode.act(answer(str(SINGLE.answer))).bad
    assert episode.score().score == 0.0


def test_thinking_costs_nothing_and_abstaining_is_worth_nothing() -> None:
    episode = played(*[{"tool": "think", "args": {"text": "hm"}}] * 50)
    assert episode.ended == ""
    assert episode.score().raw["bad"] == 0
    episode.act({"tool": "abstain", "args": {}})
    assert (episode.score().score, episode.score().ended) == (0.0, "abstained")


@pytest.mark.parametrize(
    "junk",
    [
        None,
        7,
        "answer",
        [],
        {},
        {"tool": "submit"},
        {"tool": ["answer"]},
        {"tool": "answer", "args": 5},
        {"tool": "answer", "args": {}},
        {"tool": "answer", "args": {"value": True}},
        {"tool": "answer", "args": {"value": 4.0}},
        {"tool": "answer", "args": {"value": [1]}},
        {"tool": "think", "args": {"text": 5}},
        {"tool": "run_code", "args": {"source": "print(1)"}},
        {"text": "the number is 5"},
        {"text": None},
    ],
)
def test_three_actions_in_a_row_that_cannot_be_read_end_it(junk: object) -> None:
    episode = played(junk, junk)
    assert episode.ended == ""
    assert "could not be read" in episode.observe()["text"]
    episode.act({"tool": "think", "args": {"text": "on"}})
    assert played(junk, junk, {"tool": "think", "args": {"text": "on"}}, junk, junk).ended == ""
    assert played(junk, junk, junk).ended == "malformed"
    assert played(junk, junk, junk).score().score == 0.0


@given(
    st.lists(
        st.recursive(
            st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
            lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
            max_leaves=8,
        )
        | st.fixed_dictionaries(
            {"tool": st.sampled_from(["answer", "think", "abstain"]), "args": st.dictionaries(st.text(), st.integers())}
        ),
        max_size=6,
    )
)
def test_no_action_makes_an_episode_raise_or_be_worth_more(actions: list[object]) -> None:
    episode = played(*actions)
    episode.observe()
    episode.finish("quit")
    assert episode.score().score == 0.0
    assert episode.ended


def test_an_episode_ends_from_outside_only_once() -> None:
    episode = played(answer(str(SINGLE.answer)))
    episode.finish("crash")
    assert (episode.score().score, episode.score().ended) == (100.0, "answered")


def test_looking_changes_nothing_and_never_tells_the_answer() -> None:
    episode = EulerEpisode(SINGLE, "closed")
    assert episode.observe() == episode.observe()
    assert str(SINGLE.answer) not in str(episode.observe())
    assert (
        SINGLE.teaching.text("full") in EulerEpisode(SINGLE, "closed", SINGLE.teaching.text("full")).observe()["text"]
    )
    assert episode.query() == SINGLE.statement


def test_the_share_of_parts_that_are_right_is_told_beside_the_score() -> None:
    first, second, last = GRAPH.nodes
    wrong = played(answer(str(last + 1), nodes=[str(first), str(second), str(last + 1)]), task=GRAPH).score()
    assert (wrong.score, wrong.raw["nodes_right"]) == (0.0, pytest.approx(2 / 3))
    lines = f"NODE 1: {first}\nNODE 2: 5\nANSWER: {last}"
    right = played({"text": lines}, task=GRAPH).score()
    assert (right.score, right.raw["nodes_right"]) == (100.0, pytest.approx(2 / 3))
    assert played(answer(str(last)), task=GRAPH).score().raw["nodes_right"] is None


def test_the_closed_track_offers_no_programs() -> None:
    names = {tool["name"] for tool in EulerEpisode(SINGLE, "closed").tools()}
    assert names == {"answer", "think", "abstain"}


@needs_bubblewrap
def test_three_programs_can_be_run_and_the_fourth_cannot_be_read() -> None:
    run = {"tool": "run_code", "args": {"source": "print(6 * 7)"}}
    episode = played(run, run, track="code")
    assert "42" in episode.observe()["text"]
    assert episode.observe()["data"]["runs_left"] == 1
    assert not episode.act(run).bad
    assert "run_code" not in {tool["name"] for tool in episode.tools()}
    assert episode.act(run).bad
    assert len(episode.runs) == 3


@needs_bubblewrap
def test_a_program_cannot_look_into_the_episode() -> None:
    source = "import gc, sys\nprint([m for m in sys.modules if 'memarena' in m], len(sys.argv), sys.stdin.read())"
    episode = played({"tool": "run_code", "args": {"source": source}}, track="code")
    assert episode.runs[0][1].output.strip() == "[] 1"
