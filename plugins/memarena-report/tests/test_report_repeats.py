"""Repeats: how far they lie apart, and how much of it each stage makes."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import pytest
from report_runs import Plan, write_run

from memarena.store import RunStore
from memarena_report.html import HtmlReport
from memarena_report.repeats import DRAWN, repeats_table, split, variance_table
from memarena_report.scores import Scores

NAMES = ("run", "retrieve", "answer", "judge")


def draws(**values: list[list[float]]) -> dict[str, list[np.ndarray]]:
    """By folder and repeat the means of the samples; what is not given is as in the run."""
    return {name: [np.array(one) for one in values.get(name, values["run"])] for name in NAMES}


def test_what_never_varies_has_no_variance_anywhere() -> None:
    assert {value for value, *_ in split(draws(run=[[0.5, 0.25], [0.5, 0.25]])).values()} == {0.0}


def test_what_only_the_memory_makes_is_all_written() -> None:
    # One sample, two memories: 0.2 and 0.6; half the square of their distance is 0.08.
    found = split(draws(run=[[0.2], [0.6]]))
    assert {name: value for name, (value, *_) in found.items()} == pytest.approx(
        {"all": 0.08, "write": 0.08, "retrieve": 0.0, "answer": 0.0, "judge": 0.0}
    )


def test_what_only_the_judge_makes_is_all_judged() -> None:
    # Every draw of labels is its own: in each folder the scores lie 0.2 from those of the run, whatever the repeat.
    run, other = [[0.4], [0.4]], [[0.6], [0.6]]
    found = split(draws(run=run, retrieve=other, answer=other, judge=other))
    assert {name: value for name, (value, *_) in found.items()} == pytest.approx(
        {"all": 0.02, "write": 0.0, "retrieve": 0.0, "answer": 0.0, "judge": 0.02}
    )


def test_a_mean_over_more_samples_varies_less() -> None:
    one, four = split(draws(run=[[0.2], [0.6]])), split(draws(run=[[0.2] * 4, [0.6] * 4]))
    assert four["write"][0] == pytest.approx(one["write"][0] / 4)
    assert (one["write"][1:], four["write"][1:]) == ((2, 1), (8, 4))


def test_a_sample_that_failed_in_one_draw_is_left_out() -> None:
    found = split(draws(run=[[0.2, np.nan], [0.6, np.nan]]))
    assert found["write"] == pytest.approx((0.08, 2, 1))


def test_planted_variances_are_read_back() -> None:
    rng = np.random.default_rng(4)
    samples, repeats, planted = 4_000, 3, {"write": 0.03, "retrieve": 0.02, "answer": 0.04, "judge": 0.01}

    def noise(stage: str) -> list[np.ndarray]:
        return [rng.normal(0, planted[stage] ** 0.5, samples) for _ in range(repeats)]

    write, retrieve, answer = noise("write"), noise("retrieve"), noise("answer")

    def add(*parts: list[np.ndarray]) -> list[np.ndarray]:
        return [sum(ones) for ones in zip(*parts, strict=True)]

    found = split(
        {
            "run": add(write, retrieve, answer, noise("judge")),
            "judge": add(write, retrieve, answer, noise("judge")),
            "answer": add(write, retrieve, noise("answer"), noise("judge")),
            "retrieve": add(write, noise("retrieve"), noise("answer"), noise("judge")),
        }
    )
    for stage, value in planted.items():
        assert found[stage][0] * samples == pytest.approx(value, abs=0.004)
    assert found["all"][0] * samples == pytest.approx(sum(planted.values()), abs=0.004)


def with_redrawn(path: Path, **seeds: int) -> Scores:
    """A run with two repeats whose `redrawn` folders come from other seeds, or are copies."""
    plan = Plan(shares={"bm25": 0.5}, samples=3, repeats=2)
    write_run(path / "run", plan)
    for stage in DRAWN:
        if stage != "write":
            folder = path / "run" / "redrawn" / stage
            if stage in seeds:
                write_run(folder, Plan(shares={"bm25": 0.5}, samples=3, repeats=2, seed=seeds[stage]))
            else:
                shutil.copytree(path / "run", folder, ignore=shutil.ignore_patterns("redrawn"))
    return Scores(RunStore.open(path / "run"))


def test_the_table_has_a_column_for_each_stage_and_squares_that_add_up(tmp_path: Path) -> None:
    scores = with_redrawn(tmp_path, retrieve=5)
    table = variance_table(scores)
    assert table is not None
    assert [column.key for column in table.columns] == ["all", "write", "retrieve", "answer", "judge"]
    every, write, retrieve, answer, judge = table.rows[0].numbers
    assert (answer.value, judge.value) == (0.0, 0.0)
    assert retrieve.value is not None
    assert retrieve.value > 0
    assert (retrieve.n, retrieve.samples, every.n) == (6, 3, 6)
    if "below 0" not in write.note:
        assert every.value**2 == pytest.approx(write.value**2 + retrieve.value**2)


def test_a_stage_whose_estimate_is_below_0_is_shown_as_0_and_said(tmp_path: Path) -> None:
    table = variance_table(with_redrawn(tmp_path, judge=5))
    assert table is not None
    answer = table.rows[0].numbers[3]
    assert (answer.value, answer.note) == (0.0, "below 0: too little varies to tell")


def test_a_run_in_which_nothing_was_drawn_again_has_no_such_table(tmp_path: Path) -> None:
    scores = Scores(write_run(tmp_path / "run", Plan(samples=2, repeats=2)))
    assert variance_table(scores) is None
    assert repeats_table(scores) is not None


def test_the_page_shows_both_tables_of_a_run_with_repeats(tmp_path: Path) -> None:
    scores = with_redrawn(tmp_path, retrieve=5)
    HtmlReport().write_to(tmp_path / "page.html", scores)
    page = (tmp_path / "page.html").read_text(encoding="utf-8")
    assert "Standard deviation over repeats" in page
    assert "by what makes it" in page
