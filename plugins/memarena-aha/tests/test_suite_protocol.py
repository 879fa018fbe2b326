"""The flow of a pair: what is played in which order, what a memory hears, and what an evaluation may not change."""

from __future__ import annotations

import threading
from pathlib import Path

import aha_tiny
import pytest
from aha_runs import evaluation, lines, start, steps, tiny

from memarena.errors import UsageError
from memarena.journal import CellEnded, SessionEnded
from memarena.store import RunStore
from memarena_aha.suite.playing import action_of, replay

pytestmark = pytest.mark.usefixtures("tiny_part")


def test_the_baseline_is_measured_cold_supported_with_the_gold_lesson_and_with_the_false_one(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run")
    scores = {line.condition: line.score for line in lines(store, "baseline")}
    assert scores == {"cold": 0.0, "supported": 100.0, "gold": 100.0, "misled": 0.0}


def test_experience_lifts_through_a_memory_that_keeps_it_and_not_through_none(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", "verbatim")
    assert evaluation(store, "verbatim", "course").score == 100.0
    assert evaluation(store, "long-context", "course").score == 100.0
    assert evaluation(store, "null", "course").score == 0.0


def test_a_false_lesson_is_heard_after_the_plan_and_is_believed_where_it_comes_last(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run")
    assert [step.args for step in steps(store, "long-context", "poisoned")] == [{"number": 9}] * 3
    assert evaluation(store, "long-context", "poisoned").score == 0.0


def test_foreign_experience_stands_alone_in_the_memory(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run")
    first = steps(store, "long-context", "foreign")[0]
    assert first.memory is not None
    assert store.texts.get(first.memory.text) == "teacher: The sea is wide."


def test_a_memory_hears_what_is_told_done_revealed_and_reflected_in_that_order(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run")
    first = steps(store, "long-context", "course")[0]
    assert first.memory is not None
    told = store.texts.get(first.memory.text).split("\n\n")
    assert told[0] == "teacher: In town 0 they say: the number is 7."
    assert told[1:3] == ["agent: I say 7.", "environment: Noted."]
    assert told[7] == "environment: The truth is not told."
    assert told[8] == "agent: " + " ".join(["word"] * 120)
    assert told[9] == "environment: Rain 0."
    assert len(told) == 10


def test_the_agent_is_shown_its_memory_in_the_units_of_the_plan_as_well(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run")
    *unit, reflection = steps(store, "long-context", "course", "lesson")
    assert [step.args for step in unit] == [{"number": 7}] * 3
    assert (reflection.flags, reflection.args) == (("reflection",), {"text": "word " * 200})
    assert [step.args for step in steps(store, "null", "course", "lesson")][:3] == [{"number": 0}] * 3


def test_an_evaluation_is_not_heard_and_leaves_the_store_as_it_was(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", "verbatim")
    assert not any(line.leaked for line in lines(store, "verbatim"))
    entries = [one for one in store.entries(_cell(store, "verbatim")) if isinstance(one, SessionEnded)]
    assert [one.session_id for one in entries] == [
        "course:lesson",
        "course:idle-0",
        "course:poisoned",
        "foreign:foreign",
        "full:lesson",
        "full+2:lesson",
        "full+2:idle-0",
        "full+2:idle-1",
    ]


def test_a_store_that_changes_when_it_is_asked_is_found_out(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", "tiny-leaking")
    assert evaluation(store, "tiny-leaking", "course").leaked


def test_a_pair_that_listens_is_heard_during_its_evaluation(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", options=("puzzle.listens=1",))
    sessions = [one.session_id for one in store.entries(_cell(store, "long-context")) if isinstance(one, SessionEnded)]
    assert "course:evaluation" in sessions
    assert not any("foreign" in session or "poisoned" in session for session in sessions)
    assert not evaluation(store, "long-context", "course").leaked


def test_what_is_recorded_can_be_played_again_to_the_same_trace(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", "verbatim")
    pair = aha_tiny.PART.pairs(0, 1, {})[0]
    for label, condition, support in (("verbatim", "course", ""), ("baseline", "supported", "supported")):
        line = evaluation(store, label, condition)
        actions = [action_of(step) for step in steps(store, label, condition)]
        assert replay(pair.evaluate(support), actions, "crash") == line.trace
        assert (
            replay(pair.evaluate(support), [*actions[:2], {"tool": "say", "args": {"number": 1}}], "crash")
            != line.trace
        )


def test_a_run_that_is_broken_off_and_resumed_is_the_same_to_the_byte(tmp_path: Path) -> None:
    whole = tiny(tmp_path / "whole", "verbatim", pairs=2)
    stop = threading.Event()
    options = ('aha.parts=["puzzle"]', "aha.pairs=2")

    class StopsAfterFive:
        seen = 0

        def is_set(self) -> bool:
            StopsAfterFive.seen += 1
            return StopsAfterFive.seen > 60 or stop.is_set()

        def set(self) -> None:
            stop.set()

    with pytest.raises(KeyboardInterrupt):
        start(tmp_path / "broken", "verbatim", options=options, stop=StopsAfterFive())  # type: ignore[arg-type]
    partly = RunStore.open(tmp_path / "broken")
    assert {cell.status for cell in partly.cells()} > {"done"}
    start(tmp_path / "broken", "verbatim", options=options)
    assert (tmp_path / "broken" / "scores.jsonl").read_bytes() == (whole.path / "scores.jsonl").read_bytes()
    for spec in whole.specs():
        for name in ("steps.jsonl", "episodes.jsonl"):
            files = [folder / "cells" / spec.cell_id / name for folder in (whole.path, tmp_path / "broken")]
            assert files[0].read_bytes() == files[1].read_bytes()


def test_cells_side_by_side_give_the_same_bytes(tmp_path: Path) -> None:
    alone = tiny(tmp_path / "alone", "verbatim", pairs=6)
    together = tiny(tmp_path / "together", "verbatim", pairs=6, jobs=8)
    assert (alone.path / "scores.jsonl").read_bytes() == (together.path / "scores.jsonl").read_bytes()


@pytest.mark.parametrize("memory", ["tiny-ondisk", "tiny-forgetful"])
def test_a_memory_that_is_restarted_after_each_session_has_all_that_it_heard(tmp_path: Path, memory: str) -> None:
    options = ("aha.restart=true", 'aha.extras=["poisoned"]')
    store = tiny(tmp_path / "run", memory, options=options, isolate="process")
    assert evaluation(store, memory, "course").score == 100.0
    first = steps(store, memory, "course")[0]
    assert first.memory is not None
    text = store.texts.get(first.memory.text)
    writers = {line.rpartition("[")[2] for line in text.splitlines() if line}
    assert "In town 0" in text
    # What is opened again was written by two processes; what is told again, by the last one alone.
    assert len(writers) == (2 if memory == "tiny-ondisk" else 1)
    ended = list(store.entries(_cell(store, memory)))[-1]
    assert isinstance(ended, CellEnded)
    # Sessions of the plans (2, 1, 3) and the false lesson; each of those before it is heard again after a restart.
    assert ended.calls["end_session"] == (7 if memory == "tiny-ondisk" else 7 + (1 + 2 + 3) + 1 + (1 + 2 + 3))


def test_a_restart_needs_a_process_of_its_own(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="--isolate process"):
        tiny(tmp_path / "run", "verbatim", options=("aha.restart=true",))


def test_repeats_are_cells_of_their_own_and_the_rows_keep_them_apart(tmp_path: Path) -> None:
    store = tiny(tmp_path / "run", "verbatim", repeats=2)
    lifts = [(row.label, row.repeat, row.stat.n) for row in store.stats() if row.stat.metric == "lift"]
    assert [one for one in lifts if one[0] == "verbatim"] == [("verbatim", 0, 1.0), ("verbatim", 1, 1.0)]


@pytest.mark.parametrize(
    ("flags", "said"),
    [
        ({"data": "mini"}, "-d: it means nothing in the suite aha"),
        ({"judge": "lexical"}, "--judge: it means nothing"),
        ({"oracle": ("write",)}, "--oracle: it means nothing"),
        ({"captions": "none"}, "--captions: it means nothing"),
        ({"limit": 3}, "--limit: it means nothing"),
    ],
)
def test_a_flag_that_means_nothing_is_refused(tmp_path: Path, flags: dict[str, object], said: str) -> None:
    with pytest.raises(UsageError, match=said):
        start(tmp_path / "run", "verbatim", **flags)


def test_an_adapter_cannot_take_the_label_of_an_arm(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="give the adapter another, LABEL=NAME"):
        tiny(tmp_path / "run", "Null=verbatim")


def _cell(store: RunStore, label: str) -> str:
    return next(spec.cell_id for spec in store.specs() if spec.label == label)
