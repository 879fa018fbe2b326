"""Function calls as JSON in the reply, for servers that do not enforce tool calls."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from memgpt_play import active, counts, started, turn
from memgpt_replies import QUIET, say, use

from memarena.records import RunContext
from memarena.testing.model_server import ModelServer
from memarena_memgpt import json_calls
from memarena_memgpt.agent import UnusableReplies
from memarena_memgpt.functions import READING, WRITING, read_call
from memarena_memgpt.mgmemory import MgMemory, MgMemoryOptions


def written(*calls: tuple[str, dict[str, Any]]) -> dict[str, Any]:
    """A message that calls functions as JSON in its text."""
    return say(json.dumps({"calls": [{"name": name, "arguments": given} for name, given in calls]}))


DOG = written(("core_memory_append", {"name": "human", "content": "Ana has a dog.", "request_heartbeat": False}))
DONE = written(("send_message", {"message": "Done."}))


def test_calls_written_as_json_do_what_tool_calls_do(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, calls="json")
    upstream.script = [DOG]
    adapter.ingest_turn(turn(0, "I have a dog."))
    assert active(adapter) == {"core:human:1": "Ana has a dog."}
    (body,) = upstream.chats
    assert "tools" not in body
    assert body["response_format"]["json_schema"]["name"] == "calls"
    assert "core_memory_append(name: " in body["messages"][0]["content"]


def test_the_schema_offers_exactly_the_functions_of_the_moment_and_wants_every_argument(
    upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path, calls="json")
    upstream.script = [DONE]
    adapter.retrieve(query="Which dog?", top_k=5)
    calls = upstream.chats[0]["response_format"]["json_schema"]["schema"]["properties"]["calls"]
    offered = {
        each["properties"]["name"]["enum"][0]: each["properties"]["arguments"] for each in calls["items"]["anyOf"]
    }
    assert set(offered) == set(READING)
    assert offered["conversation_search"]["required"] == ["query", "page"]


def test_results_come_back_as_text_and_roles_take_turns(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, calls="json")
    upstream.script = [written(("conversation_search", {"query": "dog", "page": 0})), DONE, DONE]
    adapter.ingest_turn(turn(0, "A dog."))
    adapter.ingest_turn(turn(1, "A cat."))
    said = upstream.chats[2]["messages"]
    assert [message["role"] for message in said] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert json.loads(said[2]["content"])["calls"][0]["arguments"] == {"query": "dog", "page": 0}
    assert said[3]["content"].startswith(f"{json_calls.RESULT}\nResults 1 to 1 of 1")
    assert said[5]["content"].endswith("A cat.")


@pytest.mark.parametrize(
    "text",
    ["I shall remember that.", '{"calls": [{"name": "send_mess', '{"calls": 7}', '{"calls": [7]}', "[" * 9999, "{}"],
)
def test_a_text_that_holds_no_calls_is_told_to_the_model_and_counted(
    text: str, upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path, calls="json")
    upstream.script = [say(text), DOG]
    adapter.ingest_turn(turn(0, "A dog."))
    assert counts(adapter)["no_call"] == 1
    assert active(adapter) == {"core:human:1": "Ana has a dog."}
    assert upstream.chats[1]["messages"][-1]["content"].startswith("Call one of the functions")


def test_arguments_in_json_are_checked_as_those_of_tool_calls_are(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, calls="json")
    upstream.script = [written(("archival_memory_insert", {"content": 7}), ("eval", {"code": "1"})), DONE]
    adapter.ingest_turn(turn(0, "A dog."))
    assert counts(adapter)["bad_calls"] == 2
    assert active(adapter) == {}
    told = upstream.chats[1]["messages"][-1]["content"]
    assert "content must be of type string" in told
    assert "there is no function 'eval'" in told


def test_auto_goes_over_to_json_after_the_first_reply_without_a_tool_call(
    upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path, calls="auto")
    upstream.script = [QUIET, say("I shall remember that."), DOG, DONE, DONE]
    for number in range(3):
        adapter.ingest_turn(turn(number, "I have a dog."))
    found = adapter.retrieve(query="Which dog?", top_k=5)
    assert ["tools" in body for body in upstream.chats] == [True, True, False, False, False]
    assert found.trace["calls"] == "json"
    assert found.trace["counts"]["unenforced"] == 1
    assert "no_call" not in found.trace["counts"]
    assert active(adapter) == {"core:human:1": "Ana has a dog."}


def test_auto_stays_with_tool_calls_where_they_come(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, calls="auto")
    for number in range(3):
        adapter.ingest_turn(turn(number, "I have a dog."))
    assert all("tools" in body for body in upstream.chats)
    assert adapter.retrieve(query="", top_k=5).trace["calls"] == "tools"


def test_without_auto_the_error_names_the_option(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, steps=1)
    upstream.script = [say("I shall remember that.")]
    with pytest.raises(UnusableReplies, match="needs the option calls=json"):
        adapter.ingest_turn(turn(0, "A dog."))


def test_a_reply_that_was_cut_off_is_said_to_be(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, steps=1, calls="json")
    choice = {"index": 0, "message": say('{"calls": [{"name": "arch'), "finish_reason": "length"}
    upstream.script = [json.dumps({"choices": [choice]}).encode()]
    with pytest.raises(UnusableReplies, match="cut off at the limit of reply_tokens"):
        adapter.ingest_turn(turn(0, "A dog."))


def test_tool_calls_of_before_are_shown_as_json() -> None:
    use_both = use(("conversation_search", {"query": "dog"}), ("eval", "no JSON"))
    (shown,) = json_calls.as_text([use_both])
    assert shown["content"] == (
        '{"calls": [{"name": "conversation_search", "arguments": {"query": "dog"}}, '
        '{"name": "eval", "arguments": no JSON}]}'
    )


@pytest.mark.parametrize("name", WRITING)
def test_what_the_schema_wants_is_what_the_functions_take(name: str) -> None:
    variants = json_calls.response_format(WRITING)["json_schema"]["schema"]["properties"]["calls"]["items"]["anyOf"]
    (arguments,) = [
        variant["properties"]["arguments"] for variant in variants if variant["properties"]["name"]["enum"] == [name]
    ]
    samples = {"string": "persona", "integer": 0, "boolean": True}
    given = {key: samples[what["type"]] for key, what in arguments["properties"].items()}
    assert read_call(name, json.dumps(given), WRITING).name == name


def test_by_either_form_the_model_offline_keeps_the_same(offline_server: ModelServer, tmp_path: Path) -> None:
    found = []
    for form in ("tools", "json"):
        adapter = started(offline_server, tmp_path, calls=form, window=4096, flush_at=0.4, warn_at=0.3, evict=0.1)
        for number in range(12):
            talk = f"The code of door {number} is {number}{number}11. " + "We talked. " * 40
            adapter.ingest_turn(turn(number, talk))
        kept = active(adapter)
        kept.pop("summary")
        found.append((kept, adapter.retrieve(query="What is the code of door 3?", top_k=3).items))
    assert found[0] == found[1]
    assert len(found[0][0]) >= 12


def test_mgmemory_takes_calls_as_json_too(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = MgMemory(MgMemoryOptions(calls="json", flush_words=20))
    adapter.reset(RunContext(folder=str(tmp_path), namespace="n", model=upstream.endpoint, embedding=upstream.endpoint))
    upstream.script = [DOG, say("They talked of a dog.")]
    for number in range(2):
        adapter.ingest_turn(turn(number, "A dog " * 5, role="assistant"))
    assert {"Ana has a dog.", "They talked of a dog."} <= {item.text for item in adapter.snapshot_memories()}


def test_of_a_reply_that_was_cut_off_the_calls_that_came_whole_are_made(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, calls="json")
    text = DOG["content"].removesuffix("]}") + ', {"name": "archival_memory_insert", "arguments": {"cont'
    choice = {"index": 0, "message": say(text), "finish_reason": "length"}
    upstream.script = [json.dumps({"choices": [choice]}).encode()]
    adapter.ingest_turn(turn(0, "A dog."))
    assert active(adapter) == {"core:human:1": "Ana has a dog."}
    assert (counts(adapter)["cut_off"], counts(adapter)["calls"]) == (1, 1)


@given(st.lists(st.tuples(st.text(), st.dictionaries(st.text(), st.text())), max_size=json_calls.MOST), st.integers(0))
def test_calls_are_read_as_they_were_written_and_no_cut_breaks_the_reading(
    calls: list[tuple[str, dict[str, str]]], cut: int
) -> None:
    text = written(*calls)["content"]
    read = [(use.name, json.loads(use.arguments)) for use in json_calls.calls_in(text)]
    assert read == calls
    part = [(use.name, json.loads(use.arguments)) for use in json_calls.calls_in(text[: cut % len(text)])]
    assert part == calls[: len(part)]
