"""Processes that make samples at the same time; none outlives the build that started it."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Generator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import Connection
from pathlib import Path

from memarena.errors import UsageError
from memarena_builder.makers import Made, make
from memarena_builder.order import Order


def together(orders: Sequence[Order], root: Path, jobs: int) -> Generator[Made]:
    """What `orders` ask for, made in `jobs` processes below `root`; in whatever order it is ready.

    Where the caller stops, or is killed, they leave what they are at. Raises UsageError where one of them was killed.
    """
    context = multiprocessing.get_context("spawn")
    ours, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_with, initargs=(ours,))
    try:
        for each in as_completed([pool.submit(make, order, root) for order in orders]):
            yield each.result()
        pool.shutdown()
    except BrokenProcessPool:
        what = "one of the processes was killed, for want of memory as a rule"
        raise UsageError(f"--jobs {jobs}: {what}: the same command with fewer goes on where it stopped") from None
    finally:
        held.close()
        ours.close()
        pool.shutdown(cancel_futures=True)


def _leave_with(build: Connection) -> None:
    """End this process as soon as nobody holds the other end of `build`; a key that stops the build is not for us."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_watch, args=(build,), daemon=True).start()


def _watch(build: Connection) -> None:
    try:
        build.recv()
    except (EOFError, OSError):
        os._exit(1)
