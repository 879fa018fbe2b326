"""Daemon threads: results in order, errors where they belong, and no waiting for what hangs."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Iterator

import pytest

from memarena.daemons import Daemons, Threads

PATIENT = 60.0
"""Seconds that a busy machine may take for what it does at once when it is idle."""


def test_work_is_done_side_by_side_and_comes_back_in_order() -> None:
    both = threading.Barrier(2, timeout=PATIENT)

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
    begun, hanging = threading.Event(), threading.Event()

    def hang() -> None:
        begun.set()
        hanging.wait(10 * PATIENT)

    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt), Daemons(1, "d") as pool:
        pool.submit(hang)
        waiting = pool.submit(divmod, 7, 2)
        begun.wait(PATIENT)
        raise KeyboardInterrupt
    assert time.monotonic() - begin < 10 * PATIENT
    assert waiting.cancelled()
    hanging.set()


class TakenMeanwhile(queue.SimpleQueue[object]):
    """A queue whose last piece of work a thread takes just after somebody saw that there is one."""

    def empty(self) -> bool:
        seen = super().empty()
        while not super().empty():
            self.get()
        return seen


def test_dropping_what_has_not_begun_waits_for_nothing_that_a_thread_takes_meanwhile() -> None:
    pool = Daemons(0, "d")
    pool._work = TakenMeanwhile()
    pool.submit(divmod, 7, 2)
    ending = threading.Thread(target=pool.shutdown, kwargs={"cancel_futures": True}, daemon=True)
    ending.start()
    ending.join(PATIENT)
    assert not ending.is_alive()


def test_its_threads_do_not_keep_a_program_alive() -> None:
    with Daemons(3, "mine") as pool:
        assert pool.submit(lambda: threading.current_thread().daemon).result()


def test_threads_take_work_lazily_and_yield_what_is_finished() -> None:
    taken: list[int] = []

    def numbers() -> Iterator[int]:
        for number in range(100):
            taken.append(number)
            yield number

    results = Threads(2).map(lambda number: number * 2, numbers())
    first = next(results)
    assert first in (0, 2)
    assert sorted([first, *results]) == [number * 2 for number in range(100)]


def test_the_first_error_of_a_thread_is_raised_and_ends_the_work() -> None:
    def work(number: int) -> int:
        if number == 3:
            raise ValueError("three")
        return number

    with pytest.raises(ValueError, match="three"):
        list(Threads(1).map(work, range(10)))
