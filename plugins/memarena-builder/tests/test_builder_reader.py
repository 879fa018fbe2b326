"""The samples as a reader sees them who knows the grammar and no gold."""

from __future__ import annotations

import re
from datetime import datetime

import pytest

from memarena.records import NOT_MENTIONED, AskedQuestion, Shown, ShownItem
from memarena_builder.packs.load import REGISTERS, domains_of, in_register, load
from memarena_builder.reader.answerer import SimReader
from memarena_builder.reader.notebook import Notebook

VISUAL = {"VFR", "VS", "VU", "CMR"}


def has_one(frames, text):
    """Whether one of `frames` is in a text, whatever stands in its blanks."""
    return any(re.search(".+".join(map(re.escape, re.split(r"\{\w+\}", frame))), text) for frame in frames)


def answers(sample, *, pictures, language="en"):
    """(type, reference, answer) of every question, each answered when it is asked."""
    specs = {row["picture"]["image_id"]: row["picture"] for row in sample.log("picture")}
    people = [
        each["name"] for each in sample.log("sample")[0]["cast"]["entities"] if each["kind"] in ("self", "person")
    ]
    stops = {stop["covered_sessions"][-1]: stop for stop in sample.raw["qa_checkpoints"]}
    wordings = [in_register("health", language, register=register).wording for register in REGISTERS]
    stale = [frame for wording in wordings for frame in wording.distractors["stale"]]
    against = [frame for wording in wordings for frame in wording.picture_against]
    notebook = Notebook(language)
    notebook.know(people)
    for session in sample.raw["sessions"]:
        for turn in session["dialogue"]:
            day = datetime.strptime(turn["timestamp"], "%b %d, %Y, %H:%M:%S").date()
            notebook.hear(turn["content"], day)
            if pictures and not has_one(stale, turn["content"]):
                for attachment in turn.get("attachments", []):
                    spec = specs[attachment["image_id"]]
                    for field in spec["fields"]:
                        if field.get("hidden"):
                            stamped = has_one(against, turn["content"])
                            notebook.see(
                                spec["subject"], field["label"], field["value"], spec["image_id"], day, official=stamped
                            )
        for question in stops.get(session["_v2_session_id"], {"questions": []})["questions"]:
            yield question["question_type_abbrev"], question["answer"], notebook.answer(question["question"])


def test_every_question_is_answered_from_the_words_and_pictures_of_its_own_sample(on_disk):
    for sample in on_disk:
        found = list(answers(sample, pictures=True))
        assert found and [each for each in found if each[1] != each[2]] == []


def test_without_pictures_no_visual_question_is_answered_and_all_others_are(on_disk):
    for sample in on_disk:
        for kind, reference, answer in answers(sample, pictures=False):
            assert (answer == reference) is (kind not in VISUAL), kind


def show(*texts: str) -> Shown:
    return Shown(items=tuple(ShownItem(rank=n, memory_id=f"m{n}", text=text) for n, text in enumerate(texts, 1)))


def ask(text: str, *shown: str) -> str:
    return SimReader().answer(AskedQuestion(question_id="Q", text=text), show(*shown)).text


def test_the_answerer_takes_the_newest_of_what_is_shown_in_any_order():
    items = (
        "[Mar 02, 2026, 09:00:00] user: There's been a change: Mara's extension is 5120.",
        "[Jan 02, 2026, 09:00:00] user: So, to ring Mara Okafor, dial extension 4417.",
    )
    assert ask("Which internal number belongs to Mara Okafor?", *items) == "5120"


def test_the_answerer_refuses_a_joke():
    item = "user: Sven Novak joked over lunch that Mara Okafor's extension is 4417. We laughed a good while."
    assert ask("Which internal number belongs to Mara Okafor?", item) == NOT_MENTIONED


def test_the_answerer_puts_a_late_report_before_what_is_known():
    items = (
        "[Jan 02, 2026, 09:00:00] user: Mara Okafor's extension is 4417. It's been like that since January 1, 2026.",
        "[Mar 02, 2026, 09:00:00] user: I only found out today: from December 1, 2025 to January 1, 2026, "
        "Mara Okafor's extension was 3001.",
    )
    assert ask("Which internal number belongs to Mara Okafor?", *items) == "4417"
    assert ask("What was the internal number of Mara Okafor on December 15, 2025?", *items) == "3001"


@pytest.mark.parametrize("text", ["", "Who are you?", "What is the capital of France?"])
def test_the_answerer_abstains_on_what_is_none_of_its_questions(text):
    assert ask(text, "user: Mara Okafor's extension is 4417.") == NOT_MENTIONED


def test_the_answerer_knows_the_values_of_every_domain():
    for pack in map(load, domains_of("en")):
        for place in pack.pools["places"]:
            for device, answer in (("Quiet Printer", NOT_MENTIONED), (pack.device_names[0], place)):
                assert ask(f"Where is the {device} installed?", f"user: the {device} is in {place}.") == answer
