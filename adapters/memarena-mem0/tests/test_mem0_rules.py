from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("memarena_models", reason="the rules are for the model offline of memarena-models")

from memarena_mem0.decisions import decide
from memarena_mem0.rules import fitting, spoken, together
from memarena_models.offline_requests import Request, Said
from memarena_models.rules import rules

OLD = {"0": "The locker code of Zanetti is 4711.", "1": "Ana has a dog called Bruno."}


def events(facts: list[str], memories: dict[str, str] = OLD) -> list[tuple[str, str, str]]:
    return [(row["id"], row["event"], row["text"]) for row in decide(memories, facts) if row["event"] != "NONE"]


def test_another_value_for_the_same_takes_its_place():
    (row, _) = decide(OLD, ["The locker code of Zanetti is 9320."])
    assert row == {
        "id": "0",
        "text": "The locker code of Zanetti is 9320.",
        "event": "UPDATE",
        "old_memory": "The locker code of Zanetti is 4711.",
    }


def test_what_is_said_again_changes_nothing():
    assert events(["The locker code of Zanetti is 4711.", "Ana has a dog."]) == []


def test_what_says_more_of_the_same_takes_its_place():
    new = "Ana has a brown dog called Bruno."
    assert events([new]) == [("1", "UPDATE", new)]


def test_what_says_that_something_changed_takes_its_place():
    new = "From now on Wen and Priscila alternate, weekends included."
    assert events([new], {"0": "Wen is on call Monday to Friday, Priscila takes the weekends."}) == [
        ("0", "UPDATE", new)
    ]


def test_what_is_denied_is_deleted():
    assert events(["Ana doesn't have a dog called Bruno."]) == [("1", "DELETE", "Ana has a dog called Bruno.")]


def test_what_is_new_is_added_under_the_next_id():
    assert events(["Ben keeps bees.", "Ben keeps bees."]) == [("2", "ADD", "Ben keeps bees.")]
    assert events(["Ben keeps bees."], {}) == [("0", "ADD", "Ben keeps bees.")]


def test_what_is_only_supposed_replaces_nothing():
    new = "If the locker code of Zanetti is 9320, tell me."
    assert events([new]) == [("2", "ADD", new)]


def test_the_caption_of_a_picture_replaces_no_other():
    old = {"0": "image_id: S1_img_1\nimage_caption: Screenshot of step 1"}
    new = "image_id: S2_img_1\nimage_caption: Screenshot of step 4"
    assert events([new], old) == [("1", "ADD", new)]
    assert events([old["0"]], old) == []


def test_of_two_facts_for_one_memory_none_is_lost():
    facts = ["The locker code of Zanetti is 9320.", "The locker code of Zanetti is 1234."]
    assert events(facts) == [("0", "UPDATE", facts[0]), ("2", "ADD", facts[1])]


@given(st.lists(st.sampled_from(["The code is 1.", "The code of Ann is 2.", "Ann now has a new code.", "Bees."])))
def test_each_memory_has_one_event_and_each_id_is_there_once(facts):
    memories = {"0": "The code of Ann is 1.", "1": "Ann has a code.", "2": "Ben keeps bees."}
    found = decide(memories, facts)
    ids = [row["id"] for row in found]
    assert ids == [str(place) for place in range(len(found))]
    assert {row["event"] for row in found[3:]} <= {"ADD"}
    assert {row["event"] for row in found[:3]} <= {"NONE", "UPDATE", "DELETE"}


def test_messages_of_several_lines_are_told_apart():
    text = "user: One.\nTwo.\nassistant: Three.\nuser: image:\nimage_id: S1_img_1\n"
    assert list(spoken(text)) == [
        ("user", "One.\nTwo."),
        ("assistant", "Three."),
        ("user", "image:\nimage_id: S1_img_1"),
    ]


def test_short_statements_stand_together_and_captions_alone():
    ten = "a b c d e f g h i j."
    caption = "image_id: 1\nimage_caption: A cat."
    assert list(together([ten, "k l m n o.", "p.", caption, "q."])) == [f"{ten} k l m n o.", "p.", caption, "q."]
    assert list(together(["w " * 10 + "x.", "y " * 75 + "z."])) == ["w " * 10 + "x.", "y " * 75 + "z."]


def test_facts_end_where_the_reply_has_no_room():
    """A text of one letter in quotation marks counts three tokens; 80 % of 10 tokens hold two of them."""
    assert fitting(["a", "a", "b", "c"], 10) == ["a", "b"]
    assert fitting(["a", "b", "c"], None) == ["a", "b", "c"]


def reply(user: str, system: str = "") -> dict[str, list[object]]:
    said = tuple(Said(role=role, text=text) for role, text in (("system", system), ("user", user)) if text)
    request = Request(messages=said, json=True)
    rule = next(rule for rule in rules() if rule.matches(request))
    assert type(rule).__module__ == "memarena_mem0.rules"
    found: dict[str, list[object]] = json.loads(rule.reply(request))
    return found


def test_the_prompt_of_2_x_is_answered_with_what_is_not_known_yet():
    bees = "Quillon keeps nine bees on the roof of the house that stands beside the old harbour."
    known = [{"id": "0", "text": bees}]
    prompt = (
        f"## Summary\n\n\n## Last k Messages\nuser: Hi.\n\n## Existing Memories\n{json.dumps(known)}\n\n"
        "## New Messages\n"
        f"user: {bees}\nThe locker code is 4711. Is it?\nassistant: I wrote the code on a slip.\n\n\n"
        "## Observation Date\nunknown\n\n## Current Date\nunknown\n\n# Output:"
    )
    assert reply(prompt, "# ROLE\n\nYou are a Memory Extractor") == {
        "memory": [
            {"id": "0", "text": "The locker code is 4711.", "attributed_to": "user"},
            {"id": "1", "text": "I wrote the code on a slip.", "attributed_to": "assistant"},
        ]
    }


def test_the_first_prompt_of_1_0_11_is_answered_with_what_the_user_said():
    prompt = "Input:\nuser: The locker code is 4711. Really?\nassistant: I wrote it on a slip.\n"
    assert reply(prompt, "You are a Personal Information Organizer") == {"facts": ["The locker code is 4711."]}


def test_the_second_prompt_of_1_0_11_is_answered_with_events():
    old = [{"id": "0", "text": "It's Zanetti's code: 4711."}]
    prompt = (
        "You are a smart memory manager\n\nYou have to update it in the following format only:\n\n"
        f"    ```\n    {old}\n    ```\n\n    The new retrieved facts are mentioned in the triple backticks. "
        "You have to determine whether these facts should be added, updated, or deleted in the memory.\n\n"
        f"    ```\n    {['Ben keeps `bees`.']}\n    ```\n\n    You must return your response"
    )
    assert [row["event"] for row in reply(prompt)["memory"]] == ["NONE", "ADD"]  # type: ignore[index]


def test_of_a_picture_nothing_is_made_up():
    request = Request(messages=(Said(role="user", text="A user is providing an image. Provide a description."),))
    assert next(rule for rule in rules() if rule.matches(request)).reply(request) == "A picture."
