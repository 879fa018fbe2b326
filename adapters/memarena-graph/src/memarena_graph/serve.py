"""The embedded graph server, in a process of its own: `python -m memarena_graph.serve`.

Each line of standard input is a JSON object that asks for something, and each is answered with one:
`{"start": {"password": ..., "heap_mib": ...}}`, and for databases `{"create": {"name": ...}}` and `{"drop": ...}`. It
ends with its input.
"""

from __future__ import annotations

import json
import os
import socket
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

ANSWER = '{"graph": '
"""How an answer begins; any other line is noise."""
TRIES = 3
"""Times that other ports are tried: somebody may take one between the look for it and its use."""
_BOLT = "Bolt:com.arcadedb.bolt.BoltProtocolPlugin"


class Server:
    """ArcadeDB with nothing but its Bolt and its HTTP port, both on the loopback and behind a password."""

    def __init__(self) -> None:
        self._server: Any = None

    def start(self, password: str, heap_mib: int) -> int:
        """Start it in the working folder; the Bolt port."""
        arcadedb = import_module("arcadedb_embedded.server")
        jvm = {"heap_size": f"{heap_mib}m", "jvm_args": ["-XX:+UseSerialGC", "-XX:-UsePerfData"]}
        for left in reversed(range(TRIES)):
            bolt, http = _free_ports(2)
            settings = {
                "host": "127.0.0.1",
                "http_port": http,
                "bolt_port": bolt,
                "mode": "production",
                "server_plugins": _BOLT,
            }
            self._server = arcadedb.ArcadeDBServer(str(Path("databases").absolute()), password, settings, jvm)
            try:
                self._server.start()
            except arcadedb.ArcadeDBError:
                if not left:
                    raise
            else:
                break
        return bolt

    def create(self, name: str) -> None:
        """Make an empty database."""
        self._server.create_database(name)

    def drop(self, name: str) -> None:
        """Delete a database and its files."""
        # Its Python side has no way to do this.
        java = self._server._java_server
        java.getDatabase(name).getEmbedded().drop()
        java.removeDatabase(name)


def _free_ports(count: int) -> list[int]:
    sockets = [socket.socket() for _ in range(count)]
    try:
        for each in sockets:
            each.bind(("127.0.0.1", 0))
        return [each.getsockname()[1] for each in sockets]
    finally:
        for each in sockets:
            each.close()


def main() -> None:
    """Answer until the input ends. What the server prints goes to standard error."""
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    server = Server()
    for line in sys.stdin:
        ((what, arguments),) = json.loads(line).items()
        try:
            found: Any = {"done": getattr(server, what)(**arguments)}
        except Exception as error:
            found = {"error": " ".join(str(error).split())[:500] or type(error).__name__}
        answers.write(ANSWER + json.dumps(found) + "}\n")
        answers.flush()


if __name__ == "__main__":
    try:
        main()
    finally:
        # The JVM has threads of its own that would keep the process alive.
        os._exit(0)
