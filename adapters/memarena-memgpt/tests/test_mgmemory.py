from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from memgpt_play import turn
from memgpt_replies import say, use

from memarena.errors import ModelError
from memarena.modelclient import ModelCallFailed
from memarena.records import RunContext
from memarena.testing.model_server import ModelServer
from memarena_memgpt.agent import UnusableReplies
from memarena_memgpt.mgmemory import MgMemory, MgMemoryOptions


def started(upstream: ModelServer, folder: Path, **options: Any) -> MgMemory:
    adapter = MgMemory(MgMemoryOptions(**options))
    models = {"model": upstream.endpoint, "embedding": upstream.endpoint}
    adapter.reset(RunContext(folder=str(folder), namespace="n", **models))
    return adapter


def hear(adapter: MgMemory, session_id: str, *texts: str) -> None:
    for number, text in enumerate(texts):
        adapter.ingest_turn(turn(number, text, session_id, ("user", "assistant")[number % 2]))
    adapter.end_session(session_id)


def test_a_round_is_one_item_and_asks_no_model(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    hear(adapter, "S01", "A dog.", "Nice.", "And a cat.")
    texts = [item.text for item in adapter.snapshot_memories()]
    assert texts == [
        "[2026-01-01 09:00] user: A dog.\n[2026-01-02 09:00] assistant: Nice.",
        "[2026-01-03 09:00] user: And a cat.",
    ]
    adapter.retrieve(query="dog", top_k=5)
    assert upstream.asked == []


def test_the_default_threshold_is_fifty_thousand_words(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    hear(adapter, "S01", "word " * 24_000, "word " * 24_000)
    hear(adapter, "S02", "word " * 1_900)
    assert upstream.asked == []
    hear(adapter, "S03", "word " * 200)
    assert len(upstream.chats) == 2


def test_items_are_ranked_by_the_tokens_of_the_question_that_they_have(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    hear(adapter, "S01", "a brown dog", "ok", "brown it is", "ok", "a cat", "ok")
    found = adapter.retrieve(query="Is a dog brown?", top_k=2)
    assert [(item.turn_ids[0], item.score) for item in found.items] == [("S01:T000", 2.0), ("S01:T002", 1.0)]


def test_a_flush_saves_sums_up_and_archives_the_oldest_rounds(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, flush_words=23)  # each of the first rounds has 12, heads included
    upstream.script = [
        use(
            ("core_memory_append", {"name": "human", "content": "Ana has a dog."}),
            ("archival_memory_insert", {"content": "The dog is brown."}),
        ),
        say("They talked about a dog."),
    ]
    hear(adapter, "S01", "one two three four five", "six", "one two three four five", "six", "and more", "yes")
    kept = {item.memory_id: item.status for item in adapter.snapshot_memories()}
    assert kept == {
        "core:human:1": "active",
        "S01:T000+S01:T001": "archived",
        "S01:T002+S01:T003": "active",
        "S01:T004+S01:T005": "active",
        "archival:1": "active",
        "summary": "active",
    }
    saving, summing = upstream.chats
    assert "one two three four five" in saving["messages"][1]["content"]
    assert "one two three four five" in summing["messages"][1]["content"]
    assert "and more" not in summing["messages"][1]["content"]
    ops = {change.memory_id: change.op for change in adapter.export_memory_delta("S01")}
    assert (ops["S01:T000+S01:T001"], ops["S01:T004+S01:T005"], ops["summary"]) == ("archive", "add", "add")


def test_what_was_archived_is_still_found(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, flush_words=8)
    hear(adapter, "S01", "the locker code is 4711", "ok", "something else altogether here", "ok")
    assert adapter.snapshot_memories()[0].status == "archived"
    assert adapter.retrieve(query="Which locker code?", top_k=1).items[0].turn_ids[0] == "S01:T000"


@pytest.mark.parametrize("failure", [500, 429])
def test_a_flush_that_fails_is_raised_and_moves_nothing(failure: int, upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, flush_words=8)
    hear(adapter, "S01", "the locker code is 4711", "ok")
    upstream.script = [failure]
    with pytest.raises(ModelCallFailed, match=f"status {failure}"):
        hear(adapter, "S02", "something else altogether here", "ok")
    assert {item.status for item in adapter.snapshot_memories()} == {"active"}


def test_a_model_that_calls_nothing_fails_the_flush(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, flush_words=8, steps=2)
    upstream.script = [say("fine"), say("fine")]
    with pytest.raises(UnusableReplies):
        hear(adapter, "S01", "the locker code is 4711", "ok", "something else altogether here", "ok")


def test_without_a_model_reset_names_the_flag(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match=r"mgmemory works with a model.*--model inner="):
        MgMemory().reset(RunContext(folder=str(tmp_path), namespace="n"))
