"""Overlays: marks on questions whose gold is known to be wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memarena.errors import DataError
from memarena.protocols import LoadReport
from memarena.records import Checkpoint, Question, Sample
from memarena_arena import overlay

SAMPLE = Sample(
    sample_id="conv-26",
    meta={"aliases": ("locomo_0",)},
    checkpoints=(
        Checkpoint(
            checkpoint_id="QA00",
            covered=("S00",),
            after_session="S00",
            questions=(
                Question(question_id="QA00:Q001", text="Who came first?", reference="Ann"),
                Question(question_id="QA00:Q002", text="Who came  last?", reference="Bea"),
            ),
        ),
        Checkpoint(
            checkpoint_id="QA01",
            covered=("S01",),
            after_session="S01",
            questions=(
                Question(question_id="QA01:Q001", text="Who came last?", reference="Cid"),
                Question(question_id="QA01:Q003", text="Who stayed?", reference="Ann"),
            ),
        ),
    ),
)


def marks(tmp_path: Path, *entries: Any, complete: bool = True) -> tuple[dict[str, str], dict[str, int]]:
    """The reasons by question id, and the counts of the report, after laying `entries` over `SAMPLE`."""
    path = tmp_path / "overlay.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    report = LoadReport()
    (sample,) = overlay.apply([SAMPLE], overlay.read(path), report, complete=complete)
    questions = [item for checkpoint in sample.checkpoints for item in checkpoint.questions]
    assert len(questions) == 4
    return {item.question_id: item.known_wrong for item in questions if item.known_wrong}, report.counts


def test_a_question_is_marked_by_its_id(tmp_path: Path) -> None:
    entry = {"sample_id": "conv-26", "question_id": "QA01:Q001", "known_wrong": "it was Dan"}
    assert marks(tmp_path, entry) == ({"QA01:Q001": "it was Dan"}, {"known_wrong": 1})


def test_a_sample_is_known_by_its_other_name_too(tmp_path: Path) -> None:
    entry = {"sample_id": "locomo_0", "question_id": "QA01:Q001", "known_wrong": "it was Dan"}
    assert marks(tmp_path, entry)[0] == {"QA01:Q001": "it was Dan"}


def test_an_id_without_checkpoint_fits_where_it_is_unique(tmp_path: Path) -> None:
    entry = {"sample_id": "conv-26", "question_id": "Q003", "known_wrong": "no"}
    assert marks(tmp_path, entry)[0] == {"QA01:Q003": "no"}


def test_an_id_without_checkpoint_that_fits_twice_changes_nothing(tmp_path: Path) -> None:
    entry = {"sample_id": "conv-26", "question_id": "Q001", "known_wrong": "no"}
    assert marks(tmp_path, entry) == ({}, {"overlay_ambiguous": 1})


def test_a_text_marks_every_question_that_reads_so(tmp_path: Path) -> None:
    entry = {"sample_id": "conv-26", "question": "Who came last?", "known_wrong": "no"}
    assert marks(tmp_path, entry) == ({"QA00:Q002": "no", "QA01:Q001": "no"}, {"known_wrong": 2})


def test_an_id_with_another_text_changes_nothing(tmp_path: Path) -> None:
    entry = {"sample_id": "conv-26", "question_id": "QA01:Q003", "question": "Who left?", "known_wrong": "no"}
    assert marks(tmp_path, entry) == ({}, {"overlay_mismatch": 1})


@pytest.mark.parametrize(
    "entry",
    [
        {"sample_id": "conv-26", "question_id": "QA09:Q001", "known_wrong": "no"},
        {"sample_id": "conv-26", "question": "Who?", "known_wrong": "no"},
        {"sample_id": "conv-27", "question": "Who stayed?", "known_wrong": "no"},
    ],
)
def test_an_entry_that_fits_nothing_is_counted(tmp_path: Path, entry: dict[str, str]) -> None:
    assert marks(tmp_path, entry) == ({}, {"overlay_unmatched": 1})


def test_entries_of_samples_that_were_not_chosen_are_not_counted(tmp_path: Path) -> None:
    entry = {"sample_id": "conv-27", "question": "Who stayed?", "known_wrong": "no"}
    assert marks(tmp_path, entry, complete=False) == ({}, {})


def test_an_audit_counts_questions_from_zero(tmp_path: Path) -> None:
    entry = {
        "question_id": "locomo_0_qa2",
        "question": "Who stayed?",
        "error_type": "TEMPORAL_ERROR",
        "reasoning": "Nobody did.",
    }
    assert marks(tmp_path, entry)[0] == {"QA01:Q003": "TEMPORAL_ERROR: Nobody did."}


def test_a_wrong_citation_is_counted_and_leaves_the_answer(tmp_path: Path) -> None:
    entry = {"question_id": "locomo_0_qa2", "question": "Who stayed?", "error_type": "WRONG_CITATION"}
    assert marks(tmp_path, entry) == ({}, {"wrong_citation": 1})


def test_a_finding_names_the_overlay_and_the_entry(tmp_path: Path) -> None:
    path = tmp_path / "overlay.json"
    entry = {"sample_id": "conv-26", "question": "Who?", "known_wrong": "no"}
    path.write_text(json.dumps([entry]), encoding="utf-8")
    report = LoadReport()
    list(overlay.apply([SAMPLE], overlay.read(path), report))
    assert [(row.file, row.path, row.level) for row in report.findings] == [(str(path), "$[0]", "warning")]


@pytest.mark.parametrize(
    ("entries", "where"),
    [
        ({}, r"\$: "),
        ([3], r"\$\[0\]: "),
        ([{"question": "Who?", "known_wrong": "no"}], r"\$\[0\]\.sample_id: "),
        ([{"sample_id": "a", "question": "Who?"}], r"\$\[0\]\.known_wrong: "),
        ([{"sample_id": "a", "question": "Who?", "known_wrong": ""}], r"\$\[0\]\.known_wrong: "),
        ([{"sample_id": "a", "known_wrong": "no"}], r"\$\[0\]: needs a question_id or a question"),
        ([{"sample_id": "a", "question_id": 4, "known_wrong": "no"}], r"\$\[0\]\.question_id: "),
        ([{"question_id": "a", "question": "Who?", "error_type": "X"}], r"\$\[0\]\.question_id: 'a' is not"),
        ([{"question_id": "a_qa1", "error_type": "X"}], r"\$\[0\]\.question: "),
    ],
)
def test_an_overlay_that_cannot_be_understood_is_one_line(tmp_path: Path, entries: Any, where: str) -> None:
    path = tmp_path / "overlay.json"
    path.write_text(json.dumps(entries), encoding="utf-8")
    with pytest.raises(DataError, match=where) as caught:
        overlay.read(path)
    assert str(caught.value).startswith(str(path))


def test_an_overlay_that_is_not_there_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="cannot be read"):
        overlay.read(tmp_path / "absent.json")
