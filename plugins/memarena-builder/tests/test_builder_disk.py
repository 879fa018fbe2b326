"""Each validator on a sample as it lies on disk: nothing where it is as it was built, and each edit is found."""

from __future__ import annotations

import copy
import json
import shutil

import pytest
from click.testing import CliRunner

from memarena.cli.data import validate
from memarena_builder.agentic.recipes import HouseRecipe
from memarena_builder.makers import make
from memarena_builder.order import HouseOrder
from memarena_builder.validators.answers import FROM_PICTURES
from memarena_builder.validators.disk import problems_of


@pytest.fixture
def clean(on_disk):
    sample = on_disk[0]
    return copy.deepcopy(sample.raw), copy.deepcopy(sample.rows)


def found(raw, rows):
    return {(each.validator, each.unit) for each in problems_of(raw, rows)}


def turn_of(raw, row, place=0):
    session = next(each for each in raw["sessions"] if each["_v2_session_id"] == row["session"])
    return session["dialogue"][row["turns"][place]]


def event(rows, wanted):
    return next(row for row in rows if row["row"] == "event" and wanted(row["event"]))


def asked(raw, rows, wanted):
    """The first question of the file whose row in the log is wanted, with that row."""
    pairs = zip(
        (each for stop in raw["qa_checkpoints"] for each in stop["questions"]),
        (row for row in rows if row["row"] == "question"),
        strict=True,
    )
    return next((question, row) for question, row in pairs if wanted(question, row))


def test_nothing_is_found_in_what_was_built(on_disk):
    for sample in on_disk:
        assert list(problems_of(sample.raw, sample.rows)) == []


def test_v1_a_turn_that_does_not_tell_its_fact_any_more(clean):
    raw, rows = clean
    row = event(rows, lambda each: each["kind"] == "E9" and each["fact"]["key"][1] == "jam")
    for place in range(len(row["turns"])):
        turn_of(raw, row, place)["content"] = "Nothing to tell."
    assert "V1" in {code for code, _ in found(raw, rows)}


def test_v1_gold_that_says_another_value(clean):
    raw, rows = clean
    point = raw["sessions"][0]["memory_points"][0]
    point["memory_content"] = "Nobody knows."
    assert ("V1", point["memory_id"]) in found(raw, rows)


def test_v1_gold_that_has_a_point_too_few(clean):
    raw, rows = clean
    raw["memory_points"][0]["memory_points"].pop()
    assert ("V1", raw["memory_points"][0]["session_id"]) in found(raw, rows)


def test_v2_a_caption_that_tells_a_value_and_one_that_is_too_short(clean):
    raw, rows = clean
    pictures = {row["picture"]["image_id"]: row["picture"] for row in rows if row["row"] == "picture"}
    turns = (turn for session in raw["sessions"] for turn in session["dialogue"])
    first, second = [each for turn in turns for each in turn.get("attachments", ())][:2]
    first["caption"] += f", {pictures[first['image_id']]['fields'][0]['value']}"
    second["caption"] = "A form."
    assert {("V2", first["image_id"]), ("V2", second["image_id"])} <= found(raw, rows)


def test_v3_a_distractor_that_has_lost_its_cue(clean):
    raw, rows = clean
    row = event(rows, lambda each: each.get("distraction") == "story")
    turn_of(raw, row)["content"] = "So it was."
    assert ("V3", row["event"]["event_id"]) in found(raw, rows)


def test_v4_an_update_of_what_was_never_told(clean):
    raw, rows = clean
    updates = [each for block in raw["memory_points"] for each in block["memory_points"] if each["original_memories"]]
    updates[0]["original_memories"] = ["It was never so."]
    assert ("V4", updates[0]["memory_id"]) in found(raw, rows)


def test_v5_evidence_that_is_taken_away_or_of_something_else(clean):
    raw, rows = clean
    one, _ = asked(raw, rows, lambda question, row: len(question["evidence"]) > 1)
    one["evidence"] = one["evidence"][:1]
    two, _ = asked(raw, rows, lambda question, row: row["reason"])
    two["evidence"] = one["evidence"]
    assert {("V5", one["question"]), ("V5", two["question"])} <= found(raw, rows)


def test_v6_an_answer_that_is_changed(clean):
    raw, rows = clean
    question, _ = asked(raw, rows, lambda question, row: question["question_type_abbrev"] == "KR")
    question["answer"] = "Nobody"
    assert ("V6", question["question"]) in found(raw, rows)


def test_v7_a_question_that_is_asked_too_early(clean):
    raw, rows = clean
    first, *_, last = raw["qa_checkpoints"]
    told = [row for row in rows if row["row"] == "event" and row["session"] in last["covered_sessions"]]
    late = {row["event"]["fact"]["fact_id"] for row in told if "fact" in row["event"]}
    first["covered_sessions"], last["covered_sessions"] = last["covered_sessions"], first["covered_sessions"]
    question, _ = asked(raw, rows, lambda question, row: set(row["facts"]) & late)
    assert ("V7", question["question"]) in found(raw, rows)


def test_v8_a_visual_answer_in_words_and_an_answer_that_no_words_have(clean):
    raw, rows = clean
    visual, _ = asked(raw, rows, lambda question, row: question["question_type_abbrev"] == "VFR")
    raw["sessions"][0]["dialogue"][1]["content"] += f" {visual['answer']}."
    assert ("V8", visual["question"]) in found(raw, rows)


def test_v9_a_session_that_has_grown(clean):
    raw, rows = clean
    session = raw["sessions"][2]
    session["dialogue"] += [dict(session["dialogue"][0], content="And so on and so forth, as ever.")] * 40
    assert ("V9", session["_v2_session_id"]) in found(raw, rows)


def test_v10_evidence_that_leads_nowhere_and_a_log_of_another_sample(clean, on_disk):
    raw, rows = clean
    raw["qa_checkpoints"][0]["questions"][0]["evidence"] = [{"memory_id": "mp_S99_1"}]
    assert ("V10", raw["qa_checkpoints"][0]["checkpoint_id"]) in found(raw, rows)
    assert ("V10", on_disk[1].raw["sample_id"]) in found(on_disk[1].raw, on_disk[2].rows)


def test_v11_a_question_that_has_lost_its_twin(clean):
    raw, rows = clean
    _, row = asked(raw, rows, lambda question, row: row["reason"])
    row["twin"] = ""
    assert ("V11", row["question_id"]) in found(raw, rows)


def test_validate_tells_what_an_edit_has_done_and_nothing_of_a_set_without_logs(on_disk, tmp_path):
    root = shutil.copytree(on_disk[0].root, tmp_path / "set")
    told = CliRunner().invoke(validate, [str(root)])
    assert told.exit_code == 0 and "not so" not in told.output
    path = next(root.rglob(f"{on_disk[0].raw['sample_id']}.json"))
    raw = json.loads(path.read_text(encoding="utf-8"))
    question, _ = asked(raw, on_disk[0].rows, lambda question, row: question["question_type_abbrev"] == "VFR")
    raw["sessions"][0]["dialogue"][1]["content"] += f" {question['answer']}."
    path.write_text(json.dumps(raw), encoding="utf-8")
    told = CliRunner().invoke(validate, [str(root)])
    seen = [each for stop in raw["qa_checkpoints"] for each in stop["questions"]]
    seen = [each for each in seen if each["question_type_abbrev"] in FROM_PICTURES]
    given_away = sum(each["answer"] == question["answer"] for each in seen)
    said = f"V8: {given_away} not so: what only a picture tells is nowhere in words"
    assert told.exit_code == 0 and said in told.output
    shutil.rmtree(root / "hidden")
    assert "not so" not in CliRunner().invoke(validate, [str(root)]).output


@pytest.mark.parametrize("flags", [(), ("--limit", "1")], ids=["all", "the first"])
def test_validate_looks_at_a_file_by_whatever_name_and_where_only_some_are_read(on_disk, tmp_path, flags):
    first = on_disk[2]
    root = shutil.copytree(first.root, tmp_path / "set")
    path = next(root.rglob(f"{first.raw['sample_id']}.json"))
    raw = json.loads(path.read_text(encoding="utf-8"))
    question, _ = asked(raw, first.rows, lambda question, row: question["question_type_abbrev"] == "KR")
    question["answer"] = "Nobody"
    path.with_name("another_01.json").write_text(json.dumps(raw), encoding="utf-8")
    path.unlink()
    told = CliRunner().invoke(validate, [str(root), *flags])
    assert told.exception is None and "V6: 1 not so" in told.output


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    """A sample of errands in a house, and its log."""
    pytest.importorskip("minigrid")
    root = tmp_path_factory.mktemp("played")
    order = HouseOrder(
        sample_id="house_01", place="agent/embodied/house", seed=3, sessions=8, questions=20, checkpoints=2,
        recipe=HouseRecipe(errands=("fetch", "put", "open")),
    )  # fmt: skip
    make(order, root)
    raw = json.loads((root / order.place / "house_01.json").read_text(encoding="utf-8"))
    log = (root / "hidden" / "house_01.jsonl").read_text(encoding="utf-8")
    return raw, [json.loads(line) for line in log.splitlines()]


def test_what_an_agent_went_through_is_looked_at_too(played):
    assert list(problems_of(*played)) == []
    raw, rows = copy.deepcopy(played)
    told = event(rows, lambda each: each.get("fact") and not each["fact"].get("visual"))
    refused = event(rows, lambda each: each["kind"] == "distractor")
    for row in (told, refused):
        for place in range(len(row["turns"])):
            turn_of(raw, row, place)["content"] = "Nothing."
    visual, _ = asked(raw, rows, lambda question, row: question["question_type_abbrev"] == "VFR")
    raw["sessions"][0]["dialogue"][0]["content"] += f" It is {visual['answer']}."
    seen = event(rows, lambda each: each.get("fact") and each["fact"].get("visual"))
    shown = turn_of(raw, seen)["attachments"].pop()
    wrong = found(raw, rows)
    assert {("V1", told["event"]["fact"]["fact_id"]), ("V1", seen["event"]["fact"]["fact_id"])} <= wrong
    assert ("V3", f"{refused['session']}: {refused['event']['slots']['V']}") in wrong
    assert {("V8", visual["question"]), ("V2", shown["image_id"])} <= wrong
