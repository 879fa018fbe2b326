"""Watches a stream of events that is passed on: what may be seen, what it says of tokens, whether it ended well."""

from __future__ import annotations

import re
from typing import Literal

from memarena_models.sse import EventSplitter, payload
from memarena_models.tokens import TokenCount, stated

_FINISH = re.compile(rb'"finish_reason"\s*:\s*"')
_NO_USAGE = re.compile(rb'"usage"\s*:\s*null')
_ENDS = ("response.completed", "response.incomplete")


class StreamReader:
    """Reads one stream; `hide_usage`: the event that only says the usage is not passed on."""

    def __init__(self, endpoint: Literal["chat", "responses", "embeddings"], *, hide_usage: bool = False) -> None:
        self._endpoint = endpoint
        self._hide = hide_usage
        self._splitter = EventSplitter()
        self._parts: list[bytes] = []
        self.tokens: TokenCount | None = None
        """What the stream said so far."""
        self.ended = False
        """The end that a good stream has was seen."""
        self.finished = False
        """Nothing comes after what was read."""

    def feed(self, chunk: bytes) -> bytes:
        """Take a part of the stream; returns what to pass on."""
        self._parts.append(chunk)
        events = self._splitter.feed(chunk)
        shown = [event for event in events if self._read(event)]
        return b"".join(shown) if self._hide else chunk

    def rest(self) -> bytes:
        """What is still to pass on after the last part."""
        rest = self._splitter.rest()
        if rest:
            self._read(rest)
        return rest if self._hide else b""

    @property
    def whole(self) -> bytes:
        """All that came."""
        return b"".join(self._parts)

    def _read(self, event: bytes) -> bool:
        """Read an event; False where it is not to be seen."""
        if self._endpoint == "chat":
            self.finished = self.finished or event.rstrip().endswith(b"[DONE]")
            self.ended = self.ended or self.finished or _FINISH.search(event) is not None
            if b'"usage"' not in event or _NO_USAGE.search(event):
                return True
            data = payload(event)
            if not isinstance(data, dict) or not data.get("usage"):
                return True
            self.tokens = stated(data["usage"]) or self.tokens
            return bool(data.get("choices"))
        if b'"response.' in event and any(kind.encode() in event for kind in _ENDS):
            data = payload(event)
            if isinstance(data, dict) and data.get("type") in _ENDS and isinstance(data.get("response"), dict):
                self.ended = self.finished = True
                self.tokens = stated(data["response"].get("usage"))
        return True
