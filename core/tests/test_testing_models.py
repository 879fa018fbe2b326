"""Each check of the smaller contracts finds the fault that it is for, and no other check finds it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from memarena.daemons import Threads
from memarena.records import (
    NOT_MENTIONED,
    Answer,
    JudgementRequest,
    Label,
)
from memarena.testing import checks_of, run_checks
from memarena.testing.fakes import ScriptedAnswerer, ScriptedJudge


def failed(make: Callable[[], Any], kind: str) -> set[str]:
    return {result.name for result in run_checks(make, kind) if result.outcome == "failed"}


# -- judges, answerers, executors -------------------------------------------------------------


class NamelessJudge(ScriptedJudge):
    name = ""


class LabelsNothing(ScriptedJudge):
    def label(self, requests):
        return super().label(requests) or (None,)


class JudgesOnePoint(ScriptedJudge):
    def label(self, requests: Sequence[JudgementRequest]):
        labels = super().label(requests)
        return [label if len(label.verdicts) < 3 else Label(verdicts=label.verdicts[:1]) for label in labels]


class KnowsFiveTasks(ScriptedJudge):
    def __init__(self):
        super().__init__(failing=("coverage",))


class SortsItsBatch(ScriptedJudge):
    def label(self, requests):
        if len(requests) > 7 or [request.task for request in requests[:1]] == ["recall"]:
            return super().label(requests)
        return super().label(sorted(requests, key=lambda request: request.task == "answer"))


class Alone:
    """Raises where two threads are inside at the same time; the first waits for the second."""

    def __init__(self) -> None:
        self.inside = threading.Semaphore(1)
        self.second = threading.Event()

    def enter(self) -> None:
        if threading.current_thread() is threading.main_thread():
            return
        if not self.inside.acquire(blocking=False):
            self.second.set()
            raise RuntimeError("one at a time")
        self.second.wait(60)
        self.inside.release()


class JudgesAlone(ScriptedJudge):
    def __init__(self):
        super().__init__()
        self.alone = Alone()

    def label(self, requests):
        self.alone.enter()
        return super().label(requests)


class JudgesAloud(ScriptedJudge):
    def label(self, requests):
        print("judging")
        return super().label(requests)


class NamelessAnswerer(ScriptedAnswerer):
    name = ""


class GivesNoReason(ScriptedAnswerer):
    def answer(self, asked, shown):
        return super().answer(asked, shown) if asked.text else Answer(question_id=asked.question_id, text="")


class NeedsSomething(ScriptedAnswerer):
    def answer(self, asked, shown):
        return replace(super().answer(asked, shown), cited=(shown.items[0].memory_id,))


class CitesAnything(ScriptedAnswerer):
    def answer(self, asked, shown):
        return replace(super().answer(asked, shown), cited=("m99",))


class AnswersAlone(ScriptedAnswerer):
    def __init__(self):
        super().__init__()
        self.alone = Alone()

    def answer(self, asked, shown):
        self.alone.enter()
        return super().answer(asked, shown)


class AnswersAloud(ScriptedAnswerer):
    def answer(self, asked, shown):
        print(NOT_MENTIONED)
        return super().answer(asked, shown)


class InTurn:
    """Works in the calling thread."""

    name = "in-turn"
    revision = 1

    def map(self, work, cells):
        return map(work, cells)


class NamelessExecutor(InTurn):
    name = None


class WorksTwice(InTurn):
    def map(self, work, cells):
        for cell in cells:
            yield work(cell)
            yield work(cell)


class NeedsOneCell(InTurn):
    def map(self, work, cells):
        yield work(next(cells))
        yield from map(work, cells)


class TakesAll(InTurn):
    def map(self, work, cells):
        return map(work, list(cells))


class SwallowsFailures(InTurn):
    def map(self, work, cells):
        for cell in cells:
            try:
                yield work(cell)
            except ZeroDivisionError:
                continue


FAULTS = {
    "judge": {
        "named": NamelessJudge,
        "one_label_a_request": LabelsNothing,
        "verdicts_complete": JudgesOnePoint,
        "every_task_judged": KnowsFiveTasks,
        "order_kept": SortsItsBatch,
        "threads_accepted": JudgesAlone,
        "no_stray_output": JudgesAloud,
    },
    "answerer": {
        "named": NamelessAnswerer,
        "answer_typed": GivesNoReason,
        "nothing_shown_accepted": NeedsSomething,
        "cites_what_was_shown": CitesAnything,
        "threads_accepted": AnswersAlone,
        "no_stray_output": AnswersAloud,
    },
    "executor": {
        "named": NamelessExecutor,
        "each_cell_once": WorksTwice,
        "nothing_to_do_accepted": NeedsOneCell,
        "cells_taken_lazily": TakesAll,
        "failure_comes_out": SwallowsFailures,
    },
}
GOOD = {
    "judge": [ScriptedJudge],
    "answerer": [ScriptedAnswerer],
    "executor": [InTurn, Threads],
}


@pytest.mark.parametrize("kind", FAULTS)
def test_every_check_has_a_planted_fault(kind):
    assert list(FAULTS[kind]) == [check.name for check in checks_of(kind)]


@pytest.mark.parametrize(("kind", "make"), [(kind, make) for kind, makers in GOOD.items() for make in makers])
def test_a_good_plugin_passes(kind, make):
    assert {result.outcome for result in run_checks(make, kind)} == {"passed"}


@pytest.mark.parametrize(("kind", "name"), [(kind, name) for kind, faults in FAULTS.items() for name in faults])
def test_a_planted_fault_fails_its_own_check_and_no_other(kind, name):
    assert failed(FAULTS[kind][name], kind) == {name}
