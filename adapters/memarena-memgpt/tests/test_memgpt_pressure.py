"""What memgpt does when its context fills up: warning, eviction, recursive summary; and what it finds afterwards."""

from __future__ import annotations

from pathlib import Path

import pytest
from memgpt_play import active, counts, recall, started, turn
from memgpt_replies import QUIET, say, use

from memarena.meter import estimate_tokens
from memarena.testing.model_server import ModelServer
from memarena_memgpt import prompts
from memarena_memgpt.agent import UnusableReplies
from memarena_memgpt.memgpt import MemGpt

TALK = "word " * 400
"""400 tokens; an exchange with its heading, the call that follows and the result has about 437."""


def summaries(upstream: ModelServer) -> list[str]:
    bodies = [body for body in upstream.chats if "tools" not in body]
    return [body["messages"][1]["content"] for body in bodies]


def events(upstream: ModelServer) -> list[str]:
    """The last event of each request that offers functions."""
    bodies = [body for body in upstream.chats if "tools" in body]
    return [[each["content"] for each in body["messages"] if each["role"] == "user"][-1] for body in bodies]


def talk(adapter: MemGpt, count: int, first: int = 0) -> None:
    for number in range(first, first + count):
        adapter.ingest_turn(turn(number % 28, f"n{number} {TALK}"))


def test_an_exchange_has_the_tokens_that_the_other_tests_reckon_with(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    before = adapter._agent.used
    talk(adapter, 1)
    assert round((adapter._agent.used - before) * 8192) == pytest.approx(437, abs=3)


def test_above_the_warning_threshold_the_model_is_warned_once(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, window=4096, warn_at=0.6)
    quiet = adapter._agent.used
    due = next(number for number in range(1, 99) if quiet + number * 437 / 4096 > 0.6)
    talk(adapter, due - 1)
    assert prompts.PRESSURE not in events(upstream)
    talk(adapter, 3, first=due)
    assert events(upstream).count(prompts.PRESSURE) == 1
    assert counts(adapter)["warnings"] == 1


def test_what_is_saved_under_pressure_has_no_turn_of_origin(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, window=4096, warn_at=0.1)
    upstream.script = [QUIET, use(("archival_memory_insert", {"content": "Saved in time."}))]
    adapter.ingest_turn(turn(0, TALK))
    (saved,) = [item for item in adapter.snapshot_memories() if item.status == "active"]
    assert (saved.text, saved.turn_ids, saved.session_id) == ("Saved in time.", (), "S01")


def test_above_the_flush_threshold_half_of_the_window_is_evicted_and_summarised(
    upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path, window=8192, warn_at=1.0)
    number = 0
    while not summaries(upstream):
        talk(adapter, 1, first=number)
        number += 1
    (asked,) = summaries(upstream)
    evicted = [place for place in range(number) if f"n{place} word" in asked]
    # 4,096 tokens at 437 an exchange: the tenth reaches them.
    assert evicted == list(range(10))
    assert active(adapter) == {"summary": "They talked."}
    assert len(recall(adapter)) == number
    seen = upstream.chats[-1]["messages"]
    assert seen[1]["content"].endswith("They talked.")
    assert "n10 word" in seen[2]["content"]


def test_the_next_summary_is_made_of_the_one_before(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, window=4096, warn_at=1.0)
    number = 0
    while len(summaries(upstream)) < 2:
        talk(adapter, 1, first=number)
        number += 1
    first, second = summaries(upstream)
    assert "Earlier summary" not in first
    assert "Earlier summary: They talked." in second
    (change,) = [each for each in adapter.export_memory_delta("S01") if each.memory_id == "summary"]
    assert (change.op, counts(adapter)["flushes"]) == ("add", 2)


def test_an_empty_summary_is_a_failure_and_evicts_nothing(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, window=4096, warn_at=0.2, flush_at=0.2)
    upstream.script = [QUIET] * 3
    talk(adapter, 3)
    upstream.script = [say("  ")]
    before = list(adapter._agent.queue)
    with pytest.raises(UnusableReplies, match="empty summary"):
        talk(adapter, 1, first=3)
    assert list(adapter._agent.queue)[: len(before)] == before


def test_a_long_message_comes_in_pieces_that_lose_nothing(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, window=4096)
    words = [f"w{number}" for number in range(2000)]
    adapter.ingest_turn(turn(0, " ".join(words)))
    heard = [event for event in events(upstream) if event.startswith(prompts.NEW_MESSAGE)]
    whole = " ".join(event.partition("\n")[2] for event in heard)
    assert whole == f"[2026-01-01 09:00] user: {' '.join(words)}"
    assert max(map(estimate_tokens, heard)) <= 4096 / 8 + 4


def test_the_prompt_never_exceeds_the_window_for_long(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, window=4096)
    talk(adapter, 40)
    sizes = [
        estimate_tokens(" ".join(str(message.get("content")) for message in body["messages"]))
        for body in upstream.chats
        if "tools" in body
    ]
    assert max(sizes) <= 4096


def test_a_question_is_asked_with_reading_functions_only_and_changes_nothing(
    upstream: ModelServer, tmp_path: Path
) -> None:
    adapter = started(upstream, tmp_path)
    adapter.ingest_turn(turn(0, "A dog."))
    before = adapter.snapshot_memories()
    upstream.script = [
        use(("core_memory_append", {"name": "human", "content": "Planted."})),
        use(("conversation_search", {"query": "dog"})),
    ]
    found = adapter.retrieve(query="Which dog?", top_k=5)
    offered = {tool["function"]["name"] for tool in upstream.chats[-1]["tools"]}
    assert offered == {
        "archival_memory_search",
        "conversation_search",
        "conversation_search_date",
        "send_message",
    }
    assert adapter.snapshot_memories() == before
    assert found.trace["searched"] == ["S01:T000"]
    adapter.ingest_turn(turn(1, "Another."))
    assert "Which dog?" not in str(upstream.chats[-1]["messages"])


def test_blocks_come_first_then_what_was_found_then_the_summary(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, window=4096, warn_at=0.3, flush_at=0.3)
    upstream.script = [
        use(("core_memory_append", {"name": "human", "content": "Ana has a dog."})),
        use(("archival_memory_insert", {"content": "Bruno the dog is brown."})),
    ]
    talk(adapter, 6)
    upstream.script = [use(("archival_memory_search", {"query": "brown dog"}))]
    found = adapter.retrieve(query="Which dog is n5?", top_k=10)
    assert [item.memory_id for item in found.items] == ["core:human", "archival:1", "summary", "S01:T005"]
    assert found.items[0].turn_ids == ("S01:T000",)


def test_pages_of_five_follow_each_other(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    for number in range(7):
        adapter.ingest_turn(turn(number, f"Dog number {number}."))
    upstream.script = [
        use(("conversation_search", {"query": "dog"})),
        use(("conversation_search", {"query": "dog", "page": 1})),
        use(("conversation_search", {"query": "dog", "page": 2})),
    ]
    found = adapter.retrieve(query="Dogs?", top_k=50)
    assert found.trace["searched"] == [f"S01:T{number:03}" for number in (6, 5, 4, 3, 2, 1, 0)]
    told = [message["content"] for message in upstream.chats[-1]["messages"] if message["role"] == "tool"][-3:]
    assert told[0].startswith("Results 1 to 5 of 7 (page 0):")
    assert told[1].startswith("Results 6 to 7 of 7 (page 1):")
    assert told[2] == "No results on page 2 (of 7 results)."


def test_messages_are_found_by_their_day(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path)
    for number in range(4):
        adapter.ingest_turn(turn(number, f"Dog number {number}."))
    days = {"start_date": "2026-01-02", "end_date": "2026-01-03"}
    upstream.script = [
        use(("conversation_search_date", {**days, "end_date": "tomorrow"})),
        use(("conversation_search_date", days)),
    ]
    found = adapter.retrieve(query="When?", top_k=50)
    assert found.trace["searched"] == ["S01:T001", "S01:T002"]
    assert "YYYY-MM-DD" in str(upstream.chats[-2]["messages"])


def test_a_direct_search_asks_no_model_and_embeds_once(upstream: ModelServer, tmp_path: Path) -> None:
    adapter = started(upstream, tmp_path, search="direct")
    upstream.script = [use(("archival_memory_insert", {"content": "Bruno the dog is brown."}))]
    adapter.ingest_turn(turn(0, "A dog."))
    upstream.asked.clear()
    found = adapter.retrieve(query="Which dog?", top_k=5)
    assert [item.memory_id for item in found.items] == ["archival:1", "S01:T000"]
    assert (len(upstream.chats), len(upstream.embeddings)) == (0, 1)
