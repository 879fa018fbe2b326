"""`memarena run` and `score` as a person uses them: refusals, tables, scores, settings."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from run_commands import memarena, one_line, run

from memarena.store import RunStore


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["run", "-d", "mini"], ["no memory system was chosen", "-a"]),
        (["run", "-a", "bm25"], ["no data set was chosen", "-d mini"]),
        (["run", "-d", "mini", "-a", "bm52"], ["unknown adapter 'bm52'", "did you mean 'bm25'"]),
        (["run", "-d", "no/such/folder", "-a", "bm25"], ["no/such/folder", "there is no such file"]),
        (["run", "-d", "minni", "-a", "bm25"], ["minni", "did you mean 'mini'"]),
        (["run", "-d", "mini", "-a", "bm25", "-a", "bm25"], ["labelled 'bm25'", "-a bm25-2=bm25"]),
        (["run", "-d", "mini", "-a", "bm25", "-o", "bm25.rounds=1"], ["no option 'rounds'"]),
        (["run", "-d", "mini", "-a", "bm25", "-o", "other.k1=1"], ["other.k1"]),
        (["run", "-d", "mini", "-a", "bm25", "-o", "bm25.k1=high"], ["k1"]),
        (["run", "-d", "mini", "-a", "bm25", "--answerer", "gpt"], ["unknown answerer 'gpt'"]),
        (["run", "-d", "mini", "-a", "bm25", "--judge", "llm"], ["llm needs a model", "--model judge=NAME"]),
        (["run", "-d", "mini", "-a", "bm25", "--sample", "software_1"], ["software_1", "software_01"]),
        (["run", "-d", "mini", "-a", "bm25", "--overlay", "no.json"], ["no.json"]),
        (["run", "-d", "tiny", "-a", "verbatim", "--split", "small"], ["--split", "tiny"]),
        (["run", "-d", "mini", "-a", "bm25", "--top-k", "0"], ["--top-k", "at least 1"]),
        (["run", "-d", "mini", "-a", "bm25", "--repeats", "-1"], ["--repeats"]),
        (
            ["run", "-d", "tiny", "-a", "gold-evidence=verbatim", "--oracle", "retrieve"],
            ["LABEL=NAME"],
        ),
        (["run", "--resume", "-d", "mini"], ["--out"]),
        (["score", "no-run"], ["no-run is no run folder"]),
        (["report", "no-run"], ["no-run is no run folder"]),
    ],
)
def test_a_persons_mistake_is_one_line_before_anything_is_written(
    words: list[str], parts: list[str], tmp_path: Path
) -> None:
    result = subprocess.run(
        [sys.executable, "-m", "memarena", *words],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        check=False,
        encoding="utf-8",
    )
    one_line(result, *parts)
    assert list(tmp_path.iterdir()) == []


def test_a_run_ends_with_a_table_and_a_report(tmp_path: Path) -> None:
    result = run(tmp_path / "r", "-a", "verbatim", "-a", "nothing")
    assert result.returncode == 0, result.stderr
    assert "verbatim" in result.stdout
    assert (tmp_path / "r" / "report.html").stat().st_size > 10_000


def test_a_dry_run_says_what_would_be_run_and_writes_nothing(tmp_path: Path) -> None:
    result = run(tmp_path / "r", "-a", "verbatim", "-a", "nothing", "--oracle", "retrieve", "--dry-run")
    assert result.returncode == 0, result.stderr
    assert "2 samples, 3 sessions" in result.stdout
    assert "3 rows (verbatim, nothing, gold-evidence), 6 cells, 15 answers" in result.stdout
    assert "at most 72 judgements" in result.stdout
    assert list(tmp_path.iterdir()) == []


def test_limit_and_sample_choose_exactly_what_is_run(tmp_path: Path) -> None:
    run(tmp_path / "a", "-a", "nothing", "--limit", "1")
    run(tmp_path / "b", "-a", "nothing", "--sample", "tiny-work")
    assert [spec.sample_id for spec in RunStore.open(tmp_path / "a").specs()] == ["tiny-home"]
    assert [spec.sample_id for spec in RunStore.open(tmp_path / "b").specs()] == ["tiny-work"]


def test_scoring_again_costs_no_judgement_and_gives_the_same_bytes(tmp_path: Path) -> None:
    run(tmp_path / "r", "-a", "verbatim")
    before = (tmp_path / "r" / "scores.jsonl").read_bytes()
    again = memarena("score", str(tmp_path / "r"))
    assert again.returncode == 0, again.stderr
    assert "0 judgements made" in again.stdout
    assert (tmp_path / "r" / "scores.jsonl").read_bytes() == before


def test_scores_as_json_hold_no_path_and_no_time(tmp_path: Path) -> None:
    run(tmp_path / "one", "-a", "verbatim")
    run(tmp_path / "two", "-a", "verbatim")
    one, two = (memarena("score", str(tmp_path / name), "--json").stdout for name in ("one", "two"))
    assert one == two
    assert str(tmp_path) not in one
    rows = json.loads(one)
    assert {row["label"] for row in rows} == {"verbatim"}


def test_settings_come_from_file_environment_and_flag(tmp_path: Path) -> None:
    (tmp_path / "memarena.toml").write_text(
        '[run]\ndata = "tiny"\ntop_k = 3\nadapters = ["nothing"]\n', encoding="utf-8"
    )
    result = subprocess.run(
        [sys.executable, "-m", "memarena", "run", "--out", "r", "--quiet", "--seed", "9"],
        cwd=tmp_path,
        env={**os.environ, "MEMARENA_TOP_K": "4"},
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert result.returncode == 0, result.stderr
    settings = RunStore.open(tmp_path / "r").header["settings"]
    assert (settings["top_k"], settings["seed"]) == (4, 9)


def test_a_platform_encoding_other_than_utf8_changes_nothing(tmp_path: Path) -> None:
    env = {"PYTHONUTF8": "0", "LC_ALL": "C", "PYTHONIOENCODING": "ascii"}
    result = memarena(
        "run", "-d", "mini", "-a", "verbatim", "--quiet", "--limit", "1", "--out", str(tmp_path / "r"), env=env
    )
    assert result.returncode == 0, result.stderr
