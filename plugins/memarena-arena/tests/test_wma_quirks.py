"""The quirks of the published files: each is read as the layout says, and reported."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from wma_folder import Folder


def point(memory_id: str, **fields: Any) -> dict[str, Any]:
    return {"memory_id": memory_id, "memory_content": f"About {memory_id}.", **fields}


def test_a_good_sample_has_nothing_to_report(folder: Folder) -> None:
    folder.write(folder.good())
    assert folder.findings() == {}


def test_ids_of_turns_and_questions_come_from_their_places(folder: Folder) -> None:
    sample = folder.one(folder.good())
    assert [turn.turn_id for turn in sample.sessions[1].turns] == ["S01:T000", "S01:T001"]
    assert [question.question_id for question in sample.checkpoints[0].questions] == [
        "QA00:Q001",
        "QA00:Q002",
        "QA00:Q003",
    ]


def test_a_checkpoint_is_asked_after_the_latest_covered_session_in_list_order(folder: Folder) -> None:
    assert folder.one(folder.good()).checkpoints[0].after_session == "S01"


def test_the_text_of_a_turn_ends_with_a_block_for_its_picture(folder: Folder) -> None:
    turn = folder.one(folder.good()).sessions[1].turns[0]
    assert turn.body == "I moved to Leeds, see my new door."
    assert turn.text == (
        "I moved to Leeds, see my new door.\n\nimage:\nimage_id: S01_img_1\nimage_caption: A green door"
    )


def test_the_blocks_of_several_pictures_follow_each_other_and_a_nameless_one_is_left_out(folder: Folder) -> None:
    raw = folder.good()
    turn = raw["sessions"][1]["dialogue"][0]
    turn["content"] = ""
    turn["attachments"] += [{"image_id": "b", "file_path": "b.png"}, {"file_path": "c.png"}]
    assert folder.one(raw).sessions[1].turns[0].text == (
        "image:\nimage_id: S01_img_1\nimage_caption: A green door\nimage:\nimage_id: b"
    )


def test_a_picture_has_its_absolute_path_and_its_captions(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"][1]["dialogue"][0]["attachments"][0]["caption_full"] = "A green door with a brass seven"
    (picture,) = folder.one(raw).sessions[1].turns[0].attachments
    assert picture.path == str(folder.root / "lifelong/personal/images/personal_01/S01_img_1.png")
    assert (picture.caption, picture.caption_full) == ("A green door", "A green door with a brass seven")
    assert (picture.media_type, picture.missing) == ("image/png", False)


def test_the_older_name_of_the_path_is_read_too(folder: Folder) -> None:
    raw = folder.good()
    attachment = raw["sessions"][1]["dialogue"][0]["attachments"][0]
    attachment["image_path"] = attachment.pop("file_path")
    assert not folder.one(raw).sessions[1].turns[0].attachments[0].missing


@pytest.mark.parametrize(
    ("flag", "kind"),
    [("True", "update"), ("true ", "update"), (True, "update"), ("False", "new"), (False, "new"), (None, "new")],
)
def test_a_flag_may_be_a_boolean_or_spell_one(folder: Folder, flag: object, kind: str) -> None:
    raw = folder.good()
    raw["memory_points"][0]["memory_points"][0]["is_update"] = flag
    assert folder.one(raw).sessions[1].points[0].kind == kind
    assert folder.findings() == {}


def test_interference_stays_interference_where_it_is_flagged_as_an_update(folder: Folder) -> None:
    raw = folder.good()
    raw["memory_points"][0]["memory_points"][1]["is_update"] = "True"
    assert [point.kind for point in folder.one(raw).sessions[1].points] == ["update", "interference"]


@pytest.mark.parametrize(("given", "texts"), [("old", ("old",)), (["a", "b"], ("a", "b")), (None, ()), ([], ())])
def test_superseded_facts_may_be_a_text_a_list_or_null(folder: Folder, given: object, texts: tuple[str, ...]) -> None:
    raw = folder.good()
    raw["memory_points"][0]["memory_points"][0]["original_memories"] = given
    assert folder.one(raw).sessions[1].points[0].replaces == texts


def test_an_importance_that_is_missing_is_none(folder: Folder) -> None:
    raw = folder.good()
    del raw["memory_points"][0]["memory_points"][0]["importance"]
    assert folder.one(raw).sessions[1].points[0].importance is None


def test_the_profile_has_the_points_of_its_session(folder: Folder) -> None:
    assert [point.memory_id for point in folder.one(folder.good()).sessions[0].points] == ["mp_S00_1"]


def test_the_profile_falls_back_to_the_block_of_the_file(folder: Folder) -> None:
    raw = folder.good()
    del raw["sessions"][0]["memory_points"]
    raw["memory_points"].append({"session_id": "S00", "memory_points": [point("mp_S00_9")]})
    sample = folder.one(raw)
    assert [item.memory_id for item in sample.sessions[0].points] == ["mp_S00_9"]
    assert sample.dropped_blocks == ()


def test_where_the_profile_has_both_the_block_of_the_file_is_dropped_and_its_ids_are_unknown(folder: Folder) -> None:
    raw = folder.good()
    raw["memory_points"].append({"session_id": "S00", "memory_points": [point("mp_S00_9")]})
    raw["qa_checkpoints"][0]["questions"][0]["evidence"] = [{"memory_id": "mp_S00_9"}]
    sample = folder.one(raw)
    assert [item.memory_id for item in sample.sessions[0].points] == ["mp_S00_1"]
    assert sample.dropped_blocks == ("S00",)
    assert set(folder.findings()) == {"dropped_block", "unresolved_evidence"}


def test_points_within_another_session_are_not_read(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"][1]["memory_points"] = [point("mp_S01_9")]
    assert [item.memory_id for item in folder.one(raw).sessions[1].points] == ["mp_S01_1", "mp_S01_2"]
    assert folder.findings() == {"ignored_points": "$.sessions[1].memory_points"}


def test_a_session_without_an_id_is_left_out(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"].insert(1, {"_v2_session_id": "", "dialogue": [{"role": "user", "content": "lost"}]})
    assert [session.session_id for session in folder.one(raw).sessions] == ["S00", "S01"]
    assert folder.findings() == {"skipped_session": "$.sessions[1]"}


def test_a_session_may_have_its_id_under_the_plain_name(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"][1]["session_id"] = raw["sessions"][1].pop("_v2_session_id")
    assert [session.session_id for session in folder.one(raw).sessions] == ["S00", "S01"]


def test_a_block_without_a_session_is_dropped_and_its_points_resolve_all_the_same(folder: Folder) -> None:
    raw = folder.good()
    raw["memory_points"].append({"session_id": "S77", "memory_points": [point("mp_S77_1")]})
    raw["qa_checkpoints"][0]["questions"][0]["evidence"] = [{"memory_id": "mp_S77_1"}]
    sample = folder.one(raw)
    assert sample.dropped_blocks == ("S77",)
    assert sample.checkpoints[0].questions[0].evidence[0].content == "About mp_S77_1."
    assert folder.findings() == {"dropped_block": "$.memory_points[1]"}


def test_the_last_of_two_blocks_for_a_session_counts(folder: Folder) -> None:
    raw = folder.good()
    raw["memory_points"].append({"session_id": "S01", "memory_points": [point("mp_S01_9")]})
    assert [item.memory_id for item in folder.one(raw).sessions[1].points] == ["mp_S01_9"]
    assert folder.findings() == {"repeated_block": "$.memory_points[1]"}


def test_evidence_means_the_last_of_two_points_with_one_id(folder: Folder) -> None:
    raw = folder.good()
    raw["memory_points"][0]["memory_points"].append(point("mp_S01_1", memory_content="The later one."))
    assert folder.one(raw).checkpoints[0].questions[0].evidence[0].content == "The later one."
    assert folder.findings() == {"repeated_memory_id": "$.memory_points[0].memory_points[2].memory_id"}


def test_evidence_means_the_point_of_the_block_where_the_profile_has_the_id_too(folder: Folder) -> None:
    raw = folder.good()
    raw["memory_points"][0]["memory_points"].append(point("mp_S00_1", memory_content="The later one."))
    raw["qa_checkpoints"][0]["questions"][0]["evidence"] = [{"memory_id": "mp_S00_1"}]
    assert folder.one(raw).checkpoints[0].questions[0].evidence[0].content == "The later one."
    assert folder.findings() == {"repeated_memory_id": "$.memory_points[0].memory_points[2].memory_id"}


def test_evidence_without_an_id_means_no_picture_that_has_none(folder: Folder) -> None:
    raw = folder.good()
    del raw["sessions"][1]["dialogue"][0]["attachments"][0]["image_id"]
    raw["qa_checkpoints"][0]["questions"][2]["evidence"] = [{}]
    (evidence,) = folder.one(raw).checkpoints[0].questions[2].evidence
    assert (evidence.evidence_id, evidence.content) == ("", None)


def test_evidence_carries_what_is_known_of_its_point(folder: Folder) -> None:
    (evidence,) = folder.one(folder.good()).checkpoints[0].questions[0].evidence
    assert (evidence.evidence_id, evidence.content) == ("mp_S01_1", "Aiko lives in Leeds.")
    assert (evidence.session_id, evidence.kind, evidence.importance) == ("S01", "update", 0.9)
    assert evidence.replaces == ("Aiko lives in Boston.",)


def test_evidence_that_is_a_picture_carries_id_session_and_caption(folder: Folder) -> None:
    (evidence,) = folder.one(folder.good()).checkpoints[0].questions[2].evidence
    assert (evidence.evidence_id, evidence.image_id, evidence.content) == (
        "S01_img_1",
        "S01_img_1",
        "image_id: S01_img_1",
    )
    assert (evidence.session_id, evidence.kind, evidence.caption) == ("S01", "image", "A green door")


def test_a_memory_id_stands_before_a_picture_id(folder: Folder) -> None:
    raw = folder.good()
    raw["qa_checkpoints"][0]["questions"][2]["evidence"] = [{"image_id": "S01_img_1", "memory_id": "mp_S01_1"}]
    assert folder.one(raw).checkpoints[0].questions[2].evidence[0].content == "Aiko lives in Leeds."


@pytest.mark.parametrize("key", ["memory_id", "image_id"])
def test_unknown_evidence_stays_without_content(folder: Folder, key: str) -> None:
    raw = folder.good()
    raw["qa_checkpoints"][0]["questions"][0]["evidence"].append({key: "gone"})
    evidence = folder.one(raw).checkpoints[0].questions[0].evidence
    assert [(item.evidence_id, item.content is None) for item in evidence] == [("mp_S01_1", False), ("gone", True)]
    assert folder.findings() == {"unresolved_evidence": "$.qa_checkpoints[0].questions[0].evidence[1]"}


def test_evidence_from_a_session_after_the_checkpoint_is_reported(folder: Folder) -> None:
    raw = folder.good()
    raw["qa_checkpoints"].append({**raw["qa_checkpoints"][0], "checkpoint_id": "QA01", "covered_sessions": ["S00"]})
    folder.write(raw)
    _, report = folder.load()
    assert [(finding.code, finding.path) for finding in report.findings] == [
        ("late_evidence", "$.qa_checkpoints[1].questions[0].evidence[0]"),
        ("late_evidence", "$.qa_checkpoints[1].questions[2].evidence[0]"),
    ]


@pytest.mark.parametrize("covered", [["S01", "S55"], [], None])
def test_a_checkpoint_that_covers_nothing_known_is_never_reached(folder: Folder, covered: object) -> None:
    raw = folder.good()
    raw["qa_checkpoints"][0]["covered_sessions"] = covered
    assert folder.one(raw).checkpoints[0].after_session is None
    assert folder.findings() == {"unreachable_checkpoint": "$.qa_checkpoints[0].covered_sessions"}


@pytest.mark.parametrize("answer", ["Not mentioned in memory.", "not mentioned in memory", " NOT MENTIONED IN MEMORY."])
def test_a_question_is_unanswerable_where_the_reference_says_so(folder: Folder, answer: str) -> None:
    raw = folder.good()
    raw["qa_checkpoints"][0]["questions"][0]["answer"] = answer
    questions = folder.one(raw).checkpoints[0].questions
    assert [question.answerable for question in questions] == [False, False, True]


def test_a_missing_picture_is_marked_and_reported(folder: Folder) -> None:
    path = folder.write(folder.good())
    (path.parent / "images/personal_01/S01_img_1.png").unlink()
    (sample,), report = folder.load()
    picture = sample.sessions[1].turns[0].attachments[0]
    assert (picture.missing, picture.path) == (True, None)
    assert [(finding.code, finding.path) for finding in report.findings] == [
        ("missing_picture", "$.sessions[1].dialogue[0].attachments[0].file_path")
    ]


def test_a_step_of_an_agent_is_split_where_its_text_says_how(folder: Folder) -> None:
    raw = folder.good()
    texts = [
        ("user", "Observation 1. A closed door."),
        ("assistant", "It may open.\nAction: push(door)"),
        ("user", "Action failed: it is locked."),
        ("assistant", "Action: knock()"),
        ("assistant", "I think of an Action: none."),
        ("assistant", "Action: one\nAction: two"),
        ("user", "Hello."),
    ]
    raw["sessions"][1]["dialogue"] = [{"role": role, "content": text} for role, text in texts]
    folder.write(raw, "agent/gui/web", "personal_01")
    (sample,), _ = folder.load()
    parts = [turn.parts for turn in sample.sessions[1].turns]
    assert [part and (part.observation, part.reasoning, part.action, part.feedback) for part in parts] == [
        ("Observation 1. A closed door.", "", "", ""),
        ("", "It may open.", "push(door)", ""),
        ("", "", "", "Action failed: it is locked."),
        ("", "", "knock()", ""),
        None,
        None,
        None,
    ]


def test_a_dialogue_is_never_split(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"][1]["dialogue"][1]["content"] = "Fine.\nAction: wave()"
    assert [turn.parts for turn in folder.one(raw).sessions[1].turns] == [None, None]


def test_sessions_that_are_not_in_the_order_of_time_stay_as_they_are_and_are_reported(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"][1]["dialogue"][0]["timestamp"] = "2024-12-31T10:00:00+00:00"
    assert [session.session_id for session in folder.one(raw).sessions] == ["S00", "S01"]
    assert folder.findings() == {"sessions_out_of_order": "$.sessions"}


def test_a_time_is_passed_on_as_it_is_given_and_never_made_up(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"][1]["dialogue"][0]["timestamp"] = "9 Juin 2023"
    turns = folder.one(raw).sessions[1].turns
    assert [turn.time for turn in turns] == ["9 Juin 2023", None]
    assert folder.findings() == {"odd_time": "$.sessions[1].dialogue[0].timestamp"}


def test_every_odd_time_is_counted(folder: Folder) -> None:
    raw = folder.good()
    for turn in raw["sessions"][0]["dialogue"]:
        turn["timestamp"] = "soon"
    folder.write(raw)
    assert folder.load()[1].counts == {"odd_time": 2}


def test_more_than_a_thousand_turns_have_ids_of_their_own(folder: Folder) -> None:
    raw = folder.good()
    raw["sessions"][1]["dialogue"] = [{"role": "user", "content": str(number)} for number in range(1002)]
    turns = folder.one(raw).sessions[1].turns
    assert (turns[7].turn_id, turns[1001].turn_id) == ("S01:T007", "S01:T1001")
