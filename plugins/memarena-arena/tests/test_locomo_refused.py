"""What the LoCoMo loader refuses, what it mends, and that nothing makes it raise anything but a DataError."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from memarena.errors import DataError, MemarenaError
from memarena_arena.locomo import Conversations, LoCoMo, LoCoMoOptions

PLAIN: dict[str, Any] = {
    "sample_id": "conv-1",
    "conversation": {
        "speaker_a": "Ada",
        "speaker_b": "Bo",
        "session_1": [
            {"speaker": "Ada", "dia_id": "D1:1", "text": "I moved to Oslo."},
            {"speaker": "Bo", "dia_id": "D1:2", "text": "Lovely!", "img_url": ["https://x.example/1.png"]},
        ],
        "session_1_date_time": "1:56 pm on 8 May, 2023",
    },
    "qa": [{"question": "Where does Ada live?", "answer": "Oslo", "evidence": ["D1:1"], "category": 4}],
    "observation": {"session_1_observation": {"Ada": [["Ada lives in Oslo.", "D1:1"]]}},
    "event_summary": {"events_session_1": {"Ada": ["moves"], "date": "8 May, 2023"}},
}


def changed(path: str, value: Any) -> dict[str, Any]:
    """`PLAIN` with `value` at a dotted path; `...` removes what is there."""
    sample = copy.deepcopy(PLAIN)
    *steps, last = (int(step) if step.isdecimal() else step for step in path.split("."))
    place: Any = sample
    for step in steps:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return sample


def opened(folder: Path, *conversations: Any, **options: Any) -> Conversations:
    path = folder / "locomo.json"
    path.write_text(json.dumps(conversations), encoding="utf-8")
    return LoCoMo().open(str(path), LoCoMoOptions(**options))


REFUSED = [
    ("sample_id", ..., "odd_sample_id", "$[0].sample_id"),
    ("sample_id", 7, "odd_sample_id", "$[0].sample_id"),
    ("sample_id", "../up", "odd_sample_id", "$[0].sample_id"),
    ("sample_id", "..", "odd_sample_id", "$[0].sample_id"),
    ("conversation", [], "no_conversation", "$[0].conversation"),
    ("conversation.session_1", ..., "no_sessions", "$[0].conversation"),
    ("conversation.session_1", None, "session_not_a_list", "$[0].conversation.session_1"),
    ("conversation.session_1", {"0": "Hi"}, "session_not_a_list", "$[0].conversation.session_1"),
    ("conversation.session_01", [], "repeated_session", "$[0].conversation.session_01"),
    ("conversation.session_1.1", "Hi", "turn_not_an_object", "$[0].conversation.session_1[1]"),
    ("conversation.session_1.1.text", 5, "text_not_a_text", "$[0].conversation.session_1[1].text"),
    ("conversation.session_1.1.text", None, "text_not_a_text", "$[0].conversation.session_1[1].text"),
    ("conversation.session_1.1.dia_id", "D1:1", "repeated_dia_id", "$[0].conversation.session_1[1].dia_id"),
    ("qa", {}, "questions_not_a_list", "$[0].qa"),
    ("qa.0", "Where?", "question_not_an_object", "$[0].qa[0]"),
    ("qa.0.question", ..., "no_question", "$[0].qa[0].question"),
    ("qa.0.question", None, "no_question", "$[0].qa[0].question"),
    ("qa.0.question", "  ", "no_question", "$[0].qa[0].question"),
    ("qa.0.question", ["Where?"], "no_question", "$[0].qa[0].question"),
    ("qa.0.answer", ..., "no_answer_given", "$[0].qa[0].answer"),
    ("qa.0.answer", None, "no_answer_given", "$[0].qa[0].answer"),
    ("qa.0.answer", "", "no_answer_given", "$[0].qa[0].answer"),
    ("qa.0.answer", True, "no_answer_given", "$[0].qa[0].answer"),
    ("qa.0.answer", ["Oslo"], "no_answer_given", "$[0].qa[0].answer"),
    ("qa.0.evidence", "D1:1", "evidence_not_a_list", "$[0].qa[0].evidence"),
    ("qa.0.evidence", None, "evidence_not_a_list", "$[0].qa[0].evidence"),
]


@pytest.mark.parametrize(("path", "value", "code", "where"), REFUSED)
def test_what_would_make_a_score_ambiguous_is_refused(
    tmp_path: Path, path: str, value: Any, code: str, where: str
) -> None:
    data = opened(tmp_path, changed(path, value))
    assert list(data) == []
    assert (code, where) in [(finding.code, finding.path) for finding in data.report.refused]


MENDED = [
    ("conversation.speaker_a", ..., "odd_speaker"),
    ("conversation.speaker_b", "Ada", "odd_speaker"),
    ("conversation.session_2", [], "empty_session"),
    ("conversation.session_1_date_time", ..., "no_session_time"),
    ("conversation.session_1_date_time", 2023, "odd_session_time"),
    ("conversation.session_1_date_time", "7:55 pm on 9 Juin, 2023", "odd_session_time"),
    ("conversation.session_1.1.speaker", "Cy", "unknown_speaker"),
    ("conversation.session_1.1.speaker", 1, "no_speaker"),
    ("conversation.session_1.1.text", "", "empty_text"),
    ("conversation.session_1.1.text", ..., "empty_text"),
    ("conversation.session_1.1.dia_id", ..., "odd_dia_id"),
    ("conversation.session_1.1.dia_id", "D1-2", "odd_dia_id"),
    ("conversation.session_1.1.dia_id", "D1:7", "dia_id_off_place"),
    ("conversation.session_1.1.img_url", {"0": "x"}, "odd_picture"),
    ("conversation.session_1.1.blip_caption", 3, "odd_caption"),
    ("qa", ..., "no_questions"),
    ("qa.0.category", 9, "odd_category"),
    ("qa.0.category", ..., "odd_category"),
    ("qa.0.category", True, "odd_category"),
    ("qa.0.evidence", ..., "no_evidence"),
    ("qa.0.evidence.0", 3, "no_evidence_id"),
    ("qa.0.adversarial_answer", [], "odd_trap"),
    ("qa.0", {"question": "Why?", "evidence": ["D1:1"], "category": 5}, "no_trap"),
]


@pytest.mark.parametrize(("path", "value", "code"), MENDED)
def test_what_can_be_scored_without_guessing_is_reported(tmp_path: Path, path: str, value: Any, code: str) -> None:
    data = opened(tmp_path, changed(path, value))
    assert len(list(data)) == 1
    assert data.report.counts[code] == 1
    assert data.report.refused == ()


def test_sessions_that_are_not_in_the_order_of_time_are_reported_and_kept_by_number(tmp_path: Path) -> None:
    sample = copy.deepcopy(PLAIN)
    sample["conversation"]["session_2"] = [{"speaker": "Bo", "dia_id": "D2:1", "text": "Bye."}]
    sample["conversation"]["session_2_date_time"] = "1:56 am on 8 May, 2023"
    data = opened(tmp_path, sample)
    (read,) = data
    assert [session.session_id for session in read.sessions] == ["S01", "S02"]
    assert data.report.counts["sessions_out_of_order"] == 1


@pytest.mark.parametrize(
    ("path", "where"),
    [
        ("note", "$[0].note"),
        ("conversation.speaker_c", "$[0].conversation.speaker_c"),
        ("conversation.session_1.1.blip_captions", "$[0].conversation.session_1[1].blip_captions"),
        ("qa.0.answers", "$[0].qa[0].answers"),
    ],
)
def test_a_field_that_nobody_knows_is_reported(tmp_path: Path, path: str, where: str) -> None:
    data = opened(tmp_path, changed(path, "a cat"))
    assert len(list(data)) == 1
    assert [finding.path for finding in data.report.findings if finding.code == "unread_field"] == [where]


def test_a_time_that_nothing_can_read_stays_as_it_is(tmp_path: Path) -> None:
    (sample,) = opened(tmp_path, changed("conversation.session_1_date_time", "7:55 pm on 9 Juin, 2023"))
    assert sample.sessions[0].time == sample.sessions[0].turns[0].time == "7:55 pm on 9 Juin, 2023"


def test_every_fault_of_a_conversation_is_told_in_one_pass(tmp_path: Path) -> None:
    sample = changed("qa.0.answer", None)
    sample["conversation"]["session_1"][0]["text"] = 5
    data = opened(tmp_path, sample)
    assert list(data) == []
    assert [finding.code for finding in data.report.refused] == ["text_not_a_text", "no_answer_given"]


def test_a_broken_conversation_does_not_take_the_others_with_it(tmp_path: Path) -> None:
    data = opened(tmp_path, changed("qa", 3), {**PLAIN, "sample_id": "conv-2"}, "stray")
    assert [sample.sample_id for sample in data] == ["conv-2"]
    assert [finding.path for finding in data.report.refused] == ["$[0].qa", "$[2]"]


def test_an_id_that_repeats_is_refused(tmp_path: Path) -> None:
    data = opened(tmp_path, PLAIN, PLAIN)
    assert len(list(data)) == 1
    assert [finding.code for finding in data.report.refused] == ["repeated_sample_id"]


def test_a_broken_file_of_the_older_layout_is_named(tmp_path: Path) -> None:
    (tmp_path / "1.json").write_text(json.dumps(PLAIN["conversation"]), encoding="utf-8")
    (tmp_path / "2.json").write_text('{"speaker_a": "Ada", "session_1": [', encoding="utf-8")
    data = LoCoMo().open(str(tmp_path))
    assert [sample.sample_id for sample in data] == ["conv-1"]
    (finding,) = data.report.refused
    assert finding.file == str(tmp_path / "2.json")
    assert "is cut off" in finding.message


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "is empty"),
        ("[]", "empty"),
        ("{}", "neither a list"),
        ("7", "neither a list"),
        ('[{"qa": ', "is cut off"),
        ('[{"qa": NaN}]', "NaN"),
        ("[" * 100_000, "nested deeper"),
    ],
)
def test_a_file_in_which_nothing_can_be_read_is_one_line(tmp_path: Path, text: str, problem: str) -> None:
    (tmp_path / "locomo10.json").write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match=problem) as caught:
        LoCoMo().open(str(tmp_path / "locomo10.json"))
    assert str(caught.value).startswith(str(tmp_path / "locomo10.json"))
    assert "\n" not in str(caught.value)


def test_a_file_that_is_not_utf_8_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "locomo10.json").write_bytes(b'[{"sample_id": "caf\xe9"}]')
    with pytest.raises(DataError, match="not UTF-8"):
        LoCoMo().open(str(tmp_path))


def test_a_lone_surrogate_is_replaced_and_reported(tmp_path: Path) -> None:
    data = opened(tmp_path, changed("conversation.session_1.0.text", "I moved \ud800"))
    (sample,) = data
    assert sample.sessions[0].turns[0].text == "I moved \ufffd"
    assert data.report.counts["lone_surrogate"] == 1


def test_a_folder_without_conversations_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text("{}", encoding="utf-8")
    with pytest.raises(DataError, match="a file for each conversation"):
        LoCoMo().open(str(tmp_path))


def test_a_path_that_does_not_exist_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="no such file or folder"):
        LoCoMo().open(str(tmp_path / "absent.json"))


def test_a_file_above_the_limit_is_not_read(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="at most 100 are read"):
        opened(tmp_path, PLAIN, max_file_bytes=100)


def test_a_long_run_of_blanks_in_an_evidence_id_takes_no_time(tmp_path: Path) -> None:
    data = opened(tmp_path, changed("qa.0.evidence.0", "D" + " " * 1_000_000 + "D1:1"))
    (sample,) = data
    assert [item.evidence_id for item in sample.checkpoints[0].questions[0].evidence] == ["D1:1"]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
PLACES = [
    "sample_id",
    "conversation",
    "conversation.speaker_a",
    "conversation.session_1",
    "conversation.session_1.0",
    "conversation.session_1.1.text",
    "conversation.session_1.1.dia_id",
    "conversation.session_1.1.speaker",
    "conversation.session_1.1.img_url",
    "conversation.session_1.1.blip_caption",
    "conversation.session_1_date_time",
    "conversation.session_2",
    "qa",
    "qa.0",
    "qa.0.question",
    "qa.0.answer",
    "qa.0.evidence",
    "qa.0.evidence.0",
    "qa.0.category",
    "qa.0.adversarial_answer",
    "observation",
    "observation.session_1_observation",
    "observation.session_1_observation.Ada",
    "event_summary",
    "event_summary.events_session_1",
]


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(place=st.sampled_from(PLACES), value=JSON, checkpoints=st.sampled_from(["end", "evidence"]))
def test_whatever_stands_anywhere_is_a_sample_or_a_refusal(
    tmp_path: Path, place: str, value: Any, checkpoints: str
) -> None:
    data = opened(tmp_path, changed(place, value), checkpoints=checkpoints)
    samples = list(data)
    assert bool(samples) is not bool(data.report.refused)
    for question in (item for sample in samples for stop in sample.checkpoints for item in stop.questions):
        assert question.text.strip()
        assert question.reference.strip()


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cut=st.integers(min_value=0, max_value=900), noise=st.binary(max_size=4))
def test_broken_bytes_are_refused_in_one_line(tmp_path: Path, cut: int, noise: bytes) -> None:
    whole = json.dumps([PLAIN]).encode()
    (tmp_path / "cut.json").write_bytes(whole[:cut] + noise + whole[cut + 3 :])
    try:
        list(LoCoMo().open(str(tmp_path / "cut.json")))
    except MemarenaError as error:
        assert "\n" not in str(error)
