"""The real mem0ai, before a model server on the loopback: what it keeps, tells and finds, and at which calls."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest
from mem0_play import FACT, Make, hear, texts, turn
from msgspec.structs import replace

from memarena.records import RunContext

CHANGED = "The locker code of Zanetti is 9320."


def only(name: str, wanted: str) -> None:
    if name != wanted:
        pytest.skip(f"this is about {wanted}")


def test_2_x_keeps_the_old_value_beside_the_new(name: str, adapter: Any):
    only(name, "mem0")
    hear(adapter, "S01", FACT)
    hear(adapter, "S02", CHANGED)
    assert texts(adapter) == [FACT, CHANGED]
    (change,) = adapter.export_memory_delta("S02")
    assert (change.op, change.memory_id, change.text) == ("add", "m00002", CHANGED)


def test_1_0_11_puts_the_new_value_in_the_place_of_the_old(name: str, adapter: Any):
    only(name, "mem0-classic")
    hear(adapter, "S01", FACT)
    hear(adapter, "S02", CHANGED)
    (item,) = adapter.snapshot_memories()
    assert (item.text, item.turn_ids, item.session_id) == (CHANGED, ("S01:T0", "S02:T0"), "S01")
    (change,) = adapter.export_memory_delta("S02")
    assert (change.op, change.text, change.previous) == ("update", CHANGED, (FACT,))


def test_1_0_11_deletes_what_is_denied(name: str, adapter: Any):
    only(name, "mem0-classic")
    hear(adapter, "S01", "Ana has a dog called Bruno.")
    hear(adapter, "S02", "Ana doesn't have a dog called Bruno.")
    assert texts(adapter) == []
    (change,) = adapter.export_memory_delta("S02")
    assert (change.op, change.memory_id, change.text) == ("delete", "m00001", "Ana has a dog called Bruno.")


def test_what_a_value_was_in_between_is_told(name: str, adapter: Any):
    only(name, "mem0-classic")
    hear(adapter, "S01", FACT)
    hear(adapter, "S02", CHANGED, "The locker code of Zanetti is 1234.")
    (change,) = adapter.export_memory_delta("S02")
    assert change.previous == (FACT, CHANGED)


def test_what_is_said_again_changes_nothing(adapter: Any):
    hear(adapter, "S01", FACT)
    before = adapter.snapshot_memories()
    hear(adapter, "S02", FACT)
    assert adapter.snapshot_memories() == before
    assert adapter.export_memory_delta("S02") == ()


def test_prompts_and_items_have_the_time_of_the_benchmark_and_no_other(offline_server: Any, adapter: Any):
    hear(adapter, "S01", FACT, time="1:56 pm on 8 May, 2023")
    assert "1:56 pm on 8 May, 2023" in offline_server.prompts()
    hear(adapter, "S02", "Quillon keeps nine bees.")
    (first, *_) = adapter.snapshot_memories()
    assert first.metadata["time"] == "1:56 pm on 8 May, 2023"
    assert adapter.retrieve(FACT, 1).items[0].text == f"[1:56 pm on 8 May, 2023] {FACT}"
    today = subprocess.run(["date", "-u", "+%Y-%m-%d"], capture_output=True, text=True, check=True).stdout.strip()
    assert today not in offline_server.prompts()


def test_times_can_be_left_out_of_what_is_retrieved(make: Make, context: RunContext):
    made = make(time_in_text=False)
    made.reset(context)
    hear(made, "S01", FACT, time="8 May, 2023")
    assert made.retrieve(FACT, 1).items[0].text == FACT


def test_calls_are_those_that_are_known_of_2_x(name: str, offline_server: Any, adapter: Any):
    """A turn: its vector, the extraction, and one batch of vectors for the memories; a search: one vector."""
    only(name, "mem0")
    offline_server.counts()
    adapter.ingest_turn(turn("S01", 0, f"{FACT} Quillon keeps nine bees on the roof of the old house."))
    assert offline_server.counts() == (1, 2)
    adapter.ingest_turn(turn("S01", 1, "Hello there!"))
    assert offline_server.counts() == (1, 1)
    adapter.end_session("S01")
    adapter.snapshot_memories()
    adapter.export_memory_delta("S01")
    assert offline_server.counts() == (0, 0)
    adapter.retrieve(FACT, 5)
    assert offline_server.counts() == (0, 1)


def test_calls_are_those_that_are_known_of_1_0_11(name: str, offline_server: Any, adapter: Any):
    """A turn: facts, a vector for each, the decision; a search: one vector."""
    only(name, "mem0-classic")
    offline_server.counts()
    adapter.ingest_turn(turn("S01", 0, f"{FACT} Quillon keeps nine bees on the roof of the old house."))
    assert offline_server.counts() == (2, 2)
    adapter.ingest_turn(turn("S01", 1, "Hello there!"))
    assert offline_server.counts() == (1, 0)
    adapter.end_session("S01")
    adapter.snapshot_memories()
    adapter.export_memory_delta("S01")
    assert offline_server.counts() == (0, 0)
    adapter.retrieve(FACT, 5)
    assert offline_server.counts() == (0, 1)


def test_the_length_of_vectors_is_asked_once_or_told(offline_server: Any, make: Make, context: RunContext):
    made = make()
    made.reset(context)
    assert offline_server.counts() == (0, 1)
    told = make(dimensions=256)
    told.reset(replace(context, folder=f"{context.folder}-2"))
    assert offline_server.counts() == (0, 0)


def test_a_turn_that_says_nothing_costs_nothing(offline_server: Any, adapter: Any):
    offline_server.counts()
    hear(adapter, "S01", "", "  ")
    assert offline_server.counts() == (0, 0)


def test_a_round_is_handed_over_at_once(offline_server: Any, make: Make, context: RunContext):
    made = make()
    made.reset(context)
    made.ingest_turn(turn("S01", 0, FACT))
    made.ingest_turn(turn("S01", 1, "I wrote it down.", "assistant"))
    chats = [body for kind, body in offline_server.asked if kind == "chat"]
    assert "I wrote it down." in chats[0]["messages"][-1]["content"]
    assert made.snapshot_memories()[0].turn_ids == ("S01:T0", "S01:T1")


def test_a_long_turn_is_taken_in_whole(offline_server: Any, make: Make, context: RunContext):
    made = make(longest=2000)
    made.reset(context)
    hear(made, "S01", "\n".join(f"Shelf {number} holds the box of Zanetti number {number}." for number in range(200)))
    asked = [
        body["input"][0] for kind, body in offline_server.asked if kind == "embeddings" and body["input"] != ["length"]
    ]
    assert max(map(len, asked)) < 2100
    assert any("number 199" in text for text in texts(made))


def test_after_reset_the_model_is_told_nothing_of_before(offline_server: Any, adapter: Any, context: RunContext):
    hear(adapter, "S01", FACT, "Quillon keeps nine bees.")
    adapter.reset(context)
    offline_server.asked.clear()
    assert texts(adapter) == []
    hear(adapter, "S01", "Marlow paints boats in green.")
    adapter.retrieve(FACT, 5)
    assert "Zanetti" not in offline_server.prompts()
    assert "Quillon" not in offline_server.prompts()


def test_the_same_sessions_lead_to_the_same_requests_and_memories(offline_server: Any, make: Make, context: RunContext):
    seen = []
    for number in range(2):
        made = make()
        made.reset(replace(context, folder=f"{context.folder}-{number}"))
        hear(made, "S01", FACT, "Quillon keeps nine bees on the roof.", time="8 May, 2023")
        hear(made, "S02", CHANGED, "Marlow paints boats in green.")
        found = made.retrieve("Who keeps bees?", 5).items
        kept = [replace(item, backend_id="") for item in made.snapshot_memories()]
        seen.append((list(offline_server.asked), kept, [(item.memory_id, item.score) for item in found]))
        offline_server.asked.clear()
    assert seen[0] == seen[1]
