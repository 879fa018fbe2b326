"""`memarena answer`: new answers from recorded retrievals, the old run left as it was."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest
from run_commands import memarena

from memarena.store import RunStore


def state(folder: Path) -> dict[str, str]:
    return {
        str(file.relative_to(folder)): hashlib.sha256(file.read_bytes()).hexdigest()
        for file in sorted(folder.rglob("*"))
        if file.is_file()
    }


@pytest.fixture
def old(tmp_path: Path) -> Path:
    result = memarena("run", "-d", "tiny", "-a", "verbatim", "-a", "nothing", "--quiet", "--out", str(tmp_path / "old"))
    assert result.returncode == 0, result.stderr
    return tmp_path / "old"


def test_with_nothing_changed_the_scores_are_those_of_the_run(old: Path, tmp_path: Path) -> None:
    before = state(old)
    result = memarena("answer", str(old), "--quiet", "--out", str(tmp_path / "new"))
    assert result.returncode == 0, result.stderr
    assert state(old) == before
    assert (tmp_path / "new" / "scores.jsonl").read_bytes() == (old / "scores.jsonl").read_bytes()


def test_fewer_items_give_the_scores_of_a_run_that_asked_for_fewer(old: Path, tmp_path: Path) -> None:
    words = ("-a", "verbatim", "-a", "nothing", "--quiet", "--top-k", "1")
    memarena("run", "-d", "tiny", *words, "--out", str(tmp_path / "asked"))
    result = memarena("answer", str(old), "--top-k", "1", "--quiet", "--out", str(tmp_path / "cut"))
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "cut" / "scores.jsonl").read_bytes() == (tmp_path / "asked" / "scores.jsonl").read_bytes()
    shown = RunStore.open(tmp_path / "cut").history("verbatim~tiny-home").questions
    assert {len(question.shown.items) for question in shown} == {1}


def test_more_items_than_were_recorded_are_refused(old: Path, tmp_path: Path) -> None:
    result = memarena("answer", str(old), "--top-k", "11", "--out", str(tmp_path / "new"))
    assert result.returncode == 2
    assert "--top-k 11" in result.stderr
    assert "holds 10 items a question" in result.stderr
    assert not (tmp_path / "new").exists()


def test_whole_sessions_can_be_shown_in_place_of_items(old: Path, tmp_path: Path) -> None:
    result = memarena("answer", str(old), "--evidence-mode", "session", "--quiet", "--out", str(tmp_path / "new"))
    assert result.returncode == 0, result.stderr
    (first, *_) = RunStore.open(tmp_path / "new").history("verbatim~tiny-home").questions
    assert first.shown.items[0].text.startswith("[")
    assert "\n" in first.shown.items[0].text


def test_the_folder_is_named_after_the_run_and_says_where_it_comes_from(old: Path) -> None:
    assert memarena("answer", str(old), "--top-k", "2", "--quiet").returncode == 0
    assert memarena("answer", str(old), "--top-k", "3", "--quiet").returncode == 0
    made = [RunStore.open(old.parent / f"old-answers-{n}") for n in (1, 2)]
    assert [store.header["settings"]["top_k"] for store in made] == [2, 3]
    assert made[0].header["derived"] == {"from": "old", "changes": ["top_k"]}


def test_what_was_answered_before_it_stopped_is_not_asked_again(old: Path, tmp_path: Path) -> None:
    new = tmp_path / "new"
    memarena("answer", str(old), "--top-k", "2", "--quiet", "--out", str(new))
    wanted = (new / "scores.jsonl").read_bytes()
    answers = new / "cells" / "verbatim~tiny-home" / "answers.jsonl"
    lines = answers.read_bytes().splitlines(keepends=True)
    answers.write_bytes(lines[0])
    (new / "scores.jsonl").unlink()
    result = memarena("answer", str(old), "--top-k", "2", "--quiet", "--out", str(new))
    assert result.returncode == 0, result.stderr
    assert answers.read_bytes().splitlines(keepends=True)[0] == lines[0]
    assert len(answers.read_bytes().splitlines()) == len(lines)
    assert (new / "scores.jsonl").read_bytes() == wanted


def test_a_folder_that_holds_other_answers_is_refused(old: Path, tmp_path: Path) -> None:
    memarena("answer", str(old), "--top-k", "2", "--quiet", "--out", str(tmp_path / "new"))
    result = memarena("answer", str(old), "--top-k", "3", "--quiet", "--out", str(tmp_path / "new"))
    assert result.returncode == 2
    assert "settings.top_k was 2 and is now 3" in result.stderr
