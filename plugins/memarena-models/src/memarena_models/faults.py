"""Failures planted between the gateway and its upstreams, as a broken upstream would show them."""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from hashlib import blake2b

import msgspec

from memarena_models.calls import Call, Reply
from memarena_models.settings import FaultKind, Faults
from memarena_models.sse import EventSplitter, payload
from memarena_models.upstreams import Passing

Send = Callable[[], Awaitable[Reply]]


class FaultPlan:
    """Decides which attempt meets which failure, and plants it."""

    def __init__(self, settings: Faults) -> None:
        self._settings = settings
        self._list = iter(settings.first)
        self._seen: dict[bytes, int] = {}

    @property
    def active(self) -> bool:
        """Whether anything can happen at all."""
        return bool(self._settings.rate or self._settings.first)

    def choose(self, call: Call) -> FaultKind:
        """What befalls the next attempt of `call`: the next of the list, then by the request's content."""
        listed = next(self._list, None)
        if listed is not None:
            return listed
        if not self._settings.rate:
            return "none"
        content = blake2b(call.sent, digest_size=8).digest()
        again = self._seen[content] = self._seen.get(content, 0) + 1
        draw = blake2b(content + f"{self._settings.seed} {again}".encode(), digest_size=16).digest()
        if int.from_bytes(draw[:8], "big") / 2**64 >= self._settings.rate:
            return "none"
        return self._settings.kinds[int.from_bytes(draw[8:], "big") % len(self._settings.kinds)]

    async def attempt(self, call: Call, send: Send) -> Reply:
        """One attempt with what befalls it. Raises Passing as a real one would."""
        kind = self.choose(call)
        if kind in _INSTEAD:
            return _INSTEAD[kind](self._settings)
        if kind == "reset":
            raise Passing("the connection broke off (planted)")
        if kind == "latency":
            await asyncio.sleep(self._settings.seconds)
        if kind == "junk" and call.stream:
            return Reply(200, chunks=_each(b"data: {oops\n\n"))
        reply = await send()
        if kind in ("none", "latency") or reply.status != 200:
            return reply
        return _spoiled(kind, reply)


def _error(status: int, message: str, *, retry_after: bool = False) -> Callable[[Faults], Reply]:
    body = msgspec.json.encode({"error": {"message": f"{message} (planted)", "type": "planted", "code": str(status)}})

    def make(settings: Faults) -> Reply:
        headers = {"retry-after": str(math.ceil(settings.seconds))} if retry_after else {}
        return Reply(status, body, headers=headers)

    return make


_INSTEAD: dict[FaultKind, Callable[[Faults], Reply]] = {
    "429": _error(429, "too many requests"),
    "429-retry-after": _error(429, "too many requests", retry_after=True),
    "500": _error(500, "the server had an error"),
    "401": _error(401, "the key is wrong"),
}


def _spoiled(kind: FaultKind, reply: Reply) -> Reply:
    """A good reply made bad; its body, where it is whole, or its stream."""
    if reply.chunks is not None:
        change = {"cut": _cut, "half-json": _half, "no-usage": _without_usage}[kind]
        return replace(reply, chunks=change(reply.chunks))
    if kind == "junk":
        return replace(reply, body=b"<html>the server is busy</html>")
    if kind == "cut":
        raise Passing("the connection broke off (planted)")
    if kind == "half-json":
        return replace(reply, body=reply.body[: len(reply.body) // 2])
    whole = msgspec.json.decode(reply.body)
    whole.pop("usage", None)
    return replace(reply, body=msgspec.json.encode(whole))


async def _each(*chunks: bytes) -> AsyncIterator[bytes]:
    for chunk in chunks:
        yield chunk


async def _cut(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for chunk in chunks:
        yield chunk
        break
    raise Passing("the connection broke off (planted)")


async def _half(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async for chunk in chunks:
        yield chunk[: len(chunk) // 2]
        break


async def _without_usage(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    splitter = EventSplitter()
    async for chunk in chunks:
        for event in splitter.feed(chunk):
            data = payload(event)
            if not isinstance(data, dict):
                yield event
                continue
            data.pop("usage", None)
            if isinstance(data.get("response"), dict):
                data["response"].pop("usage", None)
            head = event[: event.index(b"data:")]
            yield head + b"data: " + msgspec.json.encode(data) + b"\n\n"
    yield splitter.rest()
