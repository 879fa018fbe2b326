"""The LoCoMo loader on the published file, where it stands beside the checkout."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path

import pytest
from json_places import leads_to

from memarena.records import NOT_MENTIONED, Question, Sample
from memarena_arena.locomo import LoCoMo, LoCoMoOptions

SHARED = Path(os.environ.get("MEMARENA_SHARED") or Path(__file__).resolve().parents[3] / ".." / "shared")
PUBLISHED = SHARED / "data" / "locomo" / "locomo10.json"
AUDIT = SHARED / "data" / "locomo-audit" / "errors.json"

pytestmark = pytest.mark.skipif(
    not (PUBLISHED.is_file() and AUDIT.is_file()),
    reason="locomo10.json and its audit are not beside the checkout (MEMARENA_SHARED)",
)

COUNTS = {
    "adversarial_with_answer": 2,
    "blank_around_answer": 1,
    "blank_around_question": 1,
    "caption_without_url": 316,
    "conflicting_question": 1,
    "date_without_session": 16,
    "duplicate_evidence": 1,
    "duplicate_question": 12,
    "evidence_with_picture": 735,
    "list_answer": 169 + 22,
    "long_evidence": 4,
    "malformed_evidence_id": 1,
    "no_answer": 444,
    "no_events": 81,
    "no_evidence": 4,
    "no_evidence_id": 1,
    "no_question_mark": 3,
    "number_answer": 6,
    "observation_of_several_turns": 10 + 5,
    "odd_white_space": 39,
    "padded_evidence_id": 1,
    "picture_not_released": 910,
    "picture_without_query": 22,
    "redownload_flag": 206,
    "relative_date_answer": 91,
    "several_evidence_ids": 4,
    "unresolved_evidence": 2,
}


@pytest.fixture(scope="module")
def samples() -> list[Sample]:
    return list(LoCoMo().open(str(PUBLISHED)))


@pytest.fixture(scope="module")
def questions(samples: list[Sample]) -> list[Question]:
    return [item for sample in samples for stop in sample.checkpoints for item in stop.questions]


def find(samples: list[Sample], sample_id: str, number: int) -> Question:
    """The question at a place of the file, from 0."""
    (sample,) = (sample for sample in samples if sample.sample_id == sample_id)
    return sample.checkpoints[0].questions[number]


def test_every_irregularity_is_counted() -> None:
    data = LoCoMo().open(str(PUBLISHED))
    list(data)
    assert data.report.counts == COUNTS
    assert data.report.refused == ()


def test_every_finding_leads_to_its_place_in_the_file() -> None:
    data = LoCoMo().open(str(PUBLISHED))
    list(data)
    tree = json.loads(PUBLISHED.read_text(encoding="utf-8"))
    assert not [finding for finding in data.report.findings if not leads_to(tree, finding.path)]


def test_all_conversations_come_in_file_order(samples: list[Sample]) -> None:
    numbers = (26, 30, 41, 42, 43, 44, 47, 48, 49, 50)
    assert [sample.sample_id for sample in samples] == [f"conv-{number}" for number in numbers]


def test_sessions_turns_and_pictures_are_complete(samples: list[Sample]) -> None:
    sessions = [session for sample in samples for session in sample.sessions]
    turns = [turn for session in sessions for turn in session.turns]
    assert (len(sessions), len(turns)) == (272, 5882)
    assert sum(len(turn.attachments) for turn in turns) == 910 + 316


def test_no_question_is_lost_in_any_category(questions: list[Question]) -> None:
    assert Counter(question.raw_type for question in questions) == {
        "multi-hop": 282,
        "temporal": 321,
        "open-domain": 96,
        "single-hop": 841,
        "adversarial": 446,
    }


def test_all_but_444_questions_can_be_answered(questions: list[Question]) -> None:
    unanswerable = [question for question in questions if not question.answerable]
    assert len(unanswerable) == 444
    assert {question.reference for question in unanswerable} == {NOT_MENTIONED}
    assert all(question.stale_answers for question in unanswerable)


@pytest.mark.parametrize(
    ("sample_id", "number", "ids"),
    [
        ("conv-26", 37, ["D8:6", "D9:17"]),
        ("conv-49", 38, ["D22:1", "D22:2", "D9:10", "D9:11"]),
        ("conv-43", 18, ["D1:14", "D2:7", "D4:7", "D5:15", "D11:26", "D20:21", "D26:36"]),
        ("conv-50", 5, ["D4:5", "D5:5"]),
    ],
)
def test_odd_evidence_is_read(samples: list[Sample], sample_id: str, number: int, ids: list[str]) -> None:
    assert [item.evidence_id for item in find(samples, sample_id, number).evidence] == ids


@pytest.mark.parametrize(("sample_id", "number", "turn"), [("conv-42", 58, "D10:19"), ("conv-47", 38, "D4:36")])
def test_evidence_of_turns_that_do_not_exist_stays_unresolved(
    samples: list[Sample], sample_id: str, number: int, turn: str
) -> None:
    unresolved = [item for item in find(samples, sample_id, number).evidence if item.content is None]
    assert [item.evidence_id for item in unresolved] == [turn]


@pytest.mark.parametrize("number", [167, 178])
def test_two_adversarial_questions_are_answered_with_no(samples: list[Sample], number: int) -> None:
    asked = find(samples, "conv-26", number)
    assert (asked.raw_type, asked.reference, asked.answerable, asked.stale_answers) == (
        "adversarial",
        "No",
        True,
        ("Yes",),
    )


def test_by_evidence_all_questions_are_asked_too() -> None:
    data = LoCoMo().open(str(PUBLISHED), LoCoMoOptions(checkpoints="evidence"))
    assert sum(len(stop.questions) for sample in data for stop in sample.checkpoints) == 1986


def test_the_audit_marks_99_answers_as_known_wrong() -> None:
    data = LoCoMo().open(str(PUBLISHED), LoCoMoOptions(overlay=str(AUDIT)))
    marked = [item for sample in data for stop in sample.checkpoints for item in stop.questions if item.known_wrong]
    assert Counter(question.raw_type for question in marked) == {
        "multi-hop": 28,
        "temporal": 26,
        "open-domain": 9,
        "single-hop": 36,
    }
    assert Counter(question.known_wrong.partition(":")[0] for question in marked) == {
        "HALLUCINATION": 33,
        "TEMPORAL_ERROR": 26,
        "ATTRIBUTION_ERROR": 24,
        "AMBIGUOUS": 13,
        "INCOMPLETE": 3,
    }
    assert data.report.counts == COUNTS | {"known_wrong": 99, "wrong_citation": 57}


def test_the_audit_fits_a_selection_and_other_checkpoints() -> None:
    options = LoCoMoOptions(overlay=str(AUDIT), samples=("conv-30",), checkpoints="evidence")
    data = LoCoMo().open(str(PUBLISHED), options)
    (sample,) = data
    assert any(item.known_wrong for stop in sample.checkpoints for item in stop.questions)
    assert not [code for code in data.report.counts if code.startswith("overlay")]
