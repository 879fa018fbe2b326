"""SQLite files that several processes open at the same moment."""

from __future__ import annotations

import sqlite3
import threading

import pytest

from memarena import databases


def test_many_that_open_a_new_file_at_once_all_get_in(tmp_path) -> None:
    for number in range(5):
        file = tmp_path / f"{number}.sqlite"
        start, failed = threading.Barrier(8), []

        def work(file=file, start=start, failed=failed) -> None:
            start.wait()
            try:
                database = databases.connect(file)
                database.execute("CREATE TABLE IF NOT EXISTS t (a)")
                database.close()
            except sqlite3.Error as error:
                failed.append(error)

        threads = [threading.Thread(target=work) for _ in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert failed == []


def test_a_file_that_is_no_database_is_an_error(tmp_path) -> None:
    (tmp_path / "x.sqlite").write_bytes(b"no database at all, but long enough to be read as a header of one" * 40)
    with pytest.raises(sqlite3.DatabaseError):
        databases.connect(tmp_path / "x.sqlite")
