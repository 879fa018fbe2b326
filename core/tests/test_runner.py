"""The four phases over several cells: pools, failures, resume, cancelling, repeats, lifecycle plugins."""

from __future__ import annotations

import _thread
import threading
from asyncio import CancelledError
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import pytest
from runner_plans import FirstItem, Quiet, adapter, execute, plan

from memarena import Answer, hookimpl
from memarena.catalog import Entry
from memarena.errors import DataError
from memarena.floors import Constant, Nothing, Verbatim
from memarena.records import AskedQuestion, Shown
from memarena.runner import run
from memarena.store import RunStore


@pytest.fixture
def quiet() -> Quiet:
    return Quiet()


def right(folder: Path) -> dict[str, float]:
    found: dict[str, float] = {}
    for row in RunStore.open(folder).stats():
        found[row.label] = found.get(row.label, 0.0) + (row.stat.n or 0.0)
    return found


def test_every_cell_is_run_answered_judged_and_scored(tmp_path: Path, quiet: Quiet) -> None:
    outcome = execute(plan(adapter("verbatim", Verbatim), adapter("nothing", Nothing)), tmp_path / "r", quiet)
    assert outcome.failed == ()
    assert quiet.phases == [("memory", 4), ("answers", 10), ("scores", 4)]
    assert quiet.steps == {"memory": 4, "answers": 10, "scores": 4}
    assert right(tmp_path / "r")["nothing"] == 0
    assert right(tmp_path / "r")["verbatim"] >= 2


def test_agents_answer_by_themselves_and_the_answerer_is_not_asked(tmp_path: Path, quiet: Quiet) -> None:
    made = plan(adapter("constant", Constant))
    execute(made, tmp_path / "r", quiet)
    assert made.answerer.asked == []  # type: ignore[attr-defined]
    assert right(tmp_path / "r")["constant"] == 1


class Crashing(Verbatim):
    def end_session(self, session_id: str) -> None:
        raise ConnectionError("no server")


def test_a_system_that_fails_is_a_row_and_the_others_go_on(tmp_path: Path, quiet: Quiet) -> None:
    outcome = execute(plan(adapter("crashing", Crashing), adapter("verbatim", Verbatim)), tmp_path / "r", quiet)
    assert {(cell.label, cell.status) for cell in outcome.failed} == {("crashing", "failed")}
    assert "ConnectionError: no server" in outcome.failed[0].error
    assert set(right(tmp_path / "r")) == {"verbatim"}
    assert any("crashing failed on tiny-home" in note for note in quiet.notes)


def test_an_adapter_that_could_not_be_mounted_is_a_row_with_the_reason(tmp_path: Path, quiet: Quiet) -> None:
    broken = adapter("broken", None)
    broken.failure = "'broken' from memarena-broken 0.1: RuntimeError: no libfoo"
    outcome = execute(plan(broken, adapter("nothing", Nothing)), tmp_path / "r", quiet)
    assert {cell.error for cell in outcome.failed} == {broken.failure}


def test_resuming_runs_only_what_is_not_done_and_asks_only_what_is_not_answered(tmp_path: Path, quiet: Quiet) -> None:
    execute(plan(adapter("verbatim", Verbatim)), tmp_path / "r", quiet)
    before = (tmp_path / "r" / "scores.jsonl").read_bytes()
    answers = next((tmp_path / "r" / "cells").glob("verbatim~tiny-home/answers.jsonl"))
    lines = answers.read_bytes().splitlines(keepends=True)
    answers.write_bytes(b"".join(lines[:-1]) + lines[-1][:20])
    again = plan(adapter("verbatim", Verbatim))
    execute(again, tmp_path / "r", Quiet())
    assert len(again.answerer.asked) == 1  # type: ignore[attr-defined]
    assert (tmp_path / "r" / "scores.jsonl").read_bytes() == before


class Failing(FirstItem):
    def answer(self, asked: AskedQuestion, shown: Shown) -> Answer:
        self.asked.append(asked.question_id)
        raise ConnectionError("no model")


def test_what_an_answerer_failed_at_is_asked_again_on_resume(tmp_path: Path, quiet: Quiet) -> None:
    failing = plan(adapter("verbatim", Verbatim))
    failing.answerer = Failing()
    execute(failing, tmp_path / "r", quiet)
    assert right(tmp_path / "r")["verbatim"] == 0
    again = plan(adapter("verbatim", Verbatim))
    execute(again, tmp_path / "r", Quiet())
    execute(plan(adapter("verbatim", Verbatim)), tmp_path / "whole", Quiet())
    assert len(again.answerer.asked) == 5  # type: ignore[attr-defined]
    assert (tmp_path / "r" / "scores.jsonl").read_bytes() == (tmp_path / "whole" / "scores.jsonl").read_bytes()


def test_a_failed_cell_is_tried_again_on_resume(tmp_path: Path, quiet: Quiet) -> None:
    execute(plan(adapter("mine", Crashing)), tmp_path / "r", quiet)
    outcome = execute(plan(adapter("mine", Verbatim)), tmp_path / "r", quiet)
    assert {(cell.status, cell.attempts) for cell in outcome.cells} == {("done", 2)}


def test_the_number_of_jobs_changes_no_score(tmp_path: Path) -> None:
    for jobs in (1, 4):
        execute(plan(adapter("verbatim", Verbatim), jobs=jobs), tmp_path / str(jobs), Quiet())
    assert (tmp_path / "1" / "scores.jsonl").read_bytes() == (tmp_path / "4" / "scores.jsonl").read_bytes()


class Seeded(Nothing):
    seeds: ClassVar[list[int]] = []

    def reset(self, context: Any) -> None:
        self.seeds.append(context.seed)


def test_repeats_are_cells_of_their_own_with_seeds_of_their_own(tmp_path: Path, quiet: Quiet) -> None:
    Seeded.seeds.clear()
    outcome = execute(plan(adapter("seeded", Seeded), repeats=2, seed=5), tmp_path / "r", quiet)
    assert len(outcome.cells) == 4
    assert sorted(Seeded.seeds) == [5, 5, 6, 6]
    assert {row.repeat for row in RunStore.open(tmp_path / "r").stats()} == {0, 1}


class Counting(Nothing):
    """Notices two of its kind at work at one time; the first waits a while for the second."""

    at_work, most = 0, 0
    seconds = 0.005
    lock, both = threading.Lock(), threading.Event()

    def ingest_turn(self, turn: Any) -> None:
        kind = type(self)
        with self.lock:
            kind.at_work += 1
            kind.most = max(kind.most, kind.at_work)
            if kind.at_work > 1:
                kind.both.set()
        kind.both.wait(kind.seconds)
        with self.lock:
            kind.at_work -= 1


@pytest.mark.parametrize(("safe", "most", "seconds"), [(False, 1, 0.005), (True, 2, 60.0)])
def test_an_adapter_that_is_not_parallel_safe_runs_one_cell_at_a_time(
    safe: bool, most: int, seconds: float, tmp_path: Path, quiet: Quiet
) -> None:
    kind: Any = type("Counted", (Counting,), {"at_work": 0, "most": 0, "seconds": seconds, "both": threading.Event()})
    execute(plan(adapter("counted", kind, parallel_safe=safe), jobs=2), tmp_path / "r", quiet)
    assert kind.most == most


def test_a_data_set_that_changed_since_planning_stops_the_run(tmp_path: Path, quiet: Quiet) -> None:
    made = plan(adapter("nothing", Nothing))
    made.header["data"]["samples"][0]["fingerprint"] = "other"
    with pytest.raises(DataError, match="the data set changed: sample tiny-home"):
        execute(made, tmp_path / "r", quiet)


class Interrupting(Nothing):
    def end_session(self, session_id: str) -> None:
        _thread.interrupt_main()


def test_ctrl_c_leaves_a_cancelled_run(tmp_path: Path, quiet: Quiet) -> None:
    with pytest.raises(KeyboardInterrupt):
        execute(plan(adapter("mine", Interrupting)), tmp_path / "r", quiet)
    assert RunStore.open(tmp_path / "r").status["status"] == "cancelled"


@pytest.mark.parametrize("when", ["memory", "answers"])
def test_a_run_that_is_told_to_stop_is_cancelled_in_every_phase(when: str, tmp_path: Path, quiet: Quiet) -> None:
    stop = threading.Event()
    stopping = type("Stopping", (Nothing,), {"end_session": lambda self, session_id: stop.set()})
    made = plan(adapter("mine", stopping if when == "memory" else Nothing))
    if when == "answers":
        made.answerer = Answering(None)
        made.answerer.answer = lambda asked, shown: stop.set()  # type: ignore[method-assign]
    store = RunStore.create(tmp_path / "r", made.header)
    with pytest.raises(KeyboardInterrupt):
        run(made, store, quiet, stop)
    store.close()
    assert store.status["status"] == "cancelled"
    assert not (tmp_path / "r" / "scores.jsonl").exists()


class Leaving(Nothing):
    def end_session(self, session_id: str) -> None:
        raise type(self).error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), SystemExit(3), GeneratorExit(), CancelledError()])
def test_a_system_that_raises_what_ends_a_program_ends_its_own_cells_only(
    error: BaseException, tmp_path: Path, quiet: Quiet
) -> None:
    leaving = type("Leaving", (Leaving,), {"error": error})
    outcome = execute(plan(adapter("mine", leaving), adapter("nothing", Nothing)), tmp_path / "r", quiet)
    assert {(cell.label, cell.error.partition(": ")[0]) for cell in outcome.failed} == {("mine", "mine.end_session")}
    assert RunStore.open(tmp_path / "r").status["status"] == "done"


def test_a_sample_that_is_gone_stops_the_run(tmp_path: Path, quiet: Quiet) -> None:
    made = plan(adapter("nothing", Nothing))
    made.header["data"]["samples"].append({"sample_id": "gone", "fingerprint": "", "questions": 0})
    with pytest.raises(DataError, match="sample gone is not there any more"):
        execute(made, tmp_path / "r", quiet)
    assert RunStore.open(tmp_path / "r").status["status"] == "failed"


# -- lifecycle --


class Exporter:
    calls: ClassVar[list[tuple[str, str]]] = []

    @hookimpl
    def run_started(self, store: RunStore) -> None:
        self.calls.append(("started", store.path.name))

    @hookimpl
    def cell_finished(self, cell_id: str, status: str) -> None:
        self.calls.append((cell_id, status))

    @hookimpl
    def run_finished(self, status: str) -> None:
        raise OSError("upload failed")


def test_lifecycle_plugins_hear_the_run_and_a_failure_of_theirs_leaves_it_valid(
    tmp_path: Path, quiet: Quiet, monkeypatch: pytest.MonkeyPatch
) -> None:
    row = Entry("exporter", f"{__name__}:Exporter", "memarena-exporter", "1", "", "memarena.plugins")
    monkeypatch.setattr(Entry, "load", lambda self: Exporter)
    monkeypatch.setattr("memarena.lifecycle.entries", lambda group: [row])
    Exporter.calls.clear()
    execute(plan(adapter("nothing", Nothing)), tmp_path / "r", quiet)
    assert Exporter.calls[0] == ("started", "r")
    assert sorted(Exporter.calls[1:]) == [("nothing~tiny-home", "done"), ("nothing~tiny-work", "done")]
    assert any("failed in run_finished: upload failed" in note for note in quiet.notes)
    assert RunStore.open(tmp_path / "r").status["status"] == "done"


# -- instruments --


class Breaking:
    """An instrument that fails while it measures, or when it writes."""

    layer = 50

    @hookimpl(wrapper=True)
    def end_session(self) -> Iterator[None]:
        raise ZeroDivisionError("no time")
        yield


class BreakingLate:
    layer = 50

    def write(self, folder: Path) -> None:
        raise ZeroDivisionError("no time")


def test_an_instrument_that_fails_fails_its_cells_and_is_not_taken_for_the_system(tmp_path: Path, quiet: Quiet) -> None:
    made = plan(adapter("nothing", Nothing))
    made.instruments = [*made.instruments, Breaking]
    outcome = execute(made, tmp_path / "r", quiet)
    assert [cell.error for cell in outcome.failed] == [
        "not the system, but an instrument or memarena itself: ZeroDivisionError: no time"
    ] * 2


def test_an_instrument_that_cannot_write_costs_its_file_and_no_cell(tmp_path: Path, quiet: Quiet) -> None:
    made = plan(adapter("nothing", Nothing))
    made.instruments = [*made.instruments, BreakingLate]
    assert execute(made, tmp_path / "r", quiet).failed == ()
    assert any("BreakingLate wrote nothing for nothing~tiny-home: ZeroDivisionError" in note for note in quiet.notes)


# -- answerers --


class Answering:
    """An answerer that does what it is told to."""

    name, revision = "answering", 1

    def __init__(self, given: Any) -> None:
        self.given = given

    def answer(self, asked: AskedQuestion, shown: Shown) -> Any:
        if isinstance(self.given, BaseException):
            raise self.given
        return self.given


@pytest.mark.parametrize(
    ("given", "error"),
    [
        (None, "TypeError: the answerer returned a NoneType; it is to return an Answer"),
        ("Leeds", "TypeError: the answerer returned a str"),
        (Answer(question_id="other", text="Leeds"), "and answered 'other'"),
        (SystemExit(3), "SystemExit: 3"),
        (CancelledError(), "CancelledError"),
        (ConnectionError("gone"), "ConnectionError: gone"),
    ],
)
def test_an_answerer_that_fails_gives_empty_answers_with_the_reason(
    given: Any, error: str, tmp_path: Path, quiet: Quiet
) -> None:
    made = plan(adapter("nothing", Nothing))
    made.answerer = Answering(given)
    outcome = execute(made, tmp_path / "r", quiet)
    assert outcome.failed == ()
    assert outcome.failed_answers == 5
    assert error in outcome.answer_problem
    answers = [record.answer for record in RunStore.open(tmp_path / "r").history("nothing~tiny-home").questions]
    assert answers
    assert all(answer.text == "" and error in answer.error for answer in answers)


def test_an_answer_that_cannot_be_kept_is_a_failed_one(tmp_path: Path, quiet: Quiet) -> None:
    class Wordless(Answering):
        def answer(self, asked: AskedQuestion, shown: Shown) -> Any:
            return Answer(question_id=asked.question_id, text=None)  # type: ignore[arg-type]

    made = plan(adapter("nothing", Nothing))
    made.answerer = Wordless(None)
    execute(made, tmp_path / "r", quiet)
    record = RunStore.open(tmp_path / "r").history("nothing~tiny-home").questions[0]
    assert "Expected `str`, got `null` - at `$.text`" in record.answer.error
