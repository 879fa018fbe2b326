"""Passes a reply on to its owner, and says what became of it before the owner sees its end."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from memarena_models.calls import Call, Reply, read_whole
from memarena_models.passing import StreamReader
from memarena_models.tokens import TokenCount
from memarena_models.upstreams import Passing


class Out(Protocol):
    """The way back to the owner."""

    async def whole(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        """Send a whole answer."""

    async def begin(self) -> None:
        """Begin a stream of events."""

    async def write(self, data: bytes) -> None:
        """Send a part of the stream, now."""

    async def end(self) -> None:
        """End the stream well; one that is never ended is broken off, and the owner notices."""


@dataclass(slots=True)
class Delivered:
    """What became of a reply."""

    status: int
    body: bytes = b""
    tokens: TokenCount | None = None
    """None where the reply does not say."""
    good: bool = False
    """It may be recorded as the answer."""
    streamed: bool = False


Settle = Callable[[Delivered], None]
"""Books a call; called before the owner sees the end of the reply, so that what it asks next is asked of full books."""


async def deliver(call: Call, reply: Reply, out: Out, secret: bytes, settle: Settle) -> None:
    """Pass a reply on, without the upstream's key `secret`, should it show it."""
    if reply.chunks is not None:
        await _pass(call, reply.chunks, out, secret, settle)
        return
    body = _scrubbed(reply.body, secret)
    good, tokens = read_whole(call.endpoint, body) if reply.status == 200 else (False, None)
    settle(Delivered(reply.status, body, tokens, good))
    # A client that would try again has nothing to gain: here it was tried already.
    headers = reply.headers if reply.status == 200 else {**reply.headers, "x-should-retry": "false"}
    await out.whole(reply.status, body, headers)


async def _pass(call: Call, chunks: AsyncIterator[bytes], out: Out, secret: bytes, settle: Settle) -> None:
    """Pass a stream on as it comes; one that breaks off breaks off for the owner too."""
    reader = StreamReader(call.endpoint, hide_usage=call.hide_usage)
    await out.begin()
    try:
        async for chunk in chunks:
            shown = reader.feed(_scrubbed(chunk, secret))
            if reader.finished:
                settle(Delivered(200, reader.whole, reader.tokens, good=True, streamed=True))
            if shown:
                await out.write(shown)
    except Passing:
        settle(Delivered(200, reader.whole, reader.tokens, streamed=True))
        return
    rest = reader.rest()
    settle(Delivered(200, reader.whole, reader.tokens, good=reader.ended, streamed=True))
    if rest:
        await out.write(rest)
    await out.end()


def _scrubbed(data: bytes, secret: bytes) -> bytes:
    return data.replace(secret, b"***") if secret and secret in data else data
