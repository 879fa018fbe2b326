"""Environment variables of this process, for libraries that read them when they are imported or opened."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager

_CHANGING = threading.RLock()


@contextmanager
def environment(**values: str) -> Iterator[None]:
    """These variables are set as long as the block lasts, and are afterwards as they were before.

    One thread at a time: another one waits until the block of the first has ended.
    """
    with _CHANGING:
        before = {name: os.environ.get(name) for name in values}
        os.environ.update(values)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
