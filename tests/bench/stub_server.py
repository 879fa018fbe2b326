"""A server in a process of its own, so that what it costs is not counted to what is measured."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from subprocess import PIPE, Popen
from typing import Any
from urllib.parse import urlsplit

from memarena.testing import loopback
from memarena.testing.loopback import Reply


@contextmanager
def running(file: str) -> Iterator[int]:
    """The port of `file`, a script that calls `serve`, until the end."""
    process = Popen([sys.executable, file], stdin=PIPE, stdout=PIPE)
    assert process.stdout is not None
    try:
        yield int(process.stdout.readline())
    finally:
        process.communicate()


def serve(answer: Callable[[str, Mapping[str, Any]], bytes]) -> None:
    """Say where it is, and give what `answer` says to a path and a body, until standard input ends."""
    with loopback.serving(lambda request: Reply(answer(request.path, request.body))) as address:
        print(urlsplit(address).port, flush=True)
        sys.stdin.read()
