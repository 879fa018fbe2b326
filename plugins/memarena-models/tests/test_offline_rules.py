"""The rules of the model `offline`: in words, in JSON, by the rules of packages."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from offline_asks import TALK, chat

from memarena.errors import PluginLoadError
from memarena_models import offline, rules
from memarena_models.offline_requests import Request
from memarena_models.offline_schema import Filler
from memarena_models.offline_text import answer, facts, question_of, subject, summary


def said(*messages: tuple[str, str], **more: Any) -> str:
    content = chat(*messages, **more)["choices"][0]["message"]["content"]
    assert isinstance(content, str)
    return content


def test_a_question_is_answered_from_the_conversation() -> None:
    assert "Bruno" in said(
        ("user", "My dog is called Bruno."), ("assistant", "Nice."), ("user", "What is my dog called?")
    )


def test_what_nothing_bears_on_is_not_answered() -> None:
    assert said(("user", "Which car does Viktor drive?")) == "Not mentioned in memory."


def test_a_summary_keeps_whole_sentences_within_its_words() -> None:
    text = said(("system", "Summarise the conversation."), ("user", f"Conversation:\n{TALK}"))
    assert text == "I moved to Leeds in May 2023. My sister Tara lives there too."
    assert summary("word " * 500, 10).split() == ["word"] * 10


def test_facts_are_the_statements_of_a_text() -> None:
    assert facts(TALK) == ["I moved to Leeds in May 2023.", "My sister Tara lives there too."]


def test_facts_keep_who_said_them_when_and_which_picture() -> None:
    assert facts(
        "Caroline (8 May 2023): I adopted a dog.\n\nimage:\nimage_id: S01_img_1\nimage_caption: A brown dog."
    ) == [
        "Caroline (8 May 2023): I adopted a dog.",
        "image_id: S01_img_1\nimage_caption: A brown dog.",
    ]


def test_the_text_to_work_on_is_the_last_section_of_input() -> None:
    assert (
        subject("## Existing Memories\n[]\n\n## New Messages\nuser: Hi Bob.\n\n## Observation Date\n2023")
        == "user: Hi Bob."
    )
    assert subject("Extract facts from this text:\n\nAna moved.") == "Ana moved."
    assert subject("Ana moved.") == "Ana moved."


def test_the_last_question_of_a_message_is_the_question() -> None:
    assert question_of("I am Bo. Who are you? Where do I live?") == "Where do I live?"
    assert question_of("I am Bo.") == ""
    assert answer("Where does Bo live?", ["Bo lives in Leeds."]) == "Leeds"


def test_facts_come_in_the_shape_of_the_example_of_the_prompt() -> None:
    prompt = 'Extract facts. Answer in JSON: {"facts": ["Name is John", "Likes tea"]} or {"facts": []}'
    reply = said(("system", prompt), ("user", f"Input:\n{TALK}"), response_format={"type": "json_object"})
    assert json.loads(reply) == {"facts": ["I moved to Leeds in May 2023.", "My sister Tara lives there too."]}


def test_objects_of_an_example_are_filled_and_its_single_words_kept() -> None:
    example = {"memory": [{"id": "0", "text": "User likes x", "event": "ADD", "linked_ids": ["1"]}]}
    prompt = f"Extract memories as JSON: {json.dumps(example)}"
    reply = json.loads(said(("system", prompt), ("user", TALK), response_format={"type": "json_object"}))
    assert reply["memory"][1] == {
        "id": "1",
        "text": "My sister Tara lives there too.",
        "event": "ADD",
        "linked_ids": [],
    }


def test_json_without_an_example_holds_facts_or_an_answer() -> None:
    assert json.loads(said(("user", TALK), response_format={"type": "json_object"})).keys() == {"facts"}
    asked = said(("user", "My dog is called Bruno. What is my dog called?"), response_format={"type": "json_object"})
    assert "Bruno" in json.loads(asked)["answer"]


SCHEMA = {
    "$defs": {
        "Entity": {
            "type": "object",
            "properties": {
                "name": {"type": "string"},
                "kind": {"enum": ["person", "place"]},
                "parent": {"anyOf": [{"type": "null"}, {"$ref": "#/$defs/Entity"}]},
            },
            "required": ["name", "kind"],
        }
    },
    "type": "object",
    "properties": {
        "entities": {"type": "array", "items": {"$ref": "#/$defs/Entity"}},
        "count": {"type": "integer", "minimum": 1, "maximum": 5},
        "sure": {"type": "boolean"},
    },
    "required": ["entities", "count", "sure"],
}


def test_a_schema_is_filled_from_the_text() -> None:
    form = {"type": "json_schema", "json_schema": {"name": "graph", "schema": SCHEMA, "strict": True}}
    found = json.loads(said(("user", "Tara lives in that place called Leeds."), response_format=form))
    assert found == {
        "entities": [{"name": "Tara lives in that place called Leeds.", "kind": "place"}],
        "count": 1,
        "sure": False,
    }


def test_a_schema_of_a_response_is_filled_too() -> None:
    form = {"format": {"type": "json_schema", "name": "x", "schema": SCHEMA}}
    reply = offline.responses({"input": "Tara lives in Leeds.", "text": form})
    assert json.loads(reply["output"][0]["content"][0]["text"]).keys() == {"entities", "count", "sure"}


def test_a_schema_that_refers_to_itself_ends() -> None:
    endless = {"$defs": {"N": {"type": "object", "properties": {"n": {"$ref": "#/$defs/N"}}, "required": ["n"]}}}
    assert Filler({**endless, "$ref": "#/$defs/N"}, "text").value()
    assert Filler({"$ref": "#"}, "text").value() is not ...


kinds = st.sampled_from(["string", "integer", "number", "boolean", "null"]).map(lambda kind: {"type": kind})
schemas = st.recursive(
    kinds | st.lists(st.text(min_size=1, max_size=4), min_size=1, max_size=3).map(lambda words: {"enum": words}),
    lambda inner: st.one_of(
        inner.map(lambda item: {"type": "array", "items": item}),
        st.lists(inner, min_size=1, max_size=3).map(lambda options: {"anyOf": options}),
        st.dictionaries(st.sampled_from(["a", "id", "text", "answer"]), inner, max_size=3).map(
            lambda fields: {"type": "object", "properties": fields, "required": list(fields)}
        ),
    ),
    max_leaves=8,
)


@given(schemas, st.text(max_size=80))
def test_any_schema_is_filled_with_a_value_that_fits(schema: dict[str, Any], text: str) -> None:
    assert fits(Filler(schema, text).value(), schema)


def fits(value: Any, schema: dict[str, Any]) -> bool:
    if "enum" in schema:
        return value in schema["enum"]
    if "anyOf" in schema:
        return any(fits(value, option) for option in schema["anyOf"])
    if schema["type"] == "array":
        return isinstance(value, list) and all(fits(item, schema["items"]) for item in value)
    if schema["type"] == "object":
        fields = schema["properties"]
        return value.keys() == fields.keys() and all(fits(value[name], fields[name]) for name in fields)
    types = {"string": str, "integer": int, "number": (int, float), "boolean": bool, "null": type(None)}
    return isinstance(value, types[schema["type"]])


class Parrot:
    def matches(self, request: Request) -> bool:
        return request.system == "parrot"

    def reply(self, request: Request) -> str:
        return request.asked


class Point:
    name, value = "parrot", "some_package:Parrot"

    def __init__(self, rule: Any) -> None:
        self.load = lambda: rule


@pytest.fixture
def fresh_rules() -> Any:
    rules.rules.cache_clear()
    yield
    rules.rules.cache_clear()


@pytest.mark.usefixtures("fresh_rules")
def test_a_rule_of_a_package_goes_before_the_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "entry_points", lambda group: [Point(Parrot)])
    assert said(("system", "parrot"), ("user", "What is your name?")) == "What is your name?"
    assert said(("user", "I like tea a lot.")) == "I like tea a lot."


@pytest.mark.usefixtures("fresh_rules")
def test_a_broken_rule_of_a_package_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rules, "entry_points", lambda group: [Point(lambda: 1 / 0)])
    with pytest.raises(PluginLoadError, match=r"offline rule 'parrot' \(some_package:Parrot\): ZeroDivisionError"):
        said(("user", "hello"))
