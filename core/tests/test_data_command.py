"""`memarena data`: what it counts, checks, shows and fetches."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from memarena.cli import main
from memarena.datastats import DataStats
from memarena.records import (
    Attachment,
    Checkpoint,
    Evidence,
    GoldPoint,
    Question,
    Sample,
    Session,
    Turn,
)


def run(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(["data", *words])
    assert isinstance(ended.value.code, int)
    return ended.value.code


def test_a_row_counts_what_a_person_would_count() -> None:
    turns = tuple(
        Turn(
            turn_id=f"S01:T00{index}",
            session_id="S01",
            index=index,
            text="four words, a mark",
            attachments=(Attachment(image_id=f"p{index}", missing=index == 1),),
        )
        for index in range(2)
    )
    points = (
        GoldPoint(memory_id="u", content="U", session_id="S01", kind="update"),
        GoldPoint(memory_id="n", content="N", session_id="S01"),
        GoldPoint(memory_id="i", content="I", session_id="S01", kind="interference"),
    )
    question = Question(
        question_id="C:Q001",
        text="?",
        reference="!",
        type="FR",
        evidence=(Evidence(evidence_id="n", content="N"), Evidence(evidence_id="gone")),
    )
    sample = Sample(
        sample_id="s",
        regime="lifelong",
        sessions=(Session(session_id="S01", turns=turns, points=points), Session(session_id="S02")),
        checkpoints=(
            Checkpoint(checkpoint_id="C", covered=("S01",), after_session="S01", questions=(question, question)),
            Checkpoint(checkpoint_id="D", covered=("S9",), after_session=None, questions=(question,)),
        ),
        dropped_blocks=("S77",),
    )
    stats = DataStats()
    stats.add(sample)
    (row,) = stats.rows
    assert row["sessions"] == ["S01", "S02"]
    assert (row["turns"], row["attachments"], row["missing_images"]) == (2, 2, ["p1"])
    assert row["gold"] == {
        "S01": {"new": ["n"], "update": ["u"], "interference": ["i"]},
        "S02": {"new": [], "update": [], "interference": []},
    }
    assert (row["checkpoints_reachable"], row["questions_reachable"]) == (1, 2)
    assert row["triggers"] == {"C": "S01"}
    assert row["unresolved_evidence"] == ["gone", "gone"]
    assert (row["dropped_blocks"], row["unreachable_checkpoints"]) == (["S77"], ["D"])
    totals = stats.totals()
    assert totals["gold"] == {"new": 1, "update": 1, "interference": 1}
    assert totals["questions_by_type"] == {"FR": 2}
    assert totals["tokens"] == 2 * (1 + 2 + 1 + 1 + 1)


def test_stats_prints_one_json_object(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stats", "a.toy", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["samples_in_loader_order"] == ["one", "two", "three"]
    assert printed["samples"][0]["missing_images"] == []
    assert printed["totals"]["questions_by_type"] == {"DU": 3}
    assert printed["report"] == {"counts": {}, "licence": "MIT"}


def test_stats_prints_a_table(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("stats", "toy") == 0
    printed = capsys.readouterr().out
    assert "three" in printed
    assert "update 3" in printed
    assert "DU 3" in printed


def test_stats_of_a_refused_data_set_prints_each_fault_and_nothing_else(
    toys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("stats", "bad.toy", "--json") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.splitlines() == [
        "memarena: bad.toy: $.q[0]: a question needs an answer",
        "memarena: bad.toy: $.q[1]: a question needs an answer",
    ]


def test_validate_accepts_with_exit_code_0(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", "a.toy") == 0
    assert "3 samples can be used; nothing odd; a run would start" in capsys.readouterr().out


def test_validate_refuses_with_exit_code_2_and_names_every_fault(
    toys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("validate", "bad.toy") == 2
    out = capsys.readouterr().out
    assert "refused: bad.toy: $.q[0]: a question needs an answer [no_answer]" in out
    assert "refused: bad.toy: $.q[1]: a question needs an answer [no_answer]" in out
    assert "2 refused: a run would not start" in out


def test_validate_prints_json(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("validate", "bad.toy", "--json") == 2
    printed = json.loads(capsys.readouterr().out)
    assert (printed["accepted"], printed["samples"], printed["counts"]) == (False, 3, {"no_answer": 2})
    assert printed["findings"][0] == {
        "level": "refused",
        "code": "no_answer",
        "file": "bad.toy",
        "path": "$.q[0]",
        "message": "a question needs an answer",
    }


def test_show_prints_dialogue_gold_and_questions(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "plain", "two", "--session", "S01") == 0
    printed = capsys.readouterr().out
    for text in ("two", "I live here.", "update m1 Lives here.", "Was there.", "Where?", "answer: Here", "unresolved"):
        assert text in printed


def test_show_never_lets_a_text_steer_the_terminal(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "plain", "two") == 0
    assert "\x1b" not in capsys.readouterr().out


def test_show_writes_a_page(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "plain", "two", "--html", "pages/two.html") == 0
    assert capsys.readouterr().out.startswith(str(Path("pages/two.html")))
    assert "I live here." in (toys / "pages" / "two.html").read_text(encoding="utf-8")


def test_show_of_an_unknown_session_names_a_close_one(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "plain", "two", "--session", "S0") == 2
    assert "did you mean 'S01'" in capsys.readouterr().err


def test_an_option_of_the_data_set_can_be_set(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("show", "a.toy", "one", "-o", "toy.shout=true") == 0
    assert "I LIVE HERE." in capsys.readouterr().out


def test_fetch_says_where_the_files_are(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("fetch", "toy", "--to", "here", "--yes") == 0
    out, err = capsys.readouterr()
    assert out == "here: use it with -d toy:here\n"
    assert "fetches 5 bytes" in err


def test_fetch_without_a_terminal_needs_yes(toys: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("fetch", "toy") == 2
    assert "fetches 5 bytes: add --yes to go on" in capsys.readouterr().err


def test_fetch_of_a_data_set_that_has_nothing_to_fetch_is_an_error(
    toys: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run("fetch", "plain") == 2
    assert "'plain' has nothing to fetch" in capsys.readouterr().err
