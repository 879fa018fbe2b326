"""Runs a real Letta server on the loopback with a PostgreSQL of its own; prints its address; ends with stdin.

`python letta_server.py`, with an interpreter that has `letta[server]==0.16.8`, `asyncpg`, `pgvector` and `pgserver`.
All that it writes is in a folder of its own, which is removed at the end.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
from importlib import import_module
from pathlib import Path
from typing import Any, TextIO

SEQUENCE = """
CREATE SEQUENCE messages_sequence;
ALTER TABLE messages ALTER COLUMN sequence_id SET DEFAULT nextval('messages_sequence');
"""
"""The wheel of Letta has no migrations; this is what its tables lack when they are made from its classes."""


def main() -> None:
    # Letta logs to standard output, where nothing but the address shall be.
    with os.fdopen(os.dup(1), "w", encoding="utf-8") as told:
        os.dup2(2, 1)
        _run(told)


def _run(told: TextIO) -> None:
    # The server raises a signal again that ended it: by default that would end the program before it has cleaned up.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    # Not below a folder of pytest: PostgreSQL may run as another user, and must be able to reach it.
    folder = Path(tempfile.mkdtemp(prefix="letta-"))
    folder.chmod(0o755)
    try:
        _serve(folder, told)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _serve(folder: Path, told: TextIO) -> None:
    home, data = folder / "home", folder / "data"
    home.mkdir()
    data.mkdir()
    database = import_module("pgserver").get_server(data, cleanup_mode="stop")
    try:
        database.psql("CREATE EXTENSION vector;")
        os.environ |= {
            "HOME": str(home),
            "PGUSER": "postgres",
            "LETTA_PG_URI": f"postgresql://postgres@/postgres?host={database.get_postmaster_info().socket_dir}&ssl=disable",
        }
        os.chdir(home)
        # Letta would load it from the network at its start.
        import_module("nltk").download = lambda *args, **kwargs: False
        asyncio.run(_make_tables())
        database.psql(SEQUENCE)
        port = _free_port()
        threading.Thread(target=_announce, args=(port, told), daemon=True).start()
        threading.Thread(target=_end_with_stdin, daemon=True).start()
        import_module("letta.server.rest_api.app").start_server(port=port, host="127.0.0.1")
    finally:
        database.cleanup()


async def _make_tables() -> None:
    import_module("letta.orm")
    base: Any = import_module("letta.orm.base").Base
    engine = import_module("letta.server.db").engine
    async with engine.begin() as connection:
        await connection.run_sync(base.metadata.create_all)
    await engine.dispose()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _announce(port: int, told: TextIO) -> None:
    """Print the address as soon as something listens there."""
    pause = threading.Event()
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            pause.wait(0.2)
        else:
            print(f"http://127.0.0.1:{port}", file=told, flush=True)
            return


def _end_with_stdin() -> None:
    sys.stdin.read()
    signal.raise_signal(signal.SIGTERM)


if __name__ == "__main__":
    main()
