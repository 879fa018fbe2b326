"""Server-sent events: cutting a stream into events, and reading one."""

from __future__ import annotations

import re
from typing import Any

import msgspec

END_OF_EVENT = re.compile(rb"\r?\n\r?\n")


class EventSplitter:
    """Cuts the bytes of a stream into whole events, each with its blank line."""

    def __init__(self) -> None:
        self._rest = b""

    def feed(self, data: bytes) -> list[bytes]:
        """The events that `data` completes; what is not whole yet is kept."""
        data = self._rest + data
        events, start = [], 0
        for end in END_OF_EVENT.finditer(data):
            events.append(data[start : end.end()])
            start = end.end()
        self._rest = data[start:]
        return events

    def rest(self) -> bytes:
        """What never became an event."""
        rest, self._rest = self._rest, b""
        return rest


def payload(event: bytes) -> Any:
    """The JSON of an event's data; None where it has none (a comment, `[DONE]`, junk)."""
    lines = [line[5:].lstrip(b" ") for line in event.splitlines() if line.startswith(b"data:")]
    try:
        return msgspec.json.decode(b"\n".join(lines))
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
