"""The graph server: started, shared, gone, or somebody else's."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest
from graph_play import context, hear, kept, started
from graph_replies import fact, facts

from memarena.errors import PluginLoadError, UsageError
from memarena.processes import marked
from memarena.testing.model_server import ModelServer
from memarena_graph import embedded
from memarena_graph.adapter import GraphMemory
from memarena_graph.embedded import EmbeddedServer, ServerFailed
from memarena_graph.graph import GraphFailed
from memarena_graph.options import GraphOptions
from memarena_graph.place import versions

PIXEL = fact("Ana", "has cat", "Pixel")


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that is gone is not waited for."""
    monkeypatch.setattr("memarena_graph.graph.RETRY_SECONDS", 0.5)
    monkeypatch.setattr("memarena_graph.graph.CONNECT_SECONDS", 2.0)


def test_cells_of_one_process_share_a_server_with_a_database_each(
    bolt: None, upstream: ModelServer, tmp_path: Path
) -> None:
    one, two = started(upstream, tmp_path / "1"), started(upstream, tmp_path / "2")
    upstream.script = [facts(PIXEL)]
    hear(one, "Ana has a cat.")
    hear(two, "Nothing.")
    assert (kept(one), kept(two)) == (["Ana has cat Pixel."], [])
    servers = [adapter.retrieve(query="", top_k=1).trace["server"] for adapter in (one, two)]
    assert servers[0] == servers[1]
    assert "ArcadeDB" in servers[0]["agent"]
    assert servers[0]["start_seconds"] > 0


def test_a_server_that_is_killed_fails_the_cell_and_the_next_one_gets_a_new_one(
    upstream: ModelServer, tmp_path: Path, own_server: EmbeddedServer, impatient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_servers", {(os.getpid(), 512): own_server})
    adapter = started(upstream, tmp_path)
    upstream.script = [facts(PIXEL), facts(fact("Ben", "keeps", "bees"))]
    hear(adapter, "Ana has a cat.")
    own_server.close()
    with pytest.raises(GraphFailed, match="bolt://127"):
        hear(adapter, "Ben keeps bees.", session_id="S02")
    for method in (adapter.snapshot_memories, lambda: adapter.retrieve(query="Which cat?", top_k=5)):
        with pytest.raises(GraphFailed):
            method()
    adapter.reset(context(upstream, tmp_path))
    assert kept(adapter) == []
    (server,) = embedded._servers.values()
    assert server is not own_server
    server.close()


def test_a_server_ends_with_its_processes_and_its_folder(own_server: EmbeddedServer) -> None:
    child = own_server._child
    pids = marked(child.marker)
    assert pids
    scratch = Path(child._scratch)
    assert (scratch / "databases").is_dir()
    own_server.close()
    assert marked(child.marker) == []
    assert not scratch.exists()
    with pytest.raises(ServerFailed):
        own_server.create()


def test_a_server_ends_with_the_process_that_started_it(bolt: None) -> None:
    program = (
        "from memarena_graph.embedded import EmbeddedServer\n"
        "server = EmbeddedServer(256)\n"
        "print(server._child.marker, flush=True)\n"
        "input()\n"
    )
    child = subprocess.Popen(
        [sys.executable, "-c", program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
    )
    assert child.stdout is not None
    marker = child.stdout.readline().strip()
    assert marked(marker)
    child.send_signal(signal.SIGKILL)
    child.communicate()
    assert _vanished(marker)


def _vanished(marker: str) -> bool:
    until = monotonic() + 120
    while marked(marker) and monotonic() < until:
        sleep(0.05)
    return not marked(marker)


def test_a_server_that_does_not_start_in_time_is_ended(bolt: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "START_SECONDS", 0.1)
    with pytest.raises(ServerFailed, match=r"no answer within 0\.1 s"):
        EmbeddedServer(256)


def test_an_address_where_nobody_answers_fails(
    bolt: None, upstream: ModelServer, tmp_path: Path, impatient: None
) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"bolt://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(GraphFailed, match="ServiceUnavailable"):
            started(upstream, tmp_path, url=url, user="")


def test_an_address_that_is_none_fails_with_one_line(bolt: None, upstream: ModelServer, tmp_path: Path) -> None:
    with pytest.raises(GraphFailed, match="ftp://x"):
        started(upstream, tmp_path, url="ftp://x", user="")


def test_a_wrong_password_is_refused(
    upstream: ModelServer, tmp_path: Path, by_url: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRAPH_TEST_PASSWORD", "wrong")
    with pytest.raises(GraphFailed, match="AuthError"):
        started(upstream, tmp_path, **by_url)


def test_a_missing_password_names_its_variable(upstream: ModelServer, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="set NO_SUCH_PASSWORD"):
        started(upstream, tmp_path, url="bolt://127.0.0.1:1", password_env="NO_SUCH_PASSWORD")


def test_without_the_embedded_server_the_error_says_what_to_install(
    upstream: ModelServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(embedded, "_servers", {})
    monkeypatch.setattr(embedded, "find_spec", lambda name: None)
    with pytest.raises(PluginLoadError, match="pip install arcadedb-embedded"):
        started(upstream, tmp_path)


def test_versions_name_the_driver_and_our_own_server(bolt: None) -> None:
    assert set(versions("")) == {"neo4j", "arcadedb-embedded"}
    assert set(versions("bolt://host")) == {"neo4j"}
    assert GraphMemory(GraphOptions(url="bolt://host")).get_capabilities().versions == versions("bolt://host")
