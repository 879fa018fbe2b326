"""Threads that end with the program, so that a system or a judge that hangs cannot keep Ctrl-C waiting."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Executor, Future
from types import TracebackType
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


GRACE = 5.0
"""Seconds that running cells get to stop after Ctrl-C."""


class Threads:
    """Runs work in threads of this process (executor `threads`)."""

    name = "threads"
    revision = 1

    def __init__(self, jobs: int = 1) -> None:
        self.jobs = jobs

    def map(self, work: Callable[[Any], Any], cells: Iterable[Any]) -> Iterator[Any]:
        """Yield `work(cell)` as each finishes. Takes cells lazily; the first error ends it and is raised."""
        feed, lock = iter(cells), threading.Lock()
        results: queue.SimpleQueue[tuple[bool, Any]] = queue.SimpleQueue()
        stopped = threading.Event()

        def loop() -> None:
            try:
                while not stopped.is_set():
                    with lock:
                        cell = next(feed, results)
                    if cell is results:
                        break
                    results.put((True, work(cell)))
            except BaseException as error:
                results.put((False, error))
            else:
                results.put((False, None))

        threads = [threading.Thread(target=loop, daemon=True, name=f"cell-{n}") for n in range(self.jobs)]
        for thread in threads:
            thread.start()
        running = len(threads)
        try:
            while running:
                fine, value = results.get()
                if fine:
                    yield value
                elif value is None:
                    running -= 1
                else:
                    raise value
        finally:
            stopped.set()
            for thread in threads:
                thread.join(GRACE / len(threads))


class Daemons(Executor):
    """Runs work in daemon threads; those of `concurrent.futures` are waited for when the interpreter ends."""

    def __init__(self, workers: int, name: str) -> None:
        self._work: queue.SimpleQueue[tuple[Future[Any], Callable[[], Any]] | None] = queue.SimpleQueue()
        self._threads = [
            threading.Thread(target=self._loop, daemon=True, name=f"{name}-{number}") for number in range(workers)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Have `fn` called with these arguments as soon as a thread is free."""
        future: Future[T] = Future()
        self._work.put((future, lambda: fn(*args, **kwargs)))
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """End the threads once the work is done; with `cancel_futures`, without what has not begun."""
        while cancel_futures:
            try:
                task = self._work.get_nowait()
            except queue.Empty:  # a thread may take the last one at any moment
                break
            if task is not None:
                task[0].cancel()
        for _ in self._threads:
            self._work.put(None)
        for thread in self._threads if wait else ():
            thread.join()

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.shutdown(wait=kind is None, cancel_futures=kind is not None)

    def _loop(self) -> None:
        while (task := self._work.get()) is not None:
            future, call = task
            if not future.set_running_or_notify_cancel():
                continue
            try:
                future.set_result(call())
            except BaseException as error:
                future.set_exception(error)
