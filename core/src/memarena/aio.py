"""An async client behind the synchronous seven."""

from __future__ import annotations

import asyncio
import threading
import weakref
from collections.abc import Coroutine
from concurrent.futures import CancelledError
from typing import Any, Self, TypeVar

T = TypeVar("T")


class Bridge:
    """Runs coroutines on an event loop of its own, in a daemon thread, for callers in any thread.

        bridge = Bridge()
        client = bridge.run(connect())
        found = bridge.run(client.search("..."), timeout=30)
        bridge.close()

    All coroutines share one loop, so a client that is bound to its loop works from every thread. A bridge that is
    dropped without `close` is closed when it is collected or when the interpreter ends.
    """

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._lock = threading.Lock()
        self._thread = threading.Thread(target=_serve, args=(self._loop,), name="memarena-bridge", daemon=True)
        self._thread.start()
        self._finish = weakref.finalize(self, _stop, self._loop, self._thread)

    def run(self, coroutine: Coroutine[Any, Any, T], timeout: float | None = None) -> T:
        """Wait for `coroutine` and return its result, or raise what it raised.

        It sees the context variables of the caller. After `timeout` seconds it is cancelled, and TimeoutError is
        raised once it has ended. An interrupt (Ctrl-C) of the waiting thread cancels it too. Raises RuntimeError on
        a closed bridge and inside a coroutine of this bridge, where waiting would never end; the bridge being closed
        meanwhile raises `concurrent.futures.CancelledError`.
        """
        if threading.current_thread() is self._thread:
            coroutine.close()
            raise RuntimeError("Bridge.run was called inside its own loop: await the coroutine instead")
        with self._lock:
            if not self._finish.alive:
                coroutine.close()
                raise RuntimeError("the bridge is closed")
            future = asyncio.run_coroutine_threadsafe(_within(coroutine, timeout), self._loop)
        try:
            return future.result()
        except CancelledError:
            coroutine.close()  # it may never have started
            raise
        except BaseException:
            future.cancel()
            raise

    def close(self) -> None:
        """Cancel what still runs, end the loop and wait for its thread. A second call does nothing."""
        with self._lock:
            self._finish()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()


async def _within(coroutine: Coroutine[Any, Any, T], timeout: float | None) -> T:
    async with asyncio.timeout(timeout):
        return await coroutine


def _serve(loop: asyncio.AbstractEventLoop) -> None:
    try:
        loop.run_forever()
        loop.run_until_complete(_cancel_all())
        loop.run_until_complete(loop.shutdown_asyncgens())
        loop.run_until_complete(loop.shutdown_default_executor())
    finally:
        loop.close()


async def _cancel_all() -> None:
    left = asyncio.all_tasks() - {asyncio.current_task()}
    for task in left:
        task.cancel()
    await asyncio.gather(*left, return_exceptions=True)


def _stop(loop: asyncio.AbstractEventLoop, thread: threading.Thread) -> None:
    loop.call_soon_threadsafe(loop.stop)
    if threading.current_thread() is not thread:
        thread.join()
