"""A model on the loopback for these tests, and a graph server where one is installed; finds their helpers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from graph_replies import by_default

from memarena.testing.model_server import ModelServer
from memarena_graph.embedded import USER, EmbeddedServer, shared_database

HEAP_MIB = 512
"""As the adapter's default: tests that start no server of their own share that of the adapters."""


@pytest.fixture
def upstream(model_server: ModelServer) -> ModelServer:
    """A model on the loopback that says what its script holds."""
    model_server.reply = by_default
    return model_server


@pytest.fixture
def bolt() -> None:
    """A real Bolt server can be started."""
    for name in ("neo4j", "arcadedb_embedded"):
        if find_spec(name) is None:
            pytest.skip(f"{name} is not installed: pip install memarena-graph")


@pytest.fixture
def by_url(bolt: None, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """Options for a Bolt server that somebody else runs, with the password in the environment."""
    server, database = shared_database(HEAP_MIB)
    monkeypatch.setenv("GRAPH_TEST_PASSWORD", server.password)
    return {"url": server.url, "user": USER, "password_env": "GRAPH_TEST_PASSWORD", "database": database}


@pytest.fixture
def own_server(bolt: None) -> Iterator[EmbeddedServer]:
    """A server that a test may kill."""
    server = EmbeddedServer(HEAP_MIB)
    yield server
    server.close()
