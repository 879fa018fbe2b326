"""What becomes of agents, memories and simulators that fail: scored as the rules say, and the run goes on."""

from __future__ import annotations

from pathlib import Path

import pytest
from aha_runs import evaluation, lines, steps, tiny

from memarena_aha.suite.reporter import AhaReport
from memarena_aha.suite.runcard import RunCard

pytestmark = pytest.mark.usefixtures("tiny_part")
FEW = ('aha.controls=["null","long-context"]', "aha.extras=[]")


@pytest.mark.parametrize(
    ("agent", "ended", "said"),
    [
        ("tiny-crashing", "crash", "the agent fell"),
        ("tiny-exiting", "crash", "exit code 3"),
        ("tiny-refusing", "refusal", "cannot help"),
        ("tiny-junk", "malformed", "5 actions in a row"),
        ("tiny-flooding", "malformed", "5 actions in a row"),
    ],
)
def test_an_agent_that_fails_scores_nothing_and_the_run_goes_on(
    tmp_path: Path, agent: str, ended: str, said: str
) -> None:
    store = tiny(tmp_path / "run", options=('aha.controls=["null"]',), agent=agent)
    assert {cell.status for cell in store.cells()} == {"done"}
    line = evaluation(store, "null", "course")
    assert (line.score, line.ended) == (0.0, ended)
    assert said in line.failure
    told = (
        "0 by a crash or timeout, 1 by a refusal" if ended == "refusal" else "1 by a crash or timeout, 0 by a refusal"
    )
    assert any(f"null, puzzle: of 1 evaluations ended {told}" in text for text in _warnings(store)) is (
        ended != "malformed"
    )


def test_an_agent_that_hangs_is_stopped(tmp_path: Path) -> None:
    options = ('aha.controls=["null"]', "aha.extras=[]", "aha.step_seconds=0.3")
    store = tiny(tmp_path / "run", options=options, agent="tiny-hanging")
    line = evaluation(store, "null", "course")
    assert (line.score, line.ended, line.steps) == (0.0, "timeout", 0)
    assert "no answer within" in line.failure


@pytest.mark.parametrize("agent", ["tiny-waiting", "tiny-waitingapart"])
def test_a_program_of_an_agent_that_hangs_ends_the_episode_as_a_timeout(tmp_path: Path, agent: str) -> None:
    store = tiny(tmp_path / "run", options=('aha.controls=["null"]', "aha.extras=[]"), agent=agent)
    line = evaluation(store, "null", "course")
    assert (line.score, line.ended) == (0.0, "timeout")
    assert "within 5 s" in line.failure


def test_an_agent_in_a_process_of_its_own_cannot_break_the_protocol_by_what_it_prints(tmp_path: Path) -> None:
    alone = ('aha.controls=["null"]', "aha.extras=[]")
    inside = tiny(tmp_path / "inside", options=alone)
    apart = tiny(tmp_path / "apart", options=alone, agent="tiny-apart")
    assert [line.trace for line in lines(inside, "null")] == [line.trace for line in lines(apart, "null")]
    assert evaluation(apart, "null", "course").score == 0.0


def test_bad_actions_are_counted_and_a_flood_is_not_kept(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", options=FEW, agent="tiny-flooding")
    seen = steps(store, "null", "course")
    assert [step.flags for step in seen] == [("bad",)] * 4 + [("bad", "malformed")]
    assert {str(step.args) for step in seen} == {"{'unreadable': '1000043 bytes'}"}
    assert evaluation(store, "null", "course").bad == 5


def test_a_memory_that_cannot_be_asked_finds_nothing_and_its_arm_is_not_valid(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", "tiny-broken", options=FEW)
    line = evaluation(store, "tiny-broken", "full")
    assert line.score == 0.0
    # One unit and one evaluation with one question each, and the question before the reflection.
    assert line.memory_errors == 3
    assert "no index" in line.memory_problem
    told = "tiny-broken: 100 % of its retrievals failed: the arm is not valid"
    assert any(text.startswith(told) and "no index" in text for text in _warnings(store))


def test_a_memory_that_cannot_be_told_anything_is_not_valid(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", "tiny-deaf", options=FEW)
    line = evaluation(store, "tiny-deaf", "course")
    # Every turn fails; of the two units, the calls that end them do not.
    assert (line.memory_told - line.memory_unheard, line.memory_unanswered) == (2, 0)
    assert any("of the calls that it learns from failed: the arm is not valid" in text for text in _warnings(store))


def test_a_memory_that_does_not_show_its_state_keeps_its_score_and_has_no_stages(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", "tiny-dark", options=FEW)
    line = evaluation(store, "tiny-dark", "course")
    assert line.score == 100.0
    assert {(one.write, one.keep, one.retrieve) for one in line.lessons.values()} == {(None, None, True)}
    warnings = [text for text in _warnings(store) if "tiny-dark" in text]
    assert len(warnings) == 1
    assert "calls that show its state failed: what it wrote and kept is not known there" in warnings[0]
    assert "no light" in warnings[0]


def test_decisions_whose_block_was_cut_are_counted(tmp_path: Path) -> None:
    controls = 'aha.controls=["null","window","long-context"]'
    store = tiny(tmp_path / "run", "tiny-wordy", options=(controls, "aha.extras=[]"), budget_tokens=9)
    labels = ("tiny-wordy", "window", "long-context", "null")
    cut = {label: evaluation(store, label, "course") for label in labels}
    # There are three tries. Nine tokens hold neither the one long text nor all turns of the two units.
    assert {label: (line.cut, line.steps) for label, line in cut.items()} == {
        "tiny-wordy": (3, 3),
        "window": (3, 3),
        "long-context": (0, 3),
        "null": (0, 3),
    }
    counts = {arm.label: arm.aggregate.counts for arm in RunCard(store).arms}
    assert (counts["tiny-wordy"].cut, counts["tiny-wordy"].decisions, counts["null"].cut) == (3, 3, 0)


def test_a_memory_that_cannot_even_be_reset_fails_its_cells_and_no_others(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", "tiny-dead", "verbatim", options=FEW)
    failed = {cell.label: cell.error for cell in store.cells() if cell.status == "failed"}
    assert list(failed) == ["tiny-dead"]
    assert "no store" in failed["tiny-dead"]
    assert evaluation(store, "verbatim", "course").score == 100.0
    assert any("1 of 5 cells are not done" in text for text in _warnings(store))


def test_a_memory_that_does_not_come_back_after_a_restart_has_nothing_to_say(tmp_path: Path) -> None:
    options = ("aha.restart=true", 'aha.controls=["null"]', "aha.extras=[]")
    store = tiny(tmp_path / "run", "tiny-gone", options=options, isolate="process")
    line = evaluation(store, "tiny-gone", "course")
    assert line.score == 0.0
    assert line.memory_errors > 1
    assert "not there any more" in line.memory_problem


def test_a_fault_of_the_simulator_is_run_once_more_and_then_excluded(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", "verbatim", pairs=2, options=(*FEW, "puzzle.broken=1"))
    first = store.specs()[0].sample_id
    cold = [line for line in lines(store, "baseline") if line.condition == "cold"]
    assert [(line.pair_id == first, line.excluded, line.ended) for line in cold] == [
        (True, True, "env_error"),
        (True, True, "env_error"),
        (False, False, "answered"),
    ]
    rows = [row.stat for row in store.stats() if row.label == "verbatim" and row.stat.metric == "p"]
    assert [(row.sample_id == first, row.n) for row in rows] == [(False, 1.0)]
    assert any("the part is not valid" in text for text in _warnings(store))


def _warnings(store: object) -> list[str]:
    found: list[str] = AhaReport().as_object(store)["warnings"]  # type: ignore[arg-type]
    return found
