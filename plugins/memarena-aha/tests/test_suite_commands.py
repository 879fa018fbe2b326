"""`memarena aha`: what is listed and shown, what is run, what is played, what is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from memarena.cli import cli
from memarena.errors import UsageError
from memarena.store import RunStore


def aha(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(cli, ["aha", *words], input=typed)


def test_the_list_has_puzzles_families_and_the_world_of_vending() -> None:
    found = json.loads(aha("list", "--json").output)
    assert list(found) == ["puzzle", "euler", "vending"]
    assert [row["id"] for row in found["euler"]] == [f"F{number:02}" for number in range(1, 33)]
    assert {"id", "mechanism", "tier", "story"} == set(found["puzzle"][0])
    assert found["vending"]["horizons"] == [365, 90, 60, 30]
    assert len(found["vending"]["lessons"]) == 12


def test_a_person_is_not_told_what_opens_a_puzzle() -> None:
    listed, shown = aha("list").output, aha("show", "p01").output
    mechanism = json.loads(aha("list", "--json").output)["puzzle"][0]["mechanism"]
    assert "P01  tier" in listed
    assert "mechanism" not in shown
    assert f" {mechanism}" not in shown.partition("story:")[0]
    assert "play it: memarena aha play puzzle P01" in shown


def test_what_cannot_be_shown_is_refused_with_what_is_near() -> None:
    result = aha("show", "F33")
    assert isinstance(result.exception, UsageError)
    assert "there is no 'F33' to play; did you mean" in str(result.exception)


@pytest.mark.parametrize(
    ("words", "typed", "told"),
    [
        (["play", "puzzle", "P01"], "quit\n", "A strange story"),
        (["play", "euler", "F09"], "idea\nquit\n", "Opposite digits"),
        (["play", "vending", "calm", "--days", "2"], "quit\n", ""),
    ],
)
def test_each_part_can_be_played_and_left(
    words: list[str], typed: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    result = aha(*words, typed=typed)
    assert result.exception is None, result.output
    assert told in result.output


def test_days_belong_to_vending() -> None:
    result = aha("play", "euler", "--days", "7")
    assert isinstance(result.exception, UsageError)


def test_no_days_and_too_many_pairs_are_refused(tmp_path: Path) -> None:
    for days in ("0", "366"):
        refused = aha("play", "vending", "--days", days)
        assert (refused.exit_code, f"{days} is not in the range 1<=x<=365" in refused.output) == (2, True)
    assert aha("run", "--pairs", "1000000000", "--out", str(tmp_path / "run")).exit_code == 2
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize("words", [["play", "puzzle"], ["play", "vending"], ["serve", "puzzle", "--log", "log"]])
def test_a_negative_seed_is_refused_before_anything_is_played(words: list[str]) -> None:
    refused = aha(*words, "--seed", "-1")
    assert (refused.exit_code, "'--seed': -1 is not in the range" in refused.output) == (2, True)


def test_resume_begins_a_folder_that_is_not_there_and_goes_on_with_one_that_is(tmp_path: Path) -> None:
    words = [
        "run",
        "--part",
        "euler",
        "--pairs",
        "1",
        "-a",
        "verbatim",
        "-o",
        "aha.extras=[]",
        "-o",
        "euler.kinds=single",
    ]
    words += ["-o", "euler.conditions=full", "-o", 'aha.controls=["null"]', "--quiet", "--out", str(tmp_path / "run")]
    first = aha(*words, "--resume")
    assert first.exception is None, first.output
    played = {file: file.stat().st_mtime_ns for file in (tmp_path / "run" / "cells").rglob("episodes.jsonl")}
    assert len(played) == 3  # the pair cold, with the null arm, with verbatim
    again = aha(*words, "--resume")
    assert again.exception is None, again.output
    assert {file: file.stat().st_mtime_ns for file in (tmp_path / "run" / "cells").rglob("episodes.jsonl")} == played


def test_a_run_of_one_part_is_a_run_of_the_suite(tmp_path: Path) -> None:
    words = ["--part", "euler", "--pairs", "1", "-a", "verbatim", "-o", "aha.extras=[]", "-o", "euler.kinds=single"]
    options = ["-o", "euler.conditions=full", "-o", 'aha.controls=["null"]']
    result = aha("run", *words, *options, "--quiet", "--out", str(tmp_path / "run"))
    assert result.exception is None, result.output
    assert "null [control]" in result.output
    store = RunStore.open(tmp_path / "run")
    assert store.header["settings"]["agent"] == "lesson-reader"
    assert (store.header["settings"]["top_k"], store.header["settings"]["budget_tokens"]) == (8, 1500)
    assert (tmp_path / "run" / "scorecard.json").exists()
    assert store.suite == "aha"


def test_a_part_that_an_agent_does_not_play_is_refused(tmp_path: Path) -> None:
    result = aha("run", "--agent", "nobody", "--out", str(tmp_path / "run"))
    assert "nobody" in str(result.exception)


def test_the_score_of_another_suite_is_refused(tmp_path: Path) -> None:
    RunStore.create(tmp_path / "run", {"suite": "arena", "settings": {}, "adapters": [], "data": {}}).close()
    result = aha("score", str(tmp_path / "run"))
    assert isinstance(result.exception, UsageError)
    assert "a run of the suite arena" in str(result.exception)
