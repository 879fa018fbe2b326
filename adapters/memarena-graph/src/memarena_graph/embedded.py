"""The embedded graph server: one a process of memarena, shared by its cells, a database for each."""

from __future__ import annotations

import json
import os
import secrets
import sys
import threading
import uuid
from collections.abc import Mapping
from importlib.util import find_spec
from time import perf_counter
from typing import Any

from memarena.childprocess import ChildProcess, ProcessEnded
from memarena.errors import PluginLoadError
from memarena.hosted import child_environment
from memarena_graph.serve import ANSWER

USER = "root"
START_SECONDS = 180.0
"""How long a start may take; on a busy machine a JVM takes its time."""
SECONDS = 120.0
"""How long making or deleting a database may take."""

_lock = threading.Lock()
_servers: dict[tuple[int, int], EmbeddedServer] = {}


class ServerFailed(Exception):
    """The graph server is not there, or refuses what is asked of it."""


class EmbeddedServer:
    """ArcadeDB from PyPI in a child process: free ports on the loopback, a password of its own, a folder of its own.

    It ends with everything that it started, and its folder with it: on `close`, or when this process ends, however.
    Raises PluginLoadError where it is not installed, ServerFailed where it does not start.
    """

    def __init__(self, heap_mib: int) -> None:
        if find_spec("arcadedb_embedded") is None:
            raise PluginLoadError(
                "graph: the embedded server is not installed: pip install arcadedb-embedded, or name a Neo4j server "
                "with -o graph.url=bolt://HOST:7687"
            )
        begun = perf_counter()
        self.password = secrets.token_urlsafe(24)
        self._child = ChildProcess([sys.executable, "-m", "memarena_graph.serve"], child_environment(None))
        try:
            port = self._ask("start", {"password": self.password, "heap_mib": heap_mib}, START_SECONDS)
        except BaseException:
            self._child.kill()
            raise
        self.url = f"bolt://127.0.0.1:{port}"
        self.start_seconds = perf_counter() - begun
        """From the start of the process until it takes databases."""

    def create(self) -> str:
        """The name of a new, empty database. Raises ServerFailed."""
        name = f"cell_{uuid.uuid4().hex}"
        self._ask("create", {"name": name}, SECONDS)
        return name

    def drop(self, name: str) -> None:
        """Delete a database. Raises ServerFailed."""
        self._ask("drop", {"name": name}, SECONDS)

    def close(self) -> None:
        """End the server and all that it started."""
        self._child.kill()

    @property
    def memory_bytes(self) -> int:
        """The most memory that its processes have held."""
        return self._child.used().peak_bytes

    def _ask(self, what: str, arguments: Mapping[str, Any], seconds: float) -> Any:
        try:
            line = self._child.ask(
                json.dumps({what: arguments}).encode(), seconds, lambda line: line.startswith(ANSWER.encode())
            )
        except ProcessEnded as error:
            raise ServerFailed(f"the embedded graph server: {error}") from error
        found = json.loads(line)["graph"]
        if "error" in found:
            raise ServerFailed(f"the embedded graph server: {what}: {found['error']}")
        return found["done"]


def shared_database(heap_mib: int) -> tuple[EmbeddedServer, str]:
    """The server of this process with so much heap, started where there is none that lives, and a new database."""
    place = (os.getpid(), heap_mib)
    with _lock:
        server = _servers.get(place)
        if server is not None:
            try:
                return server, server.create()
            except ServerFailed:
                server.close()
        server = _servers[place] = EmbeddedServer(heap_mib)
        return server, server.create()
