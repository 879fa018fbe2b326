"""The files of `mini`, read as plain JSON: what a data set must promise, sample by sample."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[1] / "src" / "memarena_arena" / "mini_data"
FILES = {path.stem: path for path in sorted(ROOT.rglob("*.json")) if path.parent != ROOT}
SAMPLES: dict[str, Any] = {name: json.loads(path.read_text(encoding="utf-8")) for name, path in FILES.items()}
TYPES = {"FR", "DU", "MB", "MC", "TR", "KR", "TTL", "VFR", "VS", "VU", "CMR"}
NOT_MENTIONED = "Not mentioned in memory."
MISSING = {("software_01", "S06_img_1")}
HELD_BY_CAPTION = {("personal_01", "Pitch 27")}

each_sample = pytest.mark.parametrize("name", list(SAMPLES))


def order(sample: Any) -> dict[str, int]:
    return {session["_v2_session_id"]: place for place, session in enumerate(sample["sessions"])}


def turns(sample: Any) -> Iterator[tuple[str, Any]]:
    for session in sample["sessions"]:
        for turn in session["dialogue"]:
            yield session["_v2_session_id"], turn


def pictures(sample: Any) -> dict[str, tuple[str, Any]]:
    return {
        picture["image_id"]: (session, picture)
        for session, turn in turns(sample)
        for picture in turn.get("attachments", [])
    }


def points(sample: Any) -> list[tuple[str, Any]]:
    """Gold points with their session, in the order of time."""
    blocks = {session["_v2_session_id"]: session.get("memory_points", []) for session in sample["sessions"]}
    blocks |= {block["session_id"]: block["memory_points"] for block in sample["memory_points"]}
    return [(session, point) for session in order(sample) for point in blocks[session]]


def questions(sample: Any) -> Iterator[tuple[int, Any]]:
    """Questions with the place of the session after which they are asked."""
    places = order(sample)
    for checkpoint in sample["qa_checkpoints"]:
        for question in checkpoint["questions"]:
            yield max(places[session] for session in checkpoint["covered_sessions"]), question


def is_update(point: Any) -> bool:
    return str(point["is_update"]).lower() == "true"


def said(sample: Any) -> str:
    """All that a system without eyes is told: turns and given captions."""
    captions = [picture["caption"] for _, picture in pictures(sample).values()]
    return "\n".join([turn["content"] for _, turn in turns(sample)] + captions)


def stands_in(phrase: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(phrase.lower())}(?!\w)", text.lower()) is not None


def test_there_are_six_samples_with_forty_sessions() -> None:
    assert len(SAMPLES) == 6
    assert sum(len(sample["sessions"]) for sample in SAMPLES.values()) == 40


def test_three_samples_are_lifelong_and_three_agentic() -> None:
    assert Counter(path.relative_to(ROOT).parts[0] for path in FILES.values()) == {"lifelong": 3, "agent": 3}


def test_every_type_has_at_least_seven_of_the_110_questions() -> None:
    count = Counter(q["question_type_abbrev"] for s in SAMPLES.values() for _, q in questions(s))
    assert set(count) == TYPES
    assert min(count.values()) >= 7
    assert sum(count.values()) == 110


def test_each_abbreviation_goes_with_one_type_name() -> None:
    pairs = {(q["question_type_abbrev"], q["question_type"]) for s in SAMPLES.values() for _, q in questions(s)}
    assert len(pairs) == len(TYPES)


def test_the_small_split_names_samples_that_exist() -> None:
    small = json.loads((ROOT / "small_ids.json").read_text(encoding="utf-8"))
    assert set(small) < set(SAMPLES)


def test_all_files_together_stay_below_one_megabyte() -> None:
    assert sum(path.stat().st_size for path in ROOT.rglob("*") if path.is_file()) < 1_000_000


@each_sample
def test_the_sample_id_is_the_file_stem(name: str) -> None:
    assert SAMPLES[name]["sample_id"] == name


@each_sample
def test_ids_do_not_repeat(name: str) -> None:
    sample = SAMPLES[name]
    images = [p["image_id"] for _, turn in turns(sample) for p in turn.get("attachments", [])]
    memories = [point["memory_id"] for _, point in points(sample)]
    checkpoints = [checkpoint["checkpoint_id"] for checkpoint in sample["qa_checkpoints"]]
    assert len(order(sample)) == len(sample["sessions"])
    for ids in (images, memories, checkpoints):
        assert len(set(ids)) == len(ids)


@each_sample
def test_lifelong_sessions_have_6_to_14_turns_and_agentic_ones_4(name: str) -> None:
    agentic = "agent" in FILES[name].parts
    lengths = {len(session["dialogue"]) for session in SAMPLES[name]["sessions"]}
    assert lengths == {4} if agentic else lengths <= set(range(6, 15))


@each_sample
def test_sessions_are_numbered_by_one_or_by_two_steps(name: str) -> None:
    sample = SAMPLES[name]
    step, start = (2, 2) if "agent" in FILES[name].parts else (1, 0)
    assert list(order(sample)) == [f"S{start + step * place:02d}" for place in range(len(sample["sessions"]))]


@each_sample
def test_only_the_profile_session_carries_its_own_points(name: str) -> None:
    sample = SAMPLES[name]
    assert [s["_v2_session_id"] for s in sample["sessions"] if "memory_points" in s] in ([], ["S00"])
    assert {block["session_id"] for block in sample["memory_points"]} == set(order(sample)) - {"S00"}


@each_sample
def test_memory_ids_name_their_session(name: str) -> None:
    for session, point in points(SAMPLES[name]):
        assert point["memory_id"].startswith(f"mp_{session}_")
        assert point["_session_id"] == session


@each_sample
def test_times_have_the_usual_form_and_never_go_back(name: str) -> None:
    stamps = [turn["timestamp"] for _, turn in turns(SAMPLES[name]) if "timestamp" in turn]
    times = [datetime.strptime(stamp, "%b %d, %Y, %H:%M:%S") for stamp in stamps]
    assert times == sorted(times)


@each_sample
def test_turns_alternate_between_user_and_assistant(name: str) -> None:
    for session in SAMPLES[name]["sessions"]:
        roles = [turn["role"] for turn in session["dialogue"]]
        assert roles == ["user", "assistant"] * (len(roles) // 2)


@each_sample
def test_evidence_exists_when_the_question_is_asked(name: str) -> None:
    sample = SAMPLES[name]
    places = order(sample)
    known = {point["memory_id"]: places[session] for session, point in points(sample)}
    known |= {image_id: places[session] for image_id, (session, _) in pictures(sample).items()}
    for trigger, question in questions(sample):
        for evidence in question["evidence"]:
            (evidence_id,) = evidence.values()
            assert known[evidence_id] <= trigger, question["question"]


@each_sample
def test_evidence_is_never_interference(name: str) -> None:
    traps = {p["memory_id"] for _, p in points(SAMPLES[name]) if p["memory_source"] == "interference"}
    asked = {e.get("memory_id") for _, q in questions(SAMPLES[name]) for e in q["evidence"]}
    assert not traps & asked


@each_sample
def test_checkpoints_are_asked_in_order_and_are_not_all_prefixes(name: str) -> None:
    sample = SAMPLES[name]
    places = order(sample)
    covered = [[places[s] for s in checkpoint["covered_sessions"]] for checkpoint in sample["qa_checkpoints"]]
    assert [max(window) for window in covered] == sorted({max(window) for window in covered})
    assert any(min(window) > 0 for window in covered)


@each_sample
def test_unanswerable_questions_say_so_and_have_no_evidence(name: str) -> None:
    for _, question in questions(SAMPLES[name]):
        unanswerable = question["question_type_abbrev"] == "MB"
        assert (question["answer"] == NOT_MENTIONED) is unanswerable
        assert (question["evidence"] == []) is unanswerable


@each_sample
def test_what_an_update_replaces_was_a_point_before(name: str) -> None:
    earlier: dict[str, str] = {}
    for session, point in points(SAMPLES[name]):
        for original in point["original_memories"]:
            assert original in earlier, point["memory_id"]
        assert bool(point["original_memories"]) is is_update(point)
        earlier[point["memory_content"]] = session


@each_sample
def test_every_sample_has_updates_interference_and_a_trap_that_poses_as_an_update(name: str) -> None:
    gold = [point for _, point in points(SAMPLES[name])]
    traps = [point for point in gold if point["memory_source"] == "interference"]
    assert len([p for p in gold if p["memory_source"] != "interference" and is_update(p)]) >= 4
    assert len(traps) >= 3
    assert any(is_update(trap) for trap in traps)


@pytest.mark.parametrize("name", ["software_01", "personal_01", "minecraft_001", "eb_alfred_long_horizon_01"])
def test_some_facts_change_twice(name: str) -> None:
    updates = [p for _, p in points(SAMPLES[name]) if is_update(p) and p["memory_source"] != "interference"]
    contents = {update["memory_content"] for update in updates}
    assert any(set(update["original_memories"]) & contents for update in updates)


def test_all_four_ways_to_update_occur() -> None:
    kinds = {point.get("update_type") for sample in SAMPLES.values() for _, point in points(sample)}
    assert kinds == {None, "Revise", "Append", "Merge", "Delete"}


def test_weights_vary_between_a_fifth_and_one() -> None:
    weights = {point["importance"] for sample in SAMPLES.values() for _, point in points(sample)}
    assert min(weights) == 0.2
    assert max(weights) == 1.0
    assert len(weights) >= 6


@each_sample
def test_what_only_a_picture_holds_stands_in_no_text(name: str) -> None:
    sample = SAMPLES[name]
    text = said(sample)
    for _, question in questions(sample):
        answer = question["answer"]
        if question["question_type_abbrev"] in {"VFR", "VU"}:
            assert stands_in(answer, text) is ((name, answer) in HELD_BY_CAPTION), answer
            assert any("image_id" in evidence for evidence in question["evidence"])


@each_sample
def test_visual_search_is_answered_by_the_id_of_its_evidence(name: str) -> None:
    for _, question in questions(SAMPLES[name]):
        if question["question_type_abbrev"] == "VS":
            assert question["evidence"] == [{"image_id": question["answer"]}]


@each_sample
def test_cross_modal_questions_need_a_picture_and_a_point(name: str) -> None:
    for _, question in questions(SAMPLES[name]):
        if question["question_type_abbrev"] == "CMR":
            kinds = {key for evidence in question["evidence"] for key in evidence}
            assert kinds == {"image_id", "memory_id"}


@each_sample
def test_pictures_open_and_have_short_and_full_captions(name: str) -> None:
    for image_id, (session, picture) in pictures(SAMPLES[name]).items():
        path = FILES[name].parent / picture["file_path"]
        assert image_id.startswith(f"{session}_img_")
        assert len(picture["caption_full"]) > len(picture["caption"]) > 0
        if (name, image_id) in MISSING:
            assert not path.exists()
            continue
        with Image.open(path) as opened:
            opened.load()
            assert opened.format == "PNG"
            assert min(opened.size) >= 250


def test_every_picture_file_belongs_to_a_turn() -> None:
    named = {
        FILES[name].parent / picture["file_path"]
        for name, sample in SAMPLES.items()
        for _, picture in pictures(sample).values()
    }
    assert set(ROOT.rglob("*.png")) == {path for path in named if path.exists()}


def test_flags_are_strings_in_lifelong_samples_and_booleans_in_agentic_ones() -> None:
    for name, sample in SAMPLES.items():
        kinds = {type(point["is_update"]) for _, point in points(sample)}
        assert kinds == ({bool} if "agent" in FILES[name].parts else {str})


def test_one_round_has_no_time_and_its_user_turn_is_a_picture_alone() -> None:
    bare = [turn for sample in SAMPLES.values() for _, turn in turns(sample) if "timestamp" not in turn]
    assert [turn["role"] for turn in bare] == ["user", "assistant"]
    assert bare[0]["content"] == ""
    assert len(bare[0]["attachments"]) == 1
