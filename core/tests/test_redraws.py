"""Repeats of a run: what stands before a stage stays, the stage is drawn anew, and the run itself is left as it is."""

from __future__ import annotations

import itertools
import shutil
import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from runner_plans import Contains, FirstItem, Quiet, adapter, execute, plan

from memarena import Answer, JudgementRequest, Label
from memarena.errors import StoreError
from memarena.floors import Verbatim
from memarena.journal import Answered, Retrieved
from memarena.models import Models
from memarena.records import AskedQuestion, Attachment, Retrieval, Shown
from memarena.redraws import STAGES, redraw
from memarena.store import RunStore

CELL = "turning~tiny-home"


class Turning(Verbatim):
    """Hands out its items in another order each time that it is asked."""

    def __init__(self) -> None:
        super().__init__()
        self.times = 0

    def retrieve(
        self, query: str, top_k: int, time: str | None, attachments: Sequence[Attachment], budget_tokens: int | None
    ) -> Retrieval:
        found = super().retrieve(query=query, top_k=top_k)
        self.times += 1
        turn = self.times % max(1, len(found.items))
        return Retrieval(query=query, items=(*found.items[turn:], *found.items[:turn]))


class Counting(FirstItem):
    """Numbers its answers."""

    def __init__(self) -> None:
        super().__init__()
        self.numbers = itertools.count()

    def answer(self, asked: AskedQuestion, shown: Shown) -> Answer:
        given = super().answer(asked, shown)
        return Answer(question_id=given.question_id, text=f"{given.text} ({next(self.numbers)})")


class Moody(Contains):
    """Says of an answer the opposite of what it said before."""

    def __init__(self) -> None:
        self.times: Counter[str] = Counter()

    def label(self, requests: Sequence[JudgementRequest]) -> Sequence[Label | None]:
        self.times.update(one.answer for one in requests)
        return [Label(verdicts=("Correct" if self.times[one.answer] % 2 else "Omission",)) for one in requests]


@pytest.fixture
def quiet() -> Quiet:
    return Quiet()


def retrieved(store: RunStore) -> list[list[str]]:
    return [
        [item.memory_id for item in one.retrieval.items] for one in store.entries(CELL) if isinstance(one, Retrieved)
    ]


def answered(store: RunStore) -> list[str]:
    found = [entry for entry in store.entries(CELL, "answers") if isinstance(entry, Answered)]
    return [one.answer.text for one in sorted(found, key=lambda one: one.question_id)]


def drawn(folder: Path) -> dict[str, RunStore]:
    return {"run": RunStore.open(folder), **{one: RunStore.open(folder / "redrawn" / one) for one in STAGES}}


def test_each_stage_is_drawn_anew_with_all_before_it_left(tmp_path: Path, quiet: Quiet) -> None:
    made = replace(plan(adapter("turning", Turning), jobs=1, repeats=2), answerer=Counting())
    execute(made, tmp_path / "run", quiet)
    stores = drawn(tmp_path / "run")
    lists = {name: retrieved(store) for name, store in stores.items()}
    assert lists["run"] == lists["answer"] == lists["judge"]
    assert lists["retrieve"] != lists["run"]
    assert [sorted(one) for one in lists["retrieve"]] == [sorted(one) for one in lists["run"]]
    answers = {name: answered(store) for name, store in stores.items()}
    assert answers["judge"] == answers["run"]
    assert len({tuple(one) for one in answers.values()}) == 3


def test_only_labels_differ_where_only_the_judge_is_moody(tmp_path: Path, quiet: Quiet) -> None:
    made = replace(plan(adapter("turning", Verbatim), jobs=1, repeats=2), judge=Moody())
    execute(made, tmp_path / "run", quiet)
    stores = drawn(tmp_path / "run")
    assert {tuple(answered(store)) for store in stores.values()} == {tuple(answered(stores["run"]))}
    scores = {name: (store.path / "scores.jsonl").read_bytes() for name, store in stores.items()}
    assert len(set(scores.values())) > 1


def test_a_system_without_chance_has_the_same_scores_everywhere(tmp_path: Path, quiet: Quiet) -> None:
    execute(plan(adapter("verbatim", Verbatim), repeats=2), tmp_path / "run", quiet)
    assert len({(one.path / "scores.jsonl").read_bytes() for one in drawn(tmp_path / "run").values()}) == 1


def test_second_retrievals_are_no_part_of_what_is_measured(tmp_path: Path, quiet: Quiet) -> None:
    execute(plan(adapter("turning", Turning), repeats=2), tmp_path / "run", quiet)
    execute(plan(adapter("turning", Turning)), tmp_path / "once", quiet)
    calls = [
        next(entry.calls for entry in RunStore.open(tmp_path / name).entries(CELL) if hasattr(entry, "calls"))
        for name in ("run", "once")
    ]
    assert calls[0]["retrieve"] == calls[1]["retrieve"] == len(retrieved(RunStore.open(tmp_path / "once")))


def test_a_run_without_repeats_draws_nothing_again(tmp_path: Path, quiet: Quiet) -> None:
    execute(plan(adapter("turning", Turning)), tmp_path / "run", quiet)
    assert not (tmp_path / "run" / "redrawn").exists()
    assert list((tmp_path / "run").rglob("again.jsonl")) == []


def test_what_was_drawn_before_it_stopped_is_not_drawn_again(tmp_path: Path, quiet: Quiet) -> None:
    made = replace(plan(adapter("turning", Turning), jobs=1, repeats=2), answerer=Counting())
    execute(made, tmp_path / "run", quiet)
    before = {name: answered(store) for name, store in drawn(tmp_path / "run").items()}
    (tmp_path / "run" / "redrawn" / "answer" / "scores.jsonl").unlink()
    execute(made, tmp_path / "run", quiet)
    assert {name: answered(store) for name, store in drawn(tmp_path / "run").items()} == before
    assert (tmp_path / "run" / "redrawn" / "answer" / "scores.jsonl").exists()


def test_a_run_that_replays_one_without_draws_says_that_it_has_none(tmp_path: Path, quiet: Quiet) -> None:
    made = plan(adapter("turning", Turning), repeats=2)
    execute(made, tmp_path / "run", quiet)
    for file in (tmp_path / "run" / "redrawn").glob("*/scores.jsonl"):
        file.unlink()
    replaying = replace(made, models=Models({}, None, {}, tmp_path / "other" / "exchanges.sqlite"))
    redraw(replaying, RunStore.open(tmp_path / "run"), quiet, threading.Event())
    assert any("judge: not drawn again" in note for note in quiet.notes)
    assert not list((tmp_path / "run" / "redrawn").glob("*/scores.jsonl"))


def test_second_retrievals_that_are_not_all_there_are_said(tmp_path: Path, quiet: Quiet) -> None:
    made = plan(adapter("turning", Turning), repeats=2)
    execute(made, tmp_path / "run", quiet)
    shutil.rmtree(tmp_path / "run" / "redrawn")
    again = tmp_path / "run" / "cells" / CELL / "again.jsonl"
    again.write_bytes(again.read_bytes().splitlines(keepends=True)[0])
    with pytest.raises(StoreError, match=r"again\.jsonl has fewer retrievals"):
        redraw(made, RunStore.open(tmp_path / "run"), quiet, threading.Event())
