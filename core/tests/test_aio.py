from __future__ import annotations

import asyncio
import gc
import threading
from concurrent.futures import CancelledError, ThreadPoolExecutor
from contextvars import ContextVar

import pytest

from memarena.aio import Bridge

PATIENT = 60.0
"""Seconds that a busy machine may take for what it does at once when it is idle."""
COLOUR: ContextVar[str] = ContextVar("colour", default="none")


async def double(number: int) -> int:
    await asyncio.sleep(0)
    return 2 * number


async def for_ever(started: threading.Event | None = None) -> None:
    if started is not None:
        started.set()
    await asyncio.Event().wait()


def test_a_coroutine_gives_its_result():
    with Bridge() as bridge:
        assert bridge.run(double(21)) == 42


def test_what_a_coroutine_raises_comes_out_as_it_is():
    async def fails() -> None:
        raise KeyError("user")

    with Bridge() as bridge, pytest.raises(KeyError, match="user"):
        bridge.run(fails())


def test_many_threads_share_one_loop():
    async def loop_id() -> int:
        return id(asyncio.get_running_loop())

    with Bridge() as bridge, ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda n: bridge.run(double(n)), range(20))) == [2 * n for n in range(20)]
        assert len(set(pool.map(lambda _: bridge.run(loop_id()), range(8)))) == 1


def test_a_timeout_cancels_the_coroutine_before_it_is_raised():
    ended = threading.Event()

    async def slow() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    with Bridge() as bridge:
        with pytest.raises(TimeoutError):
            bridge.run(slow(), timeout=0.01)
        assert ended.is_set()
        assert bridge.run(double(1)) == 2


def test_a_coroutine_sees_the_context_variables_of_its_caller():
    async def colour() -> str:
        return COLOUR.get()

    token = COLOUR.set("green")
    try:
        with Bridge() as bridge:
            assert bridge.run(colour()) == "green"
    finally:
        COLOUR.reset(token)


def test_running_inside_its_own_loop_is_refused_and_does_not_hang():
    with Bridge() as bridge:

        async def nested() -> int:
            return bridge.run(double(1))

        with pytest.raises(RuntimeError, match="await the coroutine instead"):
            bridge.run(nested(), timeout=PATIENT)


def test_a_closed_bridge_refuses_to_run():
    bridge = Bridge()
    bridge.close()
    bridge.close()
    with pytest.raises(RuntimeError, match="the bridge is closed"):
        bridge.run(double(1))


def test_closing_cancels_what_still_runs():
    bridge = Bridge()
    started = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(bridge.run, for_ever(started))
        assert started.wait(PATIENT)
        bridge.close()
        with pytest.raises(CancelledError):
            waiting.result(PATIENT)


def test_closing_ends_the_thread():
    bridge = Bridge()
    thread = bridge._thread
    assert thread.is_alive()
    bridge.close()
    assert not thread.is_alive()


def test_a_dropped_bridge_ends_its_thread():
    bridge = Bridge()
    assert bridge.run(double(2)) == 4
    thread = bridge._thread
    del bridge
    gc.collect()
    assert not thread.is_alive()
