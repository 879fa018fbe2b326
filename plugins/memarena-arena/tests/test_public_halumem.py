"""HaluMem, on invented users that hold every irregularity of the published files."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from public_lookalikes import codes, halumem, odd_in, only, paths, with_value, write_lines

from memarena.errors import UsageError
from memarena.records import NOT_MENTIONED, Sample
from memarena_arena.public.halumem import HaluMem, HaluMemOptions
from memarena_arena.public.opened import PublicSamples


def opened(path: Path, **options: Any) -> PublicSamples:
    return HaluMem().open(str(path), HaluMemOptions(**options))


def user(tmp_path: Path, record: Any) -> tuple[Sample, dict[str, int]]:
    data = opened(write_lines(tmp_path / "HaluMem-Medium.jsonl", record))
    sample = only(data)
    return sample, odd_in(data)


def changed(place: str, value: Any) -> dict[str, Any]:
    """The user with `value` at `place`."""
    record: dict[str, Any] = with_value(halumem(), place, value)
    return record


def test_a_user_is_a_sample_with_gold_and_questions_after_their_sessions(tmp_path: Path) -> None:
    sample, odd = user(tmp_path, halumem())
    assert odd == {"unanswerable": 1}
    assert (sample.sample_id, sample.regime) == ("6c4d-01", "lifelong")
    points = [(point.memory_id, point.kind, point.replaces) for s in sample.sessions for point in s.points]
    assert points == [
        ("mp_S01_1", "new", ()),
        ("mp_S02_1", "update", ("Mara earns 18000 a month.",)),
        ("mp_S02_2", "interference", ()),
    ]
    asked = [(stop.checkpoint_id, stop.after_session, len(stop.covered)) for stop in sample.checkpoints]
    assert asked == [("after-S01", "S01", 1), ("after-S02", "S02", 2)]


def test_the_user_has_the_name_of_the_persona_and_no_more_of_it(tmp_path: Path) -> None:
    sample, _ = user(tmp_path, halumem())
    speakers = [turn.speaker for session in sample.sessions for turn in session.turns]
    assert speakers == ["Mara Voss", "", "Mara Voss", ""]
    assert not any("41" in turn.text for session in sample.sessions for turn in session.turns)


def test_evidence_is_the_point_with_that_text(tmp_path: Path) -> None:
    sample, _ = user(tmp_path, halumem())
    (point,) = sample.checkpoints[0].questions[0].evidence
    assert (point.evidence_id, point.kind, point.session_id, point.importance) == ("mp_S01_1", "new", "S01", 0.75)


def test_a_boundary_question_cannot_be_answered(tmp_path: Path) -> None:
    sample, _ = user(tmp_path, halumem())
    question = sample.checkpoints[1].questions[0]
    assert (question.type, question.answerable, question.reference) == ("MB", False, NOT_MENTIONED)
    assert sample.meta["explanations"] == {"after-S02:Q001": "It is not known whether she has one."}


def test_of_equal_texts_the_latest_before_the_question_is_meant(tmp_path: Path) -> None:
    record = halumem()
    record["sessions"][1]["memory_points"][0] = {**record["sessions"][0]["memory_points"][0], "index": 1}
    record["sessions"][1]["questions"] = record["sessions"][0]["questions"]
    sample, odd = user(tmp_path, record)
    found = [stop.questions[0].evidence[0].evidence_id for stop in sample.checkpoints]
    assert found == ["mp_S01_1", "mp_S02_1"]
    assert odd["repeated_point"] == 1


def test_a_filler_session_is_told_but_its_gold_counts_nowhere(tmp_path: Path) -> None:
    record = changed("sessions.0.is_generated_qa_session", True)
    record["sessions"][1]["memory_points"][0]["original_memories"] = []
    sample, odd = user(tmp_path, record)
    assert (len(sample.sessions[0].turns), sample.sessions[0].points) == (2, ())
    assert [stop.checkpoint_id for stop in sample.checkpoints] == ["after-S02"]
    assert odd["filler_session"] == 1


def test_a_filler_that_is_written_with_all_its_fields_is_nothing_odd(tmp_path: Path) -> None:
    record = halumem() | {"total_dialogue_token_length": 50, "total_question_count": 2, "token_cost": {}}
    first, second = record["sessions"]
    time = "Sep 20, 2025, 10:00:00"
    talk = [{"role": role, "content": "What is 2 + 2?", "dialogue_turn": 0} for role in ("user", "assistant")]
    filler = {
        "start_time": time, "end_time": time, "title": "x", "session_id": 1, "memory_points": [], "questions": [],
        "memory_points_count": 0, "question_count": 0, "dialogue_turn_num": 1, "dialogue_token_length": 9,
        "dialogue": talk, "is_generated_qa_session": True, "generation_source": "y",
    }  # fmt: skip
    record["sessions"] = [first, filler, second]
    sample, odd = user(tmp_path, record)
    assert odd == {"filler_session": 1, "unanswerable": 1}
    assert [turn.time for turn in sample.sessions[1].turns] == [None, None]


def test_a_filler_that_was_put_at_another_place_than_its_time_stays_there_and_is_reported(tmp_path: Path) -> None:
    record = halumem()
    filler = {**record["sessions"][0], "is_generated_qa_session": True, "start_time": "Nov 04, 2025, 08:00:00"}
    record["sessions"].insert(1, {**filler, "end_time": "Nov 04, 2025, 08:00:00"})
    sample, odd = user(tmp_path, record)
    assert [session.time for session in sample.sessions] == [
        "Sep 04, 2025, 21:11:58",
        "Nov 04, 2025, 08:00:00",
        "Oct 04, 2025, 08:00:00",
    ]
    assert odd["sessions_out_of_order"] == 1


@pytest.mark.parametrize(
    ("flag", "kind"), [("True", "update"), ("False", "new"), (True, "update"), (" true ", "update"), (None, "new")]
)
def test_the_flag_of_an_update_is_a_text(tmp_path: Path, flag: Any, kind: str) -> None:
    sample, _ = user(tmp_path, changed("sessions.1.memory_points.0.is_update", flag))
    assert sample.sessions[1].points[0].kind == kind


@pytest.mark.parametrize(
    ("text", "code"),
    [("mara earns 18000 a month", "original_matched_loosely"), ("Mara earns nothing.", "unmatched_original")],
)
def test_what_an_update_supersedes_is_looked_for(tmp_path: Path, text: str, code: str) -> None:
    sample, odd = user(tmp_path, changed("sessions.1.memory_points.0.original_memories", [text]))
    assert sample.sessions[1].points[0].replaces == (text,)
    assert odd[code] == 1


MENDED: list[tuple[str, Any, str]] = [
    ("persona_info", "a potter", "no_name"),
    ("persona_info", 5, "odd_value"),
    ("sessions.0.start_time", "soon", "odd_time"),
    ("sessions.0.end_time", "Sep 03, 2025, 21:31:58", "odd_end_time"),
    ("sessions.0.start_time", "Dec 04, 2025, 21:11:58", "sessions_out_of_order"),
    ("sessions.0.dialogue_turn_num", 9, "turn_count_off"),
    ("sessions.0.dialogue", [], "empty_session"),
    ("sessions.0.dialogue.0.content", " ", "empty_text"),
    ("sessions.0.dialogue.0.role", "potter", "odd_role"),
    ("sessions.0.dialogue.0.role", None, "no_role"),
    ("sessions.0.dialogue.0.timestamp", 7, "odd_time"),
    ("sessions.0.dialogue.0.content", "I earn a lot \ud83d.", "lone_surrogate"),
    ("sessions.0.memory_points.0.memory_content", "Mara earns 22000 a month.", "unsupported_number"),
    ("sessions.0.memory_points.0.importance", ..., "no_importance"),
    ("sessions.0.memory_points.0.importance", 75, "odd_importance"),
    ("sessions.0.memory_points.0.importance", "high", "odd_importance"),
    ("sessions.0.memory_points.0.index", "1", "odd_index"),
    ("sessions.1.memory_points.1.index", 1, "repeated_index"),
    ("sessions.0.memory_points.0.is_update", "maybe", "odd_flag"),
    ("sessions.0.memory_points.0.original_memories", ["x"], "original_without_update"),
    ("sessions.1.memory_points.0.original_memories", [], "update_without_original"),
    ("sessions.1.memory_points.0.original_memories", [3], "odd_value"),
    ("sessions.0.questions.0.evidence", [{"memory_content": "Mara has a cat."}], "unresolved_evidence"),
    ("sessions.0.questions.0.evidence", [{"memory_content": "mara earns 18000 a month"}], "evidence_matched_loosely"),
    ("sessions.0.questions.0.evidence", [{}], "no_evidence_id"),
    ("sessions.0.questions.0.evidence", [], "no_evidence"),
    ("sessions.0.questions.0.evidence", ["Mara earns 18000 a month."] * 2, "duplicate_evidence"),
    ("sessions.1.questions.0.evidence", ["Mara earns 20000 a month."], "evidence_of_abstention"),
    ("sessions.0.questions.0.question_type", "Poetry", "odd_type"),
    ("sessions.0.questions.0.difficulty", "brutal", "odd_difficulty"),
    ("sessions.0.questions.0.answer", 18000, "number_answer"),
    ("sessions.0.weather", "fine", "unread_field"),
]


@pytest.mark.parametrize(("place", "value", "code"), MENDED)
def test_what_can_be_scored_without_guessing_is_reported(tmp_path: Path, place: str, value: Any, code: str) -> None:
    sample, odd = user(tmp_path, changed(place, value))
    assert odd[code] >= 1
    assert len(sample.sessions) == 2


REFUSED: list[tuple[str, Any, str]] = [
    ("uuid", "", "odd_sample_id"),
    ("sessions", [], "no_sessions"),
    ("sessions", 3, "not_a_list"),
    ("sessions.0", "x", "not_an_object"),
    ("sessions.0.dialogue", "x", "not_a_list"),
    ("sessions.0.dialogue.0", 1, "not_an_object"),
    ("sessions.0.dialogue.0.content", 1, "text_not_a_text"),
    ("sessions.0.memory_points.0", 1, "not_an_object"),
    ("sessions.0.memory_points.0.memory_content", " ", "no_content"),
    ("sessions.0.questions.0.question", None, "no_question"),
    ("sessions.0.questions.0.answer", [], "no_answer"),
]


@pytest.mark.parametrize(("place", "value", "code"), REFUSED)
def test_what_cannot_be_scored_is_refused_with_line_and_path(tmp_path: Path, place: str, value: Any, code: str) -> None:
    file = write_lines(tmp_path / "HaluMem-Medium.jsonl", halumem("first"), changed(place, value))
    data = opened(file)
    assert [sample.sample_id for sample in data] == ["first"]
    found = next(finding for finding in data.report.refused if finding.code == code)
    assert found.file == f"{file}:2"
    assert found.path.replace("[", ".").replace("]", "").startswith(f"$.{place}")


def test_a_broken_line_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    file = write_lines(tmp_path / "x.jsonl", halumem("a"), halumem("b"))
    file.write_text(file.read_text(encoding="utf-8").replace("\n", "\n{broken\n", 1), encoding="utf-8")
    data = opened(file)
    assert [sample.sample_id for sample in data] == ["a", "b"]
    assert [finding.file for finding in data.report.refused] == [f"{file}:2"]


def test_the_split_chooses_a_file_and_the_licence_is_told(tmp_path: Path) -> None:
    write_lines(tmp_path / "HaluMem-Medium.jsonl", halumem("m"))
    write_lines(tmp_path / "HaluMem-Long.jsonl", halumem("l"))
    assert [only(opened(tmp_path, split=split)).sample_id for split in ("medium", "long")] == ["m", "l"]
    assert opened(tmp_path, split="long").report.licence == "CC BY-NC-ND 4.0"
    with pytest.raises(UsageError, match="does not belong"):
        opened(tmp_path / "HaluMem-Long.jsonl", split="medium")
    assert HaluMem().accepts(tmp_path)
    assert HaluMem().accepts(tmp_path / "HaluMem-Long.jsonl")


def test_a_second_pass_counts_anew(tmp_path: Path) -> None:
    data = opened(write_lines(tmp_path / "x.jsonl", changed("sessions.0.weather", 1)))
    assert codes(data) == codes(data) == {"file_hash": 1, "unanswerable": 1, "unread_field": 1}
    assert paths(data, "unread_field") == ["$.sessions[0].weather"]


def test_the_hash_of_the_file_is_told_after_a_whole_pass(tmp_path: Path) -> None:
    path = write_lines(tmp_path / "x.jsonl", halumem("a"), halumem("b"))
    data = opened(path)
    assert codes(data)["file_hash"] == 1
    assert sha256(path.read_bytes()).hexdigest() in data.report.findings[-1].message
    chosen = opened(path, samples=("a",))
    assert "file_hash" not in codes(chosen)
