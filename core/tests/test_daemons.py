"""A pool of daemon threads: results in order, errors where they belong, and no waiting for what hangs."""

from __future__ import annotations

import threading
import time

import pytest

from memarena.daemons import Daemons


def test_work_is_done_side_by_side_and_comes_back_in_order() -> None:
    both = threading.Barrier(2, timeout=5)

    def work(number: int) -> int:
        both.wait()
        return number * 2

    with Daemons(2, "d") as pool:
        assert list(pool.map(work, range(4))) == [0, 2, 4, 6]


def test_an_error_reaches_whoever_waits_for_its_result() -> None:
    with Daemons(1, "d") as pool:
        with pytest.raises(ZeroDivisionError):
            pool.submit(divmod, 1, 0).result()
        assert pool.submit(divmod, 7, 2).result() == (3, 1)


def test_the_end_of_the_block_waits_for_the_work() -> None:
    done: list[int] = []
    with Daemons(1, "d") as pool:
        for number in range(20):
            pool.submit(done.append, number)
    assert done == list(range(20))


def test_an_error_in_the_block_waits_for_nothing_and_drops_what_has_not_begun() -> None:
    hanging = threading.Event()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt), Daemons(1, "d") as pool:
        pool.submit(hanging.wait)
        waiting = pool.submit(divmod, 7, 2)
        raise KeyboardInterrupt
    assert time.monotonic() - begin < 2
    assert waiting.cancelled()
    hanging.set()


def test_its_threads_do_not_keep_a_program_alive() -> None:
    with Daemons(3, "mine") as pool:
        assert pool.submit(lambda: threading.current_thread().daemon).result()
