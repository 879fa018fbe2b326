"""The real graphiti-core on a real FalkorDB, before a model server on the loopback: what it keeps, tells and finds."""

from __future__ import annotations

import json
from typing import Any

import pytest
from graphiti_play import BEES, CHANGED, FACT, Make, hear, kept
from msgspec.structs import replace

from memarena.records import MemoryChange, RunContext


def test_a_fact_that_is_contradicted_is_archived_and_says_until_when_it_held(adapter: Any):
    hear(adapter, "S01", FACT, time="Jan 02, 2025, 09:00:00")
    hear(adapter, "S02", CHANGED, time="Jan 09, 2025, 09:00:00")
    old, new = adapter.snapshot_memories()
    assert (old.text, old.status, new.text, new.status) == (FACT, "archived", CHANGED, "active")
    assert old.metadata == {
        "relation": "SAYS",
        "valid_at": "Jan 02, 2025, 09:00:00",
        "invalid_at": "Jan 09, 2025, 09:00:00",
    }
    assert adapter.export_memory_delta("S02") == (
        MemoryChange(op="add", memory_id="f00002", text=CHANGED),
        MemoryChange(op="archive", memory_id="f00001", text=FACT),
    )


def test_a_fact_may_be_closed_by_the_next_turn_of_the_same_time(adapter: Any):
    hear(adapter, "S01", FACT, CHANGED, time="8 May, 2023")
    assert (kept(adapter), kept(adapter, "archived")) == ([CHANGED], [FACT])
    assert [change.op for change in adapter.export_memory_delta("S01")] == ["add", "add", "archive"]


def test_what_is_said_again_is_one_fact_of_both_turns(adapter: Any):
    hear(adapter, "S01", FACT)
    hear(adapter, "S02", FACT)
    (item,) = adapter.snapshot_memories()
    assert (item.session_id, item.turn_ids) == ("S01", ("S01:T0", "S02:T0"))
    assert adapter.export_memory_delta("S02") == (MemoryChange(op="merge", memory_id="f00001", text=FACT),)


def test_a_session_that_says_nothing_changes_nothing(adapter: Any):
    hear(adapter, "S01", FACT)
    hear(adapter, "S02")
    assert adapter.export_memory_delta("S02") == ()


def test_closed_facts_are_retrieved_where_that_is_wanted(make: Make, context: RunContext):
    found = {}
    for closed in (False, True):
        made = make(closed=closed)
        made.reset(replace(context, folder=f"{context.folder}-{closed}"))
        hear(made, "S01", FACT, time="2025-01-02 09:00")
        hear(made, "S02", CHANGED, time="2025-01-09 09:00")
        found[closed] = {item.text for item in made.retrieve("locker code of Zanetti", 5).items}
        made.close()
    assert found == {
        False: {f"[2025-01-09 09:00] {CHANGED}"},
        True: {f"[2025-01-02 09:00 - 2025-01-09 09:00] {FACT}", f"[2025-01-09 09:00] {CHANGED}"},
    }


def test_texts_have_no_time_where_the_data_set_gives_none_or_the_option_says_so(make: Make, context: RunContext):
    for options, time in (({}, None), ({"time_in_text": False}, "2025-01-02 09:00")):
        made = make(**options)
        made.reset(context)
        hear(made, "S01", FACT, time=time)
        assert [item.text for item in made.retrieve("Zanetti", 5).items] == [FACT]
        made.close()


def test_scores_fall_and_never_more_than_was_asked_for_is_found(adapter: Any):
    hear(adapter, "S01", FACT, BEES, "Marlow keeps bees in green boxes.", "Many bees are kept by Ann.")
    found = adapter.retrieve(BEES, 2).items
    assert len(found) == 2
    assert found[0].score >= found[1].score > 0
    assert ("S01:T1",) in [item.turn_ids for item in found]


def test_prompts_have_the_time_of_the_benchmark_and_no_other(offline_server: Any, adapter: Any):
    hear(adapter, "S01", FACT, time="1:56 pm on 8 May, 2023")
    hear(adapter, "S02", CHANGED, time="1:56 pm on 9 May, 2024")
    assert "2023-05-08 13:56:00+00:00" in offline_server.prompts()
    assert "2026-" not in offline_server.prompts()


def test_a_turn_costs_the_calls_that_are_known(offline_server: Any, adapter: Any):
    """(chat completions, requests for vectors): entities and facts; names and facts, each twice."""
    offline_server.counts()
    hear(adapter, "S01", FACT)
    assert offline_server.counts() == (2, 4)
    hear(adapter, "S02", BEES)
    assert offline_server.counts() == (2, 4)
    hear(adapter, "S03", CHANGED)
    assert offline_server.counts() == (3, 5)
    adapter.retrieve("Zanetti", 3)
    assert offline_server.counts() == (0, 1)


def test_a_model_that_leaves_times_open_is_asked_for_them(offline_server: Any, adapter: Any):
    offline_server.reply = undated
    offline_server.counts()
    hear(adapter, "S01", FACT, time="2025-01-02 09:00")
    chats, _ = offline_server.counts()
    assert chats == 3
    assert adapter.snapshot_memories()[0].metadata["valid_at"] == "2025-01-02 09:00"


def undated(body: Any) -> str | None:
    """The facts without their times."""
    from memarena_models import offline

    if "an expert fact extractor" not in body["messages"][0]["content"]:
        return None
    value = json.loads(offline.chat(body)["choices"][0]["message"]["content"])
    return json.dumps({"edges": [{**edge, "valid_at": None} for edge in value["edges"]]})


def test_a_turn_that_says_nothing_costs_nothing(offline_server: Any, adapter: Any):
    offline_server.counts()
    hear(adapter, "S01", " \n")
    assert adapter.retrieve("  ", 3).items == ()
    assert offline_server.counts() == (0, 0)


def test_a_long_turn_is_taken_in_whole(make: Make, context: RunContext):
    made = make(longest=45)
    made.reset(context)
    hear(made, "S01", f"{FACT} {BEES}")
    assert {item.turn_ids for item in made.snapshot_memories()} == {("S01:T0",)}
    assert "4711" in kept(made)[0]
    assert "roof" in kept(made)[-1]
    made.close()


def test_a_name_that_falkordb_takes_for_a_stop_word_does_not_end_it(offline_server: Any, adapter: Any):
    """Its version 4.16.3 crashes when it looks such a name up in an index that has stop words."""
    hear(adapter, "S01", "That was good of IT and Will.")
    hear(adapter, "S02", "That was bad of IT and Will.")
    assert len(adapter.snapshot_memories()) >= 1


@pytest.mark.parametrize(
    "query", ['"', "\\", "(a|b) -c @d:{e} ~f*", "\0", "是什么？", "🙂", "'; MATCH (n) DELETE n //", "x" * 9000]
)
def test_any_query_can_be_asked(adapter: Any, query: str):
    hear(adapter, "S01", FACT)
    adapter.retrieve(query, 3)
    assert kept(adapter) == [FACT]


@pytest.mark.parametrize(
    "text",
    ['He said "x\\y" to {z}.', "It's 5 < 6 & a|b @c:d (e)*", "a\0b c d\x07e", "I moved to 北京 with 🙂 and Zoë."],
)
def test_any_text_can_be_said(adapter: Any, text: str):
    hear(adapter, "S01", text)
    hear(adapter, "S02", text)
    assert adapter.snapshot_memories()


def test_what_is_retrieved_does_not_change_what_is_written(offline_server: Any, make: Make, context: RunContext):
    """The library's own `search` leaves its limit behind, by which facts are compared from then on."""
    seen = []
    for asks in (False, True):
        made = make()
        made.reset(replace(context, folder=f"{context.folder}-{asks}"))
        hear(made, "S01", FACT, "Zanetti has the locker beside the door.", "Zanetti lost the key of the locker.")
        if asks:
            made.retrieve("Zanetti", 1)
        offline_server.asked.clear()
        hear(made, "S02", CHANGED)
        seen.append(offline_server.prompts())
        made.close()
    assert seen[0] == seen[1]


def test_after_reset_the_model_is_told_nothing_of_before(offline_server: Any, adapter: Any, context: RunContext):
    hear(adapter, "S01", FACT)
    adapter.reset(context)
    offline_server.asked.clear()
    assert adapter.snapshot_memories() == ()
    assert adapter.export_memory_delta("S01") == ()
    assert adapter.retrieve("Zanetti", 5).items == ()
    hear(adapter, "S01", BEES)
    assert "Zanetti" not in offline_server.prompts()


def test_the_same_sessions_lead_to_the_same_requests_and_memories(offline_server: Any, make: Make, context: RunContext):
    seen = []
    for number in range(2):
        made = make()
        made.reset(replace(context, folder=f"{context.folder}-{number}"))
        hear(made, "S01", FACT, BEES, time="8 May, 2023")
        hear(made, "S02", CHANGED, "Marlow paints boats in green.")
        found = made.retrieve("Who keeps bees?", 5).items
        items = [replace(item, backend_id="") for item in made.snapshot_memories()]
        asked = sorted(json.dumps(each, sort_keys=True) for each in offline_server.asked)
        seen.append((asked, items, [(item.memory_id, item.score) for item in found]))
        offline_server.asked.clear()
        made.close()
    assert seen[0] == seen[1]
