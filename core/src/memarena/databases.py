"""SQLite files that several threads and processes write."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from time import monotonic, sleep

PATIENCE = 60.0
"""Seconds that a connection waits for others."""


def connect(path: Path) -> sqlite3.Connection:
    """A connection in WAL mode, without transactions of its own; raises sqlite3.Error where it cannot be had."""
    database = sqlite3.connect(path, timeout=PATIENCE, check_same_thread=False, isolation_level=None)
    until = monotonic() + PATIENCE
    while True:
        try:
            database.execute("PRAGMA journal_mode=WAL")
            break
        except sqlite3.OperationalError as error:
            # For this lock alone, SQLite does not wait.
            if "locked" not in str(error) or monotonic() > until:
                database.close()
                raise
            sleep(0.01)
    database.execute("PRAGMA synchronous=NORMAL")
    return database
