"""Mem-Gallery, on an invented dialogue with every irregularity, and on the published ones where they are."""

from __future__ import annotations

import json
import os
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from json_places import leads_to
from public_lookalikes import codes, memgallery, only, paths, with_value, write_one
from wma_folder import png

from memarena.errors import DataError
from memarena.records import NOT_MENTIONED, Question, Sample
from memarena_arena.public.memgallery import MemGallery, MemGalleryOptions
from memarena_arena.public.opened import PublicSamples

SHARED = Path(os.environ.get("MEMARENA_SHARED") or Path(__file__).resolve().parents[3] / ".." / "shared")
PUBLISHED = SHARED / "data" / "memgallery"
NEEDS_PUBLISHED = pytest.mark.skipif(
    not PUBLISHED.is_dir(), reason="the dialogues of Mem-Gallery are not beside the checkout (MEMARENA_SHARED)"
)


def opened(path: Path, **options: Any) -> PublicSamples:
    return MemGallery().open(str(path), MemGalleryOptions(**options))


def placed(root: Path, record: Any, *, pictures: bool = True) -> Path:
    """`dialog/Boats.json` and its two pictures in `image/Boats`."""
    write_one(root / "dialog" / "Boats.json", record)
    if pictures:
        folder = root / "image" / "Boats"
        folder.mkdir(parents=True, exist_ok=True)
        for name in ("D1_IMG_001.png", "QA_IMG_001.png"):
            (folder / name).write_bytes(png())
    return root


def changed(place: str, value: Any) -> dict[str, Any]:
    """The dialogue with `value` at `place`; `s` stands for its sessions, `q` for its questions."""
    names = {"s": "multi_session_dialogues", "q": "human-annotated QAs"}
    record: dict[str, Any] = with_value(memgallery(), place, value, names)
    return record


def questions(sample: Sample) -> tuple[Question, ...]:
    return sample.checkpoints[0].questions


def test_a_round_is_two_turns_and_the_user_shows_the_picture(tmp_path: Path) -> None:
    data = opened(placed(tmp_path, memgallery()))
    sample = only(data)
    turns = [turn for session in sample.sessions for turn in session.turns]
    assert [turn.turn_id for turn in turns] == ["D1:1u", "D1:1a", "D1:2u", "D1:2a", "D2:1u", "D2:1a"]
    assert (turns[0].role, turns[0].time, turns[1].role) == ("user", "2024-06-17", "assistant")
    (picture,) = turns[0].attachments
    assert (picture.image_id, picture.caption, picture.missing) == ("D1:IMG_001", "A blue boat on a lake", False)
    assert picture.path == str((tmp_path / "image" / "Boats" / "D1_IMG_001.png").resolve())
    assert "image_id: D1:IMG_001" in turns[0].text
    assert data.report.counts == {
        "picture_answer": 1, "sessions_of_refusal": 1, "unanswerable": 1, "yes_no_answer": 1,
    }  # fmt: skip


def test_the_user_has_the_name_of_the_profile_and_no_more_of_it(tmp_path: Path) -> None:
    sample = only(opened(placed(tmp_path, changed("character_profile.persona_summary", "A sailor."))))
    assert [turn.speaker for turn in sample.sessions[0].turns] == ["Ida", "", "Ida", ""]
    assert not any("sailor" in turn.text for session in sample.sessions for turn in session.turns)


@pytest.mark.parametrize(("place", "value"), [("character_profile", ...), ("character_profile.name", " ")])
def test_without_a_name_the_user_has_no_speaker(tmp_path: Path, place: str, value: Any) -> None:
    data = opened(placed(tmp_path, changed(place, value)))
    assert {turn.speaker for turn in only(data).sessions[0].turns} == {""}
    assert data.report.counts["no_name"] == 1


def test_evidence_of_a_round_means_both_its_turns(tmp_path: Path) -> None:
    sample = only(opened(placed(tmp_path, memgallery())))
    point = questions(sample)[0].evidence[0]
    assert (point.evidence_id, point.turn_ids, point.session_id) == ("D1:1", ("D1:1u", "D1:1a"), "D1")
    assert (point.image_id, point.modality) == ("D1:IMG_001", "mixed")


def test_a_refusal_cannot_be_answered(tmp_path: Path) -> None:
    question = questions(only(opened(placed(tmp_path, memgallery()))))[1]
    assert (question.type, question.raw_type, question.answerable) == ("MB", "AR", False)
    assert (question.reference, question.evidence) == (NOT_MENTIONED, ())


def test_a_question_can_carry_a_picture(tmp_path: Path) -> None:
    question = questions(only(opened(placed(tmp_path, memgallery()))))[2]
    (picture,) = question.attachments
    assert (picture.image_id, picture.caption) == ("", "A blue boat in a harbour")
    assert picture.path == str((tmp_path / "image" / "Boats" / "QA_IMG_001.png").resolve())


def test_pictures_that_are_not_there_are_missing_and_reported_once_a_folder(tmp_path: Path) -> None:
    data = opened(placed(tmp_path, memgallery(), pictures=False))
    sample = only(data)
    assert sample.sessions[0].turns[0].attachments[0].missing
    assert (data.report.counts["no_picture_folder"], data.report.counts["missing_picture"]) == (1, 2)


def test_each_picture_without_a_file_is_named_by_what_is_there_of_it(tmp_path: Path) -> None:
    record = changed("s.0.dialogues.0.image_caption", ["A blue boat", "A net", "A buoy"])
    record["multi_session_dialogues"][0]["dialogues"][0]["image_id"] = ["D1:IMG_001", "D1:IMG_002"]
    data = opened(placed(tmp_path, record))
    shown = only(data).sessions[0].turns[0].attachments
    assert [(picture.image_id, picture.missing) for picture in shown] == [
        ("D1:IMG_001", False),
        ("D1:IMG_002", True),
        ("D1:1:img_3", True),
    ]
    start = "$.multi_session_dialogues[0].dialogues[0]"
    assert paths(data, "missing_picture") == [f"{start}.image_id[1]", f"{start}.image_caption[2]"]


def test_a_git_lfs_pointer_is_no_picture(tmp_path: Path) -> None:
    root = placed(tmp_path, memgallery())
    pointer = b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n"
    (root / "image" / "Boats" / "D1_IMG_001.png").write_bytes(pointer)
    data = opened(root)
    assert only(data).sessions[0].turns[0].attachments[0].missing
    (finding,) = (row for row in data.report.findings if row.code == "broken_picture")
    assert "Git LFS pointer" in finding.message
    assert finding.path == "$.multi_session_dialogues[0].dialogues[0].input_image[0]"


def test_another_folder_can_hold_the_pictures(tmp_path: Path) -> None:
    root = placed(tmp_path / "a", memgallery())
    (root / "image").rename(tmp_path / "elsewhere")
    data = opened(root, image_root=str(tmp_path / "elsewhere"))
    assert not only(data).sessions[0].turns[0].attachments[0].missing
    with pytest.raises(DataError, match="image_root"):
        opened(root, image_root=str(tmp_path / "nowhere"))


@pytest.mark.parametrize("name", ["../image/../../x.png", "/etc/x.png", "../x.png", "C:x.png"])
def test_a_picture_outside_the_data_set_is_refused(tmp_path: Path, name: str) -> None:
    data = opened(placed(tmp_path, changed("s.0.dialogues.0.input_image.0", name)))
    assert list(data) == []
    assert [finding.code for finding in data.report.refused] == ["outside_picture"]


@pytest.mark.parametrize(
    ("raw", "kind"),
    [("FR", "FR"), ("MR", "FR"), ("VR", "VFR"), ("VS", "VS"), ("TTL", "TTL"), ("TR", "TR"), ("KR", "DU"), ("CD", "MC"),
     ("XX", "UNKNOWN")],
)  # fmt: skip
def test_points_become_question_types(tmp_path: Path, raw: str, kind: str) -> None:
    question = questions(only(opened(placed(tmp_path, changed("q.0.point", raw)))))[0]
    assert (question.type, question.raw_type) == (kind, raw)


MENDED: list[tuple[str, Any, str]] = [
    ("s.0.date", "17 juin", "odd_time"),
    ("s.0.date", None, "no_session_time"),
    ("s.0.date", "2025-01-01", "sessions_out_of_order"),
    ("s.1.dialogues", [], "empty_session"),
    ("s.0.dialogues.1.user", "", "empty_text"),
    ("s.0.dialogues.1.round", "D1-2", "odd_round"),
    ("s.0.dialogues.1.round", "D1:7", "round_off_place"),
    ("s.0.dialogues.0.image_caption", "A boat", "text_for_list"),
    ("s.0.dialogues.0.image_caption", [], "lists_off"),
    ("s.0.dialogues.0.image_caption", [7], "odd_value"),
    ("s.0.dialogues.1.image_caption", ["A net"], "caption_without_picture"),
    ("s.0.dialogues.1.image_id", ["D1:IMG_001"], "repeated_image_id"),
    ("s.0.dialogues.1.image_id", ["D1:IMG_001"] * 2, "repeated_image_id"),
    ("q", ..., "no_questions"),
    ("q.0.clue", ["D9:9"], "unresolved_evidence"),
    ("q.0.clue", [3], "no_evidence_id"),
    ("q.0.clue", ["D1:1", "D1:1"], "duplicate_evidence"),
    ("q.0.clue", [], "no_evidence"),
    ("q.0.clue", ["D1:2"], "answer_outside_evidence"),
    ("q.0.answer", "D5:IMG_006", "answer_names_no_picture"),
    ("q.0.answer", 2, "number_answer"),
    ("q.0.point", "XX", "odd_type"),
    ("q.0.session_id", ["D2"], "other_sessions"),
    ("q.1.answer", "A red car", "refusal_with_answer"),
    ("q.2.image_caption", ["A boat"], "list_for_text"),
    ("q.2.question_image", 5, "caption_without_picture"),
    ("mood", "fine", "unread_field"),
]


@pytest.mark.parametrize(("place", "value", "code"), MENDED)
def test_what_can_be_scored_without_guessing_is_reported(tmp_path: Path, place: str, value: Any, code: str) -> None:
    data = opened(placed(tmp_path, changed(place, value)))
    assert len(list(data)) == 1
    assert data.report.counts[code] >= 1


def test_a_question_that_comes_again_is_kept_and_reported(tmp_path: Path) -> None:
    record = memgallery()
    record["human-annotated QAs"] += [record["human-annotated QAs"][3], {**record["human-annotated QAs"][3]}]
    record["human-annotated QAs"][5]["answer"] = "Yes."
    data = opened(placed(tmp_path, record))
    assert len(questions(only(data))) == 6
    assert (data.report.counts["duplicate_question"], data.report.counts["conflicting_question"]) == (2, 1)


REFUSED: list[tuple[str, Any, str]] = [
    ("s", 5, "not_a_list"),
    ("s", [], "no_sessions"),
    ("s.0", 5, "not_an_object"),
    ("s.0.session_id", "a/b", "bad_id"),
    ("s.1.session_id", "D1", "repeated_id"),
    ("s.0.dialogues", {}, "not_a_list"),
    ("s.0.dialogues.0", 5, "not_an_object"),
    ("s.0.dialogues.0.user", 5, "text_not_a_text"),
    ("s.0.dialogues.1.round", "D1:1", "repeated_id"),
    ("q", 5, "not_a_list"),
    ("q.0", 5, "not_an_object"),
    ("q.0.question", "", "no_question"),
    ("q.0.answer", None, "no_answer"),
]


@pytest.mark.parametrize(("place", "value", "code"), REFUSED)
def test_what_cannot_be_scored_is_refused(tmp_path: Path, place: str, value: Any, code: str) -> None:
    data = opened(placed(tmp_path, changed(place, value)))
    assert list(data) == []
    assert code in {finding.code for finding in data.report.refused}


def test_the_folder_its_dialogues_and_one_file_are_the_same_data(tmp_path: Path) -> None:
    root = placed(tmp_path, memgallery())
    read = [list(opened(place)) for place in (root, root / "dialog", root / "dialog" / "Boats.json")]
    assert read[0] == read[1] == read[2]
    assert all(MemGallery().accepts(place) for place in (root, root / "dialog", root / "dialog" / "Boats.json"))
    assert not MemGallery().accepts(tmp_path / "image")


# -- the published dialogues ------------------------------------------------------------------

COUNTS = {
    "answer_names_no_picture": 1,
    "answer_outside_evidence": 3,
    "duplicate_question": 1,
    "missing_picture": 1003 + 487,
    "no_picture_folder": 1,
    "picture_answer": 332,
    "sessions_of_refusal": 184,
    "unanswerable": 184,
    "yes_no_answer": 148,
}


@NEEDS_PUBLISHED
def test_every_irregularity_of_the_published_dialogues_is_counted() -> None:
    assert codes(opened(PUBLISHED)) == COUNTS


@NEEDS_PUBLISHED
def test_every_finding_leads_to_its_place_in_a_published_file() -> None:
    data = opened(PUBLISHED)
    list(data)
    trees = {str(file): json.loads(file.read_text(encoding="utf-8")) for file in PUBLISHED.glob("dialog/*.json")}
    assert not [finding for finding in data.report.findings if not leads_to(trees[finding.file], finding.path)]


@NEEDS_PUBLISHED
def test_the_published_dialogues_are_complete() -> None:
    samples = list(opened(PUBLISHED))
    sessions = [session for sample in samples for session in sample.sessions]
    turns = [turn for session in sessions for turn in session.turns]
    asked = [question for sample in samples for question in questions(sample)]
    assert (len(samples), len(sessions), len(turns), len(asked)) == (20, 240, 2 * 3962, 1711)
    assert sum(len(turn.attachments) for turn in turns) == 1003
    assert sum(len(question.attachments) for question in asked) == 487
    assert all(point.content for question in asked for point in question.evidence)
    assert Counter(question.raw_type for question in asked) == {
        "TTL": 337, "VS": 306, "FR": 219, "MR": 206, "AR": 184, "VR": 174, "TR": 123, "CD": 81, "KR": 81,
    }  # fmt: skip


@NEEDS_PUBLISHED
def test_the_answer_with_a_picture_that_is_not_there_is_named() -> None:
    data = opened(PUBLISHED, samples=("Architecture_Art_Culture_Exhibition_Technology",))
    list(data)
    assert paths(data, "answer_names_no_picture") == ["$['human-annotated QAs'][28].answer"]
