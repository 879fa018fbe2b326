"""LongMemEval, on invented records that hold every irregularity of the published files."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from public_lookalikes import codes, longmemeval, odd_in, only, paths, write_lines, write_list, write_one

from memarena.errors import DataError, UsageError
from memarena.records import NOT_MENTIONED
from memarena_arena.public.longmemeval import LongMemEval, LongMemEvalOptions
from memarena_arena.public.opened import PublicSamples


def opened(path: Path, **options: Any) -> PublicSamples:
    return LongMemEval().open(str(path), LongMemEvalOptions(**options))


def changed(**fields: Any) -> dict[str, Any]:
    return {**longmemeval(), **fields}


def read(tmp_path: Path, record: Any) -> tuple[list[Any], dict[str, int]]:
    data = opened(write_list(tmp_path / "longmemeval_s.json", record))
    samples = list(data)
    return samples, odd_in(data)


def test_a_question_is_a_sample_with_its_history_and_nothing_odd(tmp_path: Path) -> None:
    samples, odd = read(tmp_path, longmemeval())
    sample = only(samples)
    assert odd == {}
    assert (sample.sample_id, [session.session_id for session in sample.sessions]) == ("q1", ["S001", "S002"])
    assert [session.time for session in sample.sessions] == ["2023-05-20T02:21", "2023-05-21T10:00"]
    question = sample.checkpoints[0].questions[0]
    assert (question.type, question.raw_type, question.reference) == ("FR", "single-session-user", "The oboe")
    assert question.time == "2023-05-30T23:40"
    assert [(point.turn_ids, point.content) for point in question.evidence] == [
        (("S001:T000",), "I play the oboe in a band.")
    ]


def test_the_ids_that_tell_the_answer_reach_no_turn(tmp_path: Path) -> None:
    (sample,), _ = read(tmp_path, longmemeval())
    told = json.dumps([(turn.turn_id, turn.session_id, turn.text) for s in sample.sessions for turn in s.turns])
    assert "answer" not in told
    assert sample.meta["session_ids"] == {"S001": "answer_ab12_1", "S002": "filler_7"}


@pytest.mark.parametrize(
    ("raw", "kind"),
    [
        ("single-session-user", "FR"),
        ("single-session-assistant", "FR"),
        ("single-session-preference", "FR"),
        ("temporal-reasoning", "TR"),
        ("multi-session", "KR"),
        ("knowledge-update", "DU"),
        ("poetry", "UNKNOWN"),
    ],
)
def test_types_become_question_types(tmp_path: Path, raw: str, kind: str) -> None:
    (sample,), _ = read(tmp_path, changed(question_type=raw))
    question = sample.checkpoints[0].questions[0]
    assert (question.type, question.raw_type) == (kind, raw)


def test_an_abstention_is_told_by_its_id_and_has_no_evidence(tmp_path: Path) -> None:
    record = changed(question_id="q1_abs", answer="You never mentioned a drum.")
    (sample,), odd = read(tmp_path, record)
    question = sample.checkpoints[0].questions[0]
    assert (question.type, question.answerable, question.reference) == ("MB", False, NOT_MENTIONED)
    assert question.evidence == ()
    assert sample.meta["explanations"] == {"end:Q001": "You never mentioned a drum."}
    assert odd == {"unanswerable": 1, "evidence_of_abstention": 1}


def test_a_number_is_an_answer(tmp_path: Path) -> None:
    (sample,), odd = read(tmp_path, changed(answer=3))
    assert sample.checkpoints[0].questions[0].reference == "3"
    assert odd == {"number_answer": 1}


def test_a_preference_has_a_rubric_in_place_of_an_answer(tmp_path: Path) -> None:
    assert read(tmp_path, changed(question_type="single-session-preference"))[1] == {"rubric_answer": 1}


def test_sessions_that_are_not_in_the_order_of_time_are_sorted_with_their_evidence(tmp_path: Path) -> None:
    record = changed(haystack_dates=["2023/05/22 (Mon) 02:21", "2023/05/21 (Sun) 10:00"])
    (sample,), odd = read(tmp_path, record)
    assert odd == {"sessions_sorted": 1}
    assert sample.meta["session_ids"] == {"S001": "filler_7", "S002": "answer_ab12_1"}
    assert sample.checkpoints[0].questions[0].evidence[0].turn_ids == ("S002:T000",)


def test_a_filler_that_comes_twice_is_two_sessions(tmp_path: Path) -> None:
    record = longmemeval()
    for key in ("haystack_session_ids", "haystack_dates", "haystack_sessions"):
        record[key].append(record[key][1])
    (sample,), odd = read(tmp_path, record)
    assert odd == {"repeated_session_id": 1}
    assert [session.session_id for session in sample.sessions] == ["S001", "S002", "S003"]


def test_an_answer_session_without_a_flag_is_evidence_as_a_whole(tmp_path: Path) -> None:
    record = changed(answer_session_ids=["filler_7"])
    del record["haystack_sessions"][0][0]["has_answer"]
    (sample,), odd = read(tmp_path, record)
    (point,) = sample.checkpoints[0].questions[0].evidence
    assert (point.content, point.session_id, point.turn_ids) == (None, "S002", ("S002:T000", "S002:T001"))
    assert odd == {"session_without_answer_turn": 1}


def test_an_answer_that_only_the_assistant_gives_is_reported(tmp_path: Path) -> None:
    record = longmemeval()
    record["haystack_sessions"][0][0]["has_answer"] = False
    record["haystack_sessions"][0][1]["has_answer"] = True
    (sample,), odd = read(tmp_path, record)
    assert odd == {"answer_of_assistant": 1}
    assert sample.checkpoints[0].questions[0].evidence[0].turn_ids == ("S001:T001",)


MENDED: list[tuple[dict[str, Any], str]] = [
    ({"answer_session_ids": ["answer_gone"]}, "unresolved_evidence"),
    ({"answer_session_ids": ["filler_7"]}, "answer_turn_elsewhere"),
    ({"answer_session_ids": None}, "answer_turn_elsewhere"),
    ({"answer_session_ids": ["answer_ab12_1", "answer_ab12_1"]}, "odd_answer_session"),
    ({"haystack_dates": ["2023/05/20 (Sun) 02:21", "2023/05/21 (Sun) 10:00"]}, "odd_weekday"),
    ({"haystack_dates": ["soon", "2023/05/21 (Sun) 10:00"]}, "order_unknown"),
    ({"haystack_dates": ["2023/05/20 (Sat) 02:21", "2023/06/31 (Sat) 10:00"]}, "odd_time"),
    ({"haystack_dates": ["2023/05/20 (Sat) 02:21", None]}, "order_unknown"),
    ({"haystack_session_ids": ["answer_ab12_1", 7]}, "odd_session_id"),
    ({"question_date": "2023/05/01 (Mon) 23:40"}, "question_before_session"),
    ({"question": " Which? "}, "blank_around_question"),
    ({"answer": ["Oboe", "The oboe"]}, "several_answers"),
    ({"note": 1}, "unread_field"),
    (
        {"haystack_sessions": [[{"role": "user", "content": "", "has_answer": "True"}], [{"role": "user"}]]},
        "empty_text",
    ),
    ({"haystack_sessions": [[{"role": "bot", "content": "x", "has_answer": 1}], []]}, "odd_flag"),
    ({"haystack_sessions": [[{"role": "bot", "content": "x", "has_answer": True}], []]}, "empty_session"),
    ({"haystack_sessions": [[{"content": "x", "has_answer": True}], []]}, "no_role"),
    ({"haystack_sessions": [[{"role": "bot", "content": "x\ud800"}], []]}, "lone_surrogate"),
]


@pytest.mark.parametrize(("fields", "code"), MENDED)
def test_what_can_be_scored_without_guessing_is_reported(tmp_path: Path, fields: dict[str, Any], code: str) -> None:
    samples, odd = read(tmp_path, changed(**fields))
    assert len(samples) == 1
    assert code in odd


REFUSED: list[tuple[Any, str, str]] = [
    ([], "not_an_object", "$[0]"),
    (changed(question_id=None), "odd_sample_id", "$[0].question_id"),
    (changed(question_id="../x"), "odd_sample_id", "$[0].question_id"),
    (changed(question="  "), "no_question", "$[0].question"),
    (changed(answer=None), "no_answer", "$[0].answer"),
    (changed(answer=True), "no_answer", "$[0].answer"),
    (changed(haystack_dates=["2023/05/20 (Sat) 02:21"]), "lists_not_parallel", "$[0].haystack_sessions"),
    (changed(haystack_sessions=None), "not_a_list", "$[0].haystack_sessions"),
    (changed(haystack_sessions=[[], "x"]), "session_not_a_list", "$[0].haystack_sessions[1]"),
    (changed(haystack_sessions=[[{"content": 5}], []]), "text_not_a_text", "$[0].haystack_sessions[0][0].content"),
    (
        changed(haystack_sessions=[], haystack_dates=[], haystack_session_ids=[]),
        "no_sessions",
        "$[0].haystack_sessions",
    ),
]


@pytest.mark.parametrize(("record", "code", "path"), REFUSED)
def test_what_cannot_be_scored_is_refused_with_its_path(tmp_path: Path, record: Any, code: str, path: str) -> None:
    data = opened(write_list(tmp_path / "longmemeval_s.json", record))
    assert list(data) == []
    assert [finding.code for finding in data.report.refused] == [code]
    assert paths(data, code) == [path]


def test_a_question_that_comes_twice_is_refused(tmp_path: Path) -> None:
    data = opened(write_list(tmp_path / "x.json", longmemeval(), longmemeval()))
    assert len(list(data)) == 1
    assert paths(data, "repeated_sample_id") == ["$[1]"]


def test_the_hash_of_the_file_is_told_after_a_whole_pass(tmp_path: Path) -> None:
    data = opened(write_list(tmp_path / "x.json", longmemeval()))
    assert codes(data) == {"file_hash": 1}
    assert "sha256" in data.report.findings[0].message


def test_a_choice_of_samples_stops_at_the_last_of_them(tmp_path: Path) -> None:
    path = write_list(tmp_path / "x.json", longmemeval("a"), longmemeval("b"), {"question_id": "broken"})
    data = opened(path, samples=("b",))
    assert [sample.sample_id for sample in data] == ["b"]
    assert data.report.refused == ()
    with pytest.raises(UsageError, match="no such sample"):
        list(opened(path, samples=("c",)))


def test_an_overlay_marks_known_errors(tmp_path: Path) -> None:
    entry = {"sample_id": "q1", "question": "Which instrument do I play?", "known_wrong": "it is a flute"}
    overlay = write_list(tmp_path / "overlay.json", entry)
    data = opened(write_list(tmp_path / "x.json", longmemeval()), overlay=str(overlay))
    assert only(data).checkpoints[0].questions[0].known_wrong == "it is a flute"


def test_the_split_chooses_a_file_of_a_folder_also_by_its_older_name(tmp_path: Path) -> None:
    write_list(tmp_path / "longmemeval_oracle.json", longmemeval("o"))
    write_list(tmp_path / "longmemeval_s", longmemeval("s"))
    write_list(tmp_path / "longmemeval_m_cleaned.json", longmemeval("m"))
    found = {split: only(opened(tmp_path, split=split)).sample_id for split in ("oracle", "s", "m")}
    assert found == {"oracle": "o", "s": "s", "m": "m"}
    with pytest.raises(UsageError, match="--split"):
        opened(tmp_path)
    with pytest.raises(UsageError, match="this data set has oracle, s, m"):
        opened(tmp_path, split="l")


def test_a_file_is_known_by_its_first_bytes(tmp_path: Path) -> None:
    assert LongMemEval().accepts(write_list(tmp_path / "data.json", longmemeval()))
    assert LongMemEval().accepts(write_lines(tmp_path / "data.jsonl", longmemeval()))
    assert not LongMemEval().accepts(write_one(tmp_path / "other.json", {"question": "Why?"}))


def test_there_must_be_a_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="longmemeval:PATH"):
        LongMemEval().open("")
    with pytest.raises(DataError, match="no such file"):
        opened(tmp_path / "absent.json")
    with pytest.raises(DataError, match="no file"):
        opened(tmp_path)
    with pytest.raises(DataError, match="max_file_bytes"):
        opened(write_list(tmp_path / "longmemeval_s.json", longmemeval()), max_file_bytes=10)
