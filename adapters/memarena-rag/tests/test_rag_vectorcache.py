"""Vectors in a folder that several adapters open and write at the same moment."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from memarena.errors import UsageError
from memarena_rag.vectorcache import FILE, VectorCache


def at_once(work: Callable[[int], None], times: int = 8) -> list[BaseException]:
    """What `work` raises in threads that begin together."""
    start, failed = threading.Barrier(times), list[BaseException]()

    def begin(number: int) -> None:
        start.wait()
        try:
            work(number)
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=begin, args=(number,)) for number in range(times)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return failed


def test_many_that_open_a_new_folder_and_write_at_once_all_get_in(tmp_path: Path) -> None:
    for number in range(5):
        folder = str(tmp_path / str(number))

        def work(place: int, folder: str = folder) -> None:
            cache = VectorCache("m", folder)
            for step in range(20):
                text = f"{place} {step}"
                cache.put({cache.key(text, query=False): np.full(8, place, dtype=np.float32)})
            cache.close()

        assert at_once(work) == []
        cache = VectorCache("m", folder)
        put = {cache.key(f"{place} {step}", query=False): place for place in range(8) for step in range(20)}
        assert {key: found[0] for key, found in cache.get(list(put)).items()} == put
        cache.close()


def test_what_is_put_is_there_for_the_next_one(tmp_path: Path) -> None:
    first = VectorCache("m", str(tmp_path))
    key = first.key("a text", query=True)
    first.put({key: np.array([1.0, 0.5], dtype=np.float32)})
    second = VectorCache("m", str(tmp_path))
    assert second.get([key])[key].tolist() == [1.0, 0.5]
    first.close()
    second.close()


def test_a_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / FILE).write_bytes(b"no database at all, but long enough to be read as a header of one" * 40)
    with pytest.raises(UsageError, match="give another folder"):
        VectorCache("m", str(tmp_path))
