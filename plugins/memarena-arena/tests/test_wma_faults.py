"""Each kind of fault: one line with file and JSON path, and the sample refused or kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from wma_folder import Folder

SESSION = "sessions.1"
TURN = "sessions.1.dialogue.0"
PICTURE = "sessions.1.dialogue.0.attachments.0"
BLOCK = "memory_points.0"
POINT = "memory_points.0.memory_points.0"
CHECKPOINT = "qa_checkpoints.0"
QUESTION = "qa_checkpoints.0.questions.0"
GONE = object()

REFUSED: list[tuple[str, Any, str]] = [
    # no question, no answer
    (f"{QUESTION}.question", GONE, "no_question"),
    (f"{QUESTION}.question", None, "bad_text"),
    (f"{QUESTION}.question", "", "no_question"),
    (f"{QUESTION}.question", " \n", "no_question"),
    (f"{QUESTION}.question", 7, "bad_text"),
    (f"{QUESTION}.question", ["?"], "bad_text"),
    (f"{QUESTION}.answer", GONE, "no_answer"),
    (f"{QUESTION}.answer", None, "bad_text"),
    (f"{QUESTION}.answer", "", "no_answer"),
    (f"{QUESTION}.answer", "\t", "no_answer"),
    (f"{QUESTION}.answer", True, "bad_text"),
    (f"{QUESTION}.answer", {"text": "Leeds"}, "bad_text"),
    # ids that are missing, repeat, or are no plain names
    ("sample_id", GONE, "bad_id"),
    ("sample_id", None, "bad_id"),
    ("sample_id", "", "bad_id"),
    ("sample_id", 1, "bad_text"),
    ("sample_id", "../up", "bad_id"),
    ("sample_id", "..", "bad_id"),
    ("sample_id", "a b", "bad_id"),
    ("sample_id", "x" * 129, "bad_id"),
    ("sample_id", "p\udc80", "bad_id"),
    ("sample_id", "personal_01\n", "bad_id"),
    (f"{SESSION}._v2_session_id", "S00", "repeated_id"),
    (f"{SESSION}._v2_session_id", "S 1", "bad_id"),
    (f"{SESSION}._v2_session_id", " ", "bad_id"),
    (f"{SESSION}._v2_session_id", 1, "bad_text"),
    (f"{CHECKPOINT}.checkpoint_id", GONE, "bad_id"),
    (f"{CHECKPOINT}.checkpoint_id", "QA/00", "bad_id"),
    (f"{CHECKPOINT}.checkpoint_id", ["QA00"], "bad_text"),
    # containers of the wrong type
    ("sessions", "S00", "bad_container"),
    ("sessions", {}, "bad_container"),
    (SESSION, "S01", "bad_container"),
    (SESSION, None, "bad_container"),
    (f"{SESSION}.dialogue", "hello", "bad_container"),
    (f"{SESSION}.dialogue", {"role": "user"}, "bad_container"),
    (TURN, ["hello"], "bad_container"),
    (f"{TURN}.attachments", {"image_id": "x"}, "bad_container"),
    (PICTURE, "x.png", "bad_container"),
    ("memory_points", 5, "bad_container"),
    (BLOCK, None, "bad_container"),
    (f"{BLOCK}.memory_points", "none", "bad_container"),
    (POINT, "Aiko lives in Leeds.", "bad_container"),
    (f"{POINT}.original_memories", {"0": "old"}, "bad_container"),
    (f"{POINT}.original_memories.0", ["old"], "bad_text"),
    ("qa_checkpoints", "later", "bad_container"),
    (CHECKPOINT, 0, "bad_container"),
    (f"{CHECKPOINT}.covered_sessions", "S01", "bad_container"),
    (f"{CHECKPOINT}.covered_sessions.0", 1, "bad_text"),
    (f"{CHECKPOINT}.questions", False, "bad_container"),
    (QUESTION, "Where?", "bad_container"),
    (f"{QUESTION}.evidence", "mp_S01_1", "bad_container"),
    (f"{QUESTION}.evidence.0", "mp_S01_1", "bad_container"),
    # texts that are none
    (f"{TURN}.content", 5, "bad_text"),
    (f"{TURN}.content", None, "bad_text"),
    (f"{TURN}.content", ["a"], "bad_text"),
    (f"{POINT}.memory_content", GONE, "no_content"),
    (f"{POINT}.memory_content", "  ", "no_content"),
    (f"{POINT}.memory_content", {}, "bad_text"),
    (f"{BLOCK}.session_id", 1, "bad_text"),
    # nothing to play
    ("sessions", [], "no_sessions"),
    ("sessions", GONE, "no_sessions"),
    ("sessions", None, "no_sessions"),
    # pictures outside the data set
    (f"{PICTURE}.file_path", "../../../secret.png", "outside_picture"),
    (f"{PICTURE}.file_path", "images/../images/personal_01/S01_img_1.png", "outside_picture"),
    (f"{PICTURE}.file_path", "/etc/passwd", "outside_picture"),
    (f"{PICTURE}.file_path", "..\\secret.png", "outside_picture"),
    (f"{PICTURE}.file_path", "C:\\secret.png", "outside_picture"),
    (f"{PICTURE}.file_path", "..", "outside_picture"),
]

REPORTED: list[tuple[str, Any, str]] = [
    (f"{POINT}.importance", "heavy", "odd_value"),
    (f"{POINT}.importance", "0.5", "odd_value"),
    (f"{POINT}.importance", True, "odd_value"),
    (f"{POINT}.importance", -1, "odd_importance"),
    (f"{POINT}.importance", 1.5, "odd_importance"),
    (f"{POINT}.importance", 10**400, "odd_value"),
    (f"{POINT}.is_update", "perhaps", "odd_flag"),
    (f"{POINT}.is_update", 1, "odd_value"),
    (f"{POINT}.is_update", [], "odd_value"),
    (f"{POINT}.original_memories.0", 5, "odd_value"),
    (f"{POINT}.timestamp", "Foo 02, 2025, 09:00:00", "odd_time"),
    (f"{POINT}.timestamp", 1736000000, "odd_value"),
    (f"{POINT}.memory_type", 3, "odd_value"),
    (f"{POINT}.memory_id", GONE, "no_memory_id"),
    (f"{POINT}.memory_content", 2022, "odd_value"),
    (f"{POINT}._session_id", "S00", "other_session"),
    (f"{POINT}.confidence", 0.5, "unread_field"),
    (f"{TURN}.role", "wizard", "odd_role"),
    (f"{TURN}.role", GONE, "no_role"),
    (f"{TURN}.role", 1, "odd_value"),
    (f"{TURN}.timestamp", "Feb 30, 2025, 09:00:00", "odd_time"),
    (f"{TURN}.timestamp", ["Jan"], "odd_value"),
    (f"{SESSION}.dialogue", [], "empty_session"),
    (f"{SESSION}.dialogue", None, "empty_session"),
    ("sessions.1.dialogue.1.content", "", "empty_turn"),
    (f"{PICTURE}.caption", 5, "odd_value"),
    (f"{PICTURE}.image_id", GONE, "no_image_id"),
    (f"{PICTURE}.file_path", "images/personal_01/s01_IMG_1.png", "missing_picture"),
    (f"{PICTURE}.file_path", GONE, "missing_picture"),
    (f"{PICTURE}.file_path", 5, "missing_picture"),
    (f"{PICTURE}.file_path", "a\0b", "missing_picture"),
    (f"{PICTURE}.file_path", "images", "missing_picture"),
    (f"{PICTURE}.file_path", "images/personal_01/" + "x" * 5000, "missing_picture"),
    (f"{PICTURE}.file_path", "x" * 5000 + "/x.png", "missing_picture"),
    (f"{BLOCK}.memory_points", None, "no_points"),
    (f"{QUESTION}.answer", 2022, "odd_value"),
    (f"{QUESTION}.question_type_abbrev", "XX", "odd_type"),
    (f"{QUESTION}.question_type_abbrev", GONE, "no_type"),
    (f"{QUESTION}.question_type_abbrev", 5, "odd_type"),
    (f"{QUESTION}.difficulty", 3, "odd_value"),
    (f"{QUESTION}.evidence.0", {}, "unresolved_evidence"),
    (f"{CHECKPOINT}.questions", [], "no_questions"),
    ("persona_2", {"deep": [[["x"]]]}, "unread_field"),
]


def changed(sample: dict[str, Any], place: str, value: Any) -> dict[str, Any]:
    """`sample` with another value at `place`, or without one."""
    *above, last = [int(step) if step.isdigit() else step for step in place.split(".")]
    parent: Any = sample
    for step in above:
        parent = parent[step]
    if value is GONE:
        del parent[last]
    else:
        parent[last] = value
    return sample


def as_path(place: str) -> str:
    return "$" + "".join(f"[{step}]" if step.isdigit() else f".{step}" for step in place.split("."))


@pytest.mark.parametrize(("place", "value", "code"), REFUSED)
def test_what_would_make_a_score_ambiguous_or_unsafe_is_refused(
    folder: Folder, place: str, value: Any, code: str
) -> None:
    folder.write(changed(folder.good(), place, value))
    samples, report = folder.load()
    assert [(finding.code, finding.path) for finding in report.refused] == [(code, as_path(place))]
    assert report.refused[0].file == "lifelong/personal/personal_01.json"
    assert samples == []


@pytest.mark.parametrize(("place", "value", "code"), REPORTED)
def test_what_can_be_scored_without_guessing_is_reported(folder: Folder, place: str, value: Any, code: str) -> None:
    folder.write(changed(folder.good(), place, value))
    samples, report = folder.load()
    found = {(finding.code, finding.path) for finding in report.findings}
    (path,) = [path for name, path in found if name == code]
    assert path == as_path(place) or as_path(place).startswith(path) or path.startswith(as_path(place))
    assert {finding.file for finding in report.findings} == {"lifelong/personal/personal_01.json"}
    assert (len(samples), report.refused) == (1, ())


def test_every_message_is_one_printable_line(folder: Folder) -> None:
    nasty = "\x1b[31m\nred\u202e\ud800" + "x" * 500
    raw = changed(folder.good(), f"{TURN}.role", nasty)
    raw = changed(raw, f"{PICTURE}.file_path", nasty)
    folder.write(changed(raw, nasty, nasty))
    for finding in folder.load()[1].findings:
        for text in (finding.message, finding.path, finding.file):
            assert text.isprintable()
            assert len(text) < 250


def test_several_faults_of_a_file_are_all_named(folder: Folder) -> None:
    raw = changed(folder.good(), f"{TURN}.content", 5)
    raw = changed(raw, f"{QUESTION}.answer", None)
    folder.write(changed(raw, f"{QUESTION}.question", ""))
    assert [finding.path for finding in folder.load()[1].refused] == [
        "$.sessions[1].dialogue[0].content",
        "$.qa_checkpoints[0].questions[0].answer",
        "$.qa_checkpoints[0].questions[0].question",
    ]


def test_what_follows_from_a_refused_part_is_not_told_again(folder: Folder) -> None:
    folder.write(changed(folder.good(), "sessions", "none"))
    assert [finding.path for finding in folder.load()[1].findings] == ["$.sessions"]


def test_a_second_checkpoint_of_one_id_is_refused(folder: Folder) -> None:
    raw = folder.good()
    raw["qa_checkpoints"].append(raw["qa_checkpoints"][0])
    folder.write(raw)
    assert [finding.path for finding in folder.load()[1].refused] == ["$.qa_checkpoints[1].checkpoint_id"]


def test_a_second_sample_of_one_id_is_refused_with_both_files_named(folder: Folder) -> None:
    folder.write(folder.good())
    folder.write(folder.good(), "lifelong/project/startup")
    samples, report = folder.load()
    (finding,) = report.refused
    assert (finding.code, finding.file) == ("repeated_id", "lifelong/project/startup/personal_01.json")
    assert "lifelong/personal/personal_01.json" in finding.message
    assert len(samples) == 1


def test_a_broken_sample_does_not_hide_the_others(folder: Folder) -> None:
    folder.write(folder.good("personal_02"), name="personal_02")
    folder.write(changed(folder.good(), f"{QUESTION}.answer", None))
    samples, report = folder.load()
    assert ([sample.sample_id for sample in samples], len(report.refused)) == (["personal_02"], 1)
