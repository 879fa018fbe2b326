"""The algorithm of memgpt, step by step, with a model that says what a script holds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from memgpt_play import active, counts, recall, started, turn
from memgpt_replies import QUIET, say, use

from memarena.errors import ModelError, UsageError
from memarena.modelclient import ModelCallFailed
from memarena.records import MemoryChange, RunContext
from memarena.testing.model_server import ModelServer
from memarena_memgpt.agent import UnusableReplies
from memarena_memgpt.memgpt import MemGpt, MemGptOptions


def roles(body: dict[str, Any]) -> list[str]:
    return [message["role"] for message in body["messages"]]


def test_what_the_model_calls_for_is_kept_with_its_turn(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [
        use(
            ("core_memory_append", {"name": "human", "content": "Ana has a dog."}),
            ("archival_memory_insert", {"content": "The dog is called Bruno."}),
        )
    ]
    adapter.ingest_turn(turn(0, "I have a dog, Bruno."))
    assert active(adapter) == {"core:human:1": "Ana has a dog.", "archival:1": "The dog is called Bruno."}
    assert {item.turn_ids for item in adapter.snapshot_memories()} == {("S01:T000",)}
    assert [item.text for item in recall(adapter)] == ["[2026-01-01 09:00] user: I have a dog, Bruno."]
    assert (len(upstream.chats), len(upstream.embeddings)) == (1, 1)


def test_the_delta_is_the_net_of_the_functions_of_a_session(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [
        use(("core_memory_append", {"name": "human", "content": "Code 4711."})),
        use(("core_memory_replace", {"name": "human", "old_content": "4711", "new_content": "9320"})),
    ]
    adapter.ingest_turn(turn(0, "The code is 4711."))
    adapter.ingest_turn(turn(0, "It is 9320 now.", "S02"))
    said = MemoryChange(op="archive", memory_id="S02:T000", text="[2026-01-01 09:00] user: It is 9320 now.")
    changed = MemoryChange(op="update", memory_id="core:human:1", text="Code 9320.", previous=("Code 4711.",))
    assert adapter.export_memory_delta("S02") == (said, changed)
    assert [change.op for change in adapter.export_memory_delta("S01")] == ["archive", "add"]


def test_a_heartbeat_lets_the_model_act_again_and_see_what_came_of_it(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    first = {"name": "human", "content": "One.", "request_heartbeat": True}
    upstream.script = [
        use(("core_memory_append", first)),
        use(("core_memory_append", {"name": "human", "content": "Two."})),
        use(("core_memory_append", {"name": "human", "content": "Never asked for."})),
    ]
    adapter.ingest_turn(turn(0, "One and two."))
    assert active(adapter) == {"core:human:1": "One.", "core:human:2": "Two."}
    assert roles(upstream.chats[1]) == ["system", "user", "assistant", "tool"]
    assert "One." in upstream.chats[1]["messages"][0]["content"]


def test_the_chain_ends_at_the_cap(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, steps=3)
    upstream.script = [use(("conversation_search", {"query": "dog"}))] * 9
    adapter.ingest_turn(turn(0, "A dog."))
    assert len(upstream.chats) == 3
    assert counts(adapter)["capped"] == 1


@pytest.mark.parametrize(
    ("name", "arguments", "told"),
    [
        ("archival_memory_insert", "{'content': __import__('os').getcwd()}", "no JSON"),
        ("archival_memory_insert", '["content"]', "must be a JSON object"),
        ("archival_memory_insert", '{"content": 7}', "must be of type string"),
        ("archival_memory_insert", "{}", "needs content"),
        ("archival_memory_insert", '{"content": "x", "priority": 1}', "no argument 'priority'"),
        ("archival_memory_search", '{"query": "x", "page": true}', "must be of type integer"),
        ("archival_memory_search", '{"query": "x", "page": NaN}', "no JSON"),
        ("core_memory_append", '{"name": "system", "content": "x"}', "one of human, persona"),
        ("eval", '{"code": "1"}', "there is no function 'eval'"),
    ],
)
def test_a_junk_call_is_told_to_the_model_and_counted(
    name: str, arguments: str, told: str, upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [use((name, arguments)), QUIET]
    adapter.ingest_turn(turn(0, "A dog."))
    assert told in upstream.chats[1]["messages"][-1]["content"]
    assert counts(adapter)["bad_calls"] == 1
    assert active(adapter) == {}


def test_where_no_reply_can_be_used_the_turn_fails(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, steps=2)
    upstream.script = [say("I shall remember that."), use(("archival_memory_insert", "nonsense"))]
    with pytest.raises(UnusableReplies, match=r"none of 2 replies.*no_call 1, bad_calls 1.*the last: .* are no JSON"):
        adapter.ingest_turn(turn(0, "A dog."))


def test_a_call_that_cannot_be_done_is_counted_and_no_failure(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, steps=2)
    missing = use(("core_memory_replace", {"name": "human", "old_content": "cat", "new_content": "dog"}))
    upstream.script = [missing, missing]
    adapter.ingest_turn(turn(0, "A dog."))
    assert counts(adapter)["failed_calls"] == 2
    assert "is not in the block human" in upstream.chats[1]["messages"][-1]["content"]


def test_a_full_block_says_so_and_takes_nothing(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, block_limit=100)
    long = {"name": "human", "content": "x" * 101}
    upstream.script = [use(("core_memory_append", long)), QUIET]
    adapter.ingest_turn(turn(0, "A long thing."))
    assert active(adapter) == {}
    assert "its limit is 100" in upstream.chats[1]["messages"][-1]["content"]


@pytest.mark.parametrize("status", [429, 500, 401])
def test_a_failed_call_is_raised_and_counted(status: int, upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [status]
    with pytest.raises(ModelCallFailed, match=f"status {status}"):
        adapter.ingest_turn(turn(0, "A dog."))
    assert counts(adapter)["failed_chats"] == 1
    assert len(upstream.chats) == 1


@pytest.mark.parametrize("body", [b"<html>busy</html>", b"{}", b'{"choices": []}', b'{"choices": [null]}'])
def test_a_reply_without_a_message_is_raised_and_counted(body: bytes, upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [body]
    with pytest.raises(ModelCallFailed):
        adapter.ingest_turn(turn(0, "A dog."))
    assert counts(adapter)["failed_chats"] == 1


def test_a_failed_embedding_is_raised_and_leaves_no_passage(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    upstream.script = [use(("archival_memory_insert", {"content": "A dog."}))]
    upstream.refuse = lambda kind, body: 500 if kind == "embeddings" else 0
    with pytest.raises(ModelCallFailed, match="planted 500"):
        adapter.ingest_turn(turn(0, "A dog."))
    assert counts(adapter)["failed_embeddings"] == 1
    assert active(adapter) == {}


def test_a_failed_search_for_a_question_is_raised(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    adapter.ingest_turn(turn(0, "A dog."))
    upstream.script = [503]
    with pytest.raises(ModelCallFailed, match="status 503"):
        adapter.retrieve(query="Which dog?", top_k=5)


@pytest.mark.parametrize(("missing", "flag"), [("model", "--model inner="), ("embedding", "--model embed=")])
def test_without_a_model_reset_names_the_flag(missing: str, flag: str, upstream: ModelServer, tmp_path: Path) -> None:
    given = {"model": upstream.endpoint, "embedding": upstream.endpoint}
    context = RunContext(folder=str(tmp_path), namespace="n", **{**given, missing: None})
    with pytest.raises(ModelError, match=flag):
        MemGpt().reset(context)


def test_a_warning_above_the_flush_is_refused() -> None:
    with pytest.raises(UsageError, match="warn_at"):
        MemGpt(MemGptOptions(warn_at=0.9, flush_at=0.8))


def test_every_request_has_the_key_of_the_cell_and_must_call_a_function(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    adapter.ingest_turn(turn(0, "A dog."))
    (body,) = upstream.chats
    assert (body["tool_choice"], body["model"]) == ("required", "offline")
    assert {tool["function"]["name"] for tool in body["tools"]} >= {"core_memory_append", "conversation_search"}


def test_only_this_machine_is_connected_to(upstream: ModelServer, tmp_path: Path, no_network: None) -> None:
    adapter = started(upstream, tmp_path)
    adapter.ingest_turn(turn(0, "A dog."))
    adapter.retrieve(query="Which dog?", top_k=5)
    assert len(upstream.chats) == 2


def test_a_reset_leaves_nothing_and_starts_ids_anew(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    for name in ("one", "two"):
        adapter.reset(
            RunContext(folder=str(tmp_path), namespace=name, model=upstream.endpoint, embedding=upstream.endpoint)
        )
        assert adapter.snapshot_memories() == ()
        upstream.script = [use(("archival_memory_insert", {"content": f"Fact {name}."}))]
        adapter.ingest_turn(turn(0, "A fact."))
        assert active(adapter) == {"archival:1": f"Fact {name}."}
        assert adapter.export_memory_delta("S01")[1].text == f"Fact {name}."
