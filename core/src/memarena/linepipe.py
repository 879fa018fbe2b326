"""Lines to and from a program, over two pipes: each within a time limit, and never waiting for one that has ended."""

from __future__ import annotations

import os
import select
from time import monotonic

LINE_BYTES = 256 << 20
"""Bytes of one line that are taken in."""
_CHUNK = 1 << 18


class LinePipe:
    """Sends and receives lines; their newlines are added and taken off.

    `end` is a descriptor that becomes readable when the program has ended: other processes may still hold its pipes.
    All methods raise EOFError once it has ended or has closed its side, TimeoutError after `until` (a value of
    `monotonic()`; None: never), and OverflowError for a line of more than `LINE_BYTES`.
    """

    def __init__(self, request: int, reply: int, end: int) -> None:
        self._request = request
        self._reply = reply
        self._parts: list[bytes] = []
        self._held = 0
        self._rest = b""
        os.set_blocking(request, False)
        self._poller = select.poll()
        self._poller.register(reply, select.POLLIN)
        self._poller.register(end, select.POLLIN)

    def send(self, line: bytes, until: float | None) -> None:
        """Write `line` and a newline."""
        left = memoryview(line + b"\n")
        while left:
            try:
                left = left[os.write(self._request, left) :]
            except BlockingIOError:
                self._wait_to_write(until)
            except BrokenPipeError:
                raise EOFError from None

    def receive(self, until: float | None) -> bytes:
        """The next line."""
        while True:
            line, newline, rest = self._rest.partition(b"\n")
            self._parts.append(line)
            self._held += len(line)
            if newline:
                whole = b"".join(self._parts)
                self._parts, self._held, self._rest = [], 0, rest
                return whole
            if self._held > LINE_BYTES:
                raise OverflowError
            self._rest = b""
            self._take(until)

    def hang_up(self) -> None:
        """End the program's input. A second call does nothing."""
        if self._request >= 0:
            os.close(self._request)
            self._request = -1

    def close(self) -> None:
        """Close both pipes."""
        self.hang_up()
        os.close(self._reply)

    def _wait_to_write(self, until: float | None) -> None:
        """Wait until the program reads; what it writes meanwhile is kept, so that neither waits for the other."""
        self._poller.register(self._request, select.POLLOUT)
        try:
            self._take(until)
        finally:
            self._poller.unregister(self._request)

    def _take(self, until: float | None) -> None:
        """Wait for something to happen, and keep what was written."""
        left = None if until is None else (until - monotonic()) * 1000
        ready = dict(self._poller.poll(left)) if left is None or left > 0 else {}
        if not ready:
            raise TimeoutError
        data = os.read(self._reply, _CHUNK) if self._reply in ready else b""
        self._rest += data
        if not data and self._request not in ready:
            raise EOFError
