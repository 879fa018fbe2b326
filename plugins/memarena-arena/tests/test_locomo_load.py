"""The LoCoMo loader on invented conversations that hold every irregularity of the published file."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from memarena.errors import DataError, UsageError
from memarena.records import NOT_MENTIONED, Question, Sample
from memarena_arena.locomo import Conversations, LoCoMo, LoCoMoOptions
from memarena_arena.locomo_questions import evidence_ids

GARDEN: dict[str, Any] = json.loads(Path(__file__).with_name("locomo_garden.json").read_text(encoding="utf-8"))
"""One invented conversation with every irregularity."""

COUNTS = {
    "adversarial_with_answer": 1,
    "blank_around_answer": 1,
    "blank_around_question": 1,
    "caption_without_url": 1,
    "conflicting_question": 1,
    "date_without_session": 1,
    "duplicate_evidence": 1,
    "duplicate_question": 2,
    "evidence_with_picture": 1,
    "list_answer": 1,
    "malformed_evidence_id": 1,
    "no_answer": 2,
    "no_events": 1,
    "no_evidence": 1,
    "no_evidence_id": 1,
    "no_question_mark": 1,
    "number_answer": 1,
    "observation_of_several_turns": 2,
    "odd_white_space": 1,
    "other_file": 1,
    "padded_evidence_id": 1,
    "picture_not_released": 2,
    "picture_without_query": 1,
    "redownload_flag": 1,
    "relative_date_answer": 1,
    "several_evidence_ids": 1,
    "unresolved_evidence": 1,
}


def written(folder: Path, *conversations: Mapping[str, Any]) -> Path:
    path = folder / "locomo10.json"
    path.write_text(json.dumps(conversations), encoding="utf-8")
    return path


def opened(source: Path, **options: Any) -> Conversations:
    return LoCoMo().open(str(source), LoCoMoOptions(**options))


@pytest.fixture
def garden(tmp_path: Path) -> Sample:
    (sample,) = opened(written(tmp_path, GARDEN))
    return sample


def question(sample: Sample, number: int) -> Question:
    return sample.checkpoints[0].questions[number - 1]


def test_every_irregularity_is_counted_under_its_code(tmp_path: Path) -> None:
    data = opened(written(tmp_path, GARDEN))
    list(data)
    assert data.report.counts == COUNTS
    assert data.report.refused == ()


def test_a_second_pass_counts_anew(tmp_path: Path) -> None:
    data = opened(written(tmp_path, GARDEN))
    assert list(data) == list(data)
    assert data.report.counts == COUNTS


def test_a_finding_names_file_and_json_path(tmp_path: Path) -> None:
    data = opened(written(tmp_path, GARDEN))
    list(data)
    (finding,) = (row for row in data.report.findings if row.code == "unresolved_evidence")
    assert (finding.file, finding.path) == (str(tmp_path / "locomo10.json"), "$[0].qa[6].evidence[2]")
    assert "D9:9" in finding.message


def test_the_licence_is_reported(tmp_path: Path) -> None:
    assert opened(written(tmp_path, GARDEN)).report.licence == "CC BY-NC 4.0"


def test_sessions_are_those_with_turns_in_order_of_their_number(garden: Sample) -> None:
    assert [(session.session_id, session.time) for session in garden.sessions] == [
        ("S01", "1:56 pm on 8 May, 2023"),
        ("S02", "9:05 am on 3 March, 2024"),
    ]


def test_a_turn_keeps_speaker_time_and_its_words_as_they_are(garden: Sample) -> None:
    turn = garden.sessions[1].turns[0]
    assert (turn.turn_id, turn.index, turn.speaker, turn.role) == ("D2:1", 0, "Olaf", "assistant")
    assert turn.time == "9:05 am on 3 March, 2024"
    assert turn.text == turn.body == "The pump is\u00a0fixed,\tat last."


def test_the_first_speaker_is_the_user(garden: Sample) -> None:
    roles = {(turn.speaker, turn.role) for session in garden.sessions for turn in session.turns}
    assert roles == {("Ines", "user"), ("Olaf", "assistant")}


def test_a_picture_is_missing_and_shown_by_its_caption(garden: Sample) -> None:
    turn = garden.sessions[0].turns[1]
    assert turn.text == ("Look at my pump.\n\nimage:\nimage_id: S01_img_1\nimage_caption: a photo of a green pump")
    (picture,) = turn.attachments
    assert (picture.missing, picture.path, picture.caption) == (True, None, "a photo of a green pump")
    assert turn.body == "Look at my pump."


def test_a_caption_without_an_address_is_a_missing_picture_too(garden: Sample) -> None:
    (picture,) = garden.sessions[0].turns[2].attachments
    assert (picture.image_id, picture.missing, picture.caption_full) == (
        "S01_img_2",
        True,
        "a photo of a red pump",
    )


def test_the_search_words_and_the_address_of_a_picture_are_nowhere(garden: Sample) -> None:
    assert "Nordflow" not in repr(garden)
    assert "pictures.example" not in repr(garden)


def test_silver_points_are_left_out(garden: Sample) -> None:
    assert all(session.points == () for session in garden.sessions)


def test_all_questions_are_asked_after_the_last_session(garden: Sample) -> None:
    (checkpoint,) = garden.checkpoints
    assert (checkpoint.checkpoint_id, checkpoint.after_session, checkpoint.covered) == (
        "end",
        "S02",
        ("S01", "S02"),
    )
    assert [item.question_id for item in checkpoint.questions] == [f"end:Q{n:03d}" for n in range(1, 11)]


def test_by_evidence_each_question_comes_after_its_last_evidence(tmp_path: Path) -> None:
    (sample,) = opened(written(tmp_path, GARDEN), checkpoints="evidence")
    asked = {
        checkpoint.checkpoint_id: [item.question_id[-4:] for item in checkpoint.questions]
        for checkpoint in sample.checkpoints
    }
    assert asked == {
        "after-S01": ["Q001", "Q003", "Q005", "Q006", "Q010"],
        "after-S02": ["Q002", "Q004", "Q007", "Q008", "Q009"],
    }
    assert [checkpoint.covered for checkpoint in sample.checkpoints] == [("S01",), ("S01", "S02")]


@pytest.mark.parametrize(
    ("number", "kind", "raw"),
    [
        (3, "KR", "multi-hop"),
        (1, "TR", "temporal"),
        (4, "KR", "open-domain"),
        (2, "FR", "single-hop"),
        (5, "MB", "adversarial"),
    ],
)
def test_a_category_becomes_a_type_and_keeps_its_name(garden: Sample, number: int, kind: str, raw: str) -> None:
    assert (question(garden, number).type, question(garden, number).raw_type) == (kind, raw)


def test_a_number_is_an_answer_as_text(garden: Sample) -> None:
    assert question(garden, 2).reference == "40"


def test_outer_blanks_are_taken_away(garden: Sample) -> None:
    assert question(garden, 2).text == "What did the pump cost?"
    assert question(garden, 3).reference == "green, red"


def test_an_adversarial_question_has_no_answer_but_a_trap(garden: Sample) -> None:
    asked = question(garden, 5)
    assert (asked.answerable, asked.reference, asked.stale_answers) == (False, NOT_MENTIONED, ("a greenhouse",))


def test_an_adversarial_question_with_an_answer_keeps_it(garden: Sample) -> None:
    asked = question(garden, 6)
    assert (asked.answerable, asked.reference, asked.stale_answers) == (True, "No", ("Yes",))


def test_evidence_is_the_turn_with_its_words_and_its_picture(garden: Sample) -> None:
    first, second = question(garden, 3).evidence
    assert (first.evidence_id, first.session_id, first.turn_ids, first.kind) == ("D1:2", "S01", ("D1:2",), "turn")
    assert first.content == garden.sessions[0].turns[1].text
    assert (first.image_id, first.caption) == ("S01_img_1", "a photo of a green pump")
    assert second.evidence_id == "D1:3"


def test_evidence_without_a_picture_names_none(garden: Sample) -> None:
    (evidence,) = question(garden, 1).evidence
    assert (evidence.image_id, evidence.caption, evidence.modality) == ("", "", "text")


def test_evidence_that_does_not_exist_stays_without_content(garden: Sample) -> None:
    resolved, unresolved = question(garden, 7).evidence
    assert resolved.evidence_id == "D2:1"
    assert (unresolved.evidence_id, unresolved.content, unresolved.session_id) == ("D9:9", None, None)


def test_evidence_is_named_once(garden: Sample) -> None:
    assert [item.evidence_id for item in question(garden, 6).evidence] == ["D1:1"]


def test_questions_that_repeat_stay(garden: Sample) -> None:
    assert [question(garden, n).text for n in (7, 8, 9)] == ["Who fixed it?"] * 3


@pytest.mark.parametrize(
    ("written", "ids"),
    [
        ("D8:6; D9:17", ["D8:6", "D9:17"]),
        ("D9:1 D4:4 D4:6", ["D9:1", "D4:4", "D4:6"]),
        ("D:11:26", ["D11:26"]),
        ("D30:05", ["D30:5"]),
        ("D26:14, D26:34", ["D26:14", "D26:34"]),
        ("D 3 : 4", ["D3:4"]),
        ("D", []),
        ("", []),
        ("D1:12345678", []),
    ],
)
def test_turn_ids_are_read_however_they_are_written(written: str, ids: list[str]) -> None:
    assert evidence_ids(written) == ids


@pytest.mark.parametrize("wanted", ["conv-1", "locomo_1"])
def test_a_sample_is_chosen_by_its_id_or_its_place(tmp_path: Path, wanted: str) -> None:
    other = {**GARDEN, "sample_id": "conv-0"}
    data = opened(written(tmp_path, other, GARDEN), samples=(wanted,))
    assert [sample.sample_id for sample in data] == ["conv-1"]
    assert len(data) == 1


def test_a_sample_that_is_not_there_is_named_with_those_that_are(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"no 'conv-9' in .*; it has 'conv-1'"):
        opened(written(tmp_path, GARDEN), samples=("conv-9",))


def older(sample: Mapping[str, Any]) -> dict[str, Any]:
    """The same conversation in the older layout: sessions, events and questions at the top, no sample id."""
    return {**sample["conversation"], **sample["event_summary"], **sample["observation"], "qa": sample["qa"]}


def test_the_older_layout_gives_the_same_sample(tmp_path: Path, garden: Sample) -> None:
    folder = tmp_path / "v2"
    folder.mkdir()
    (folder / "1.json").write_text(json.dumps(older(GARDEN)), encoding="utf-8")
    data = opened(folder)
    assert list(data) == [garden]
    assert data.report.counts == {code: n for code, n in COUNTS.items() if code != "other_file"}


def test_one_file_of_the_older_layout_can_be_opened_alone(tmp_path: Path, garden: Sample) -> None:
    (tmp_path / "1.json").write_text(json.dumps(older(GARDEN)), encoding="utf-8")
    assert list(opened(tmp_path / "1.json")) == [garden]


def test_a_folder_with_the_published_file_means_that_file(tmp_path: Path, garden: Sample) -> None:
    assert list(opened(tmp_path)) == [garden]


def test_both_layouts_are_recognised_by_their_beginning(tmp_path: Path) -> None:
    written(tmp_path, GARDEN)
    (tmp_path / "1.json").write_text(json.dumps(older(GARDEN)), encoding="utf-8")
    (tmp_path / "other.json").write_text('{"sample_id": "x", "sessions": []}', encoding="utf-8")
    names = ("locomo10.json", "1.json", "other.json", "absent.json", "")
    assert [LoCoMo().accepts(tmp_path / name) for name in names] == [True, True, False, False, True]


def test_a_source_must_be_named(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="-d locomo:PATH"):
        LoCoMo().open("")


def test_options_of_the_instance_hold_where_none_are_given(tmp_path: Path) -> None:
    data = LoCoMo(LoCoMoOptions(checkpoints="evidence")).open(str(written(tmp_path, GARDEN)))
    assert len(next(iter(data)).checkpoints) == 2
