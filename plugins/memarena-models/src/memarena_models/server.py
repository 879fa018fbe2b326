"""The doors: a small HTTP application on the loopback, and the server that runs it."""

from __future__ import annotations

import asyncio
import contextlib
import traceback
from collections.abc import Awaitable, Callable, Mapping, MutableMapping
from typing import Any, Protocol

import msgspec
import uvicorn

from memarena_models.calls import PATHS, Refusal
from memarena_models.delivery import Out

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
MOST_BYTES = 256_000_000
"""The largest request that is taken."""
_JSON = (b"content-type", b"application/json")
_EVENTS = [(b"content-type", b"text/event-stream; charset=utf-8"), (b"cache-control", b"no-cache")]

_FINAL = {"x-should-retry": "false"}
"""Tells clients that would try again that it is of no use."""


class Handler(Protocol):
    """What stands behind the doors."""

    async def answer(self, path: str, key: str, body: bytes, out: Out) -> None:
        """Answer a POST. Raises Refusal where the gateway itself says no."""

    def models(self, key: str) -> bytes:
        """The list of models as JSON. Raises Refusal."""
        ...


class _Out:
    """The way back to one client."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def whole(self, status: int, body: bytes, headers: Mapping[str, str]) -> None:
        self.begun = True
        raw = [_JSON, (b"content-length", str(len(body)).encode())]
        raw += [(name.encode(), value.encode("latin-1")) for name, value in headers.items()]
        await self._send({"type": "http.response.start", "status": status, "headers": raw})
        await self._send({"type": "http.response.body", "body": body})

    async def begin(self) -> None:
        self.begun = True
        await self._send({"type": "http.response.start", "status": 200, "headers": _EVENTS})

    async def write(self, data: bytes) -> None:
        await self._send({"type": "http.response.body", "body": data, "more_body": True})

    async def end(self) -> None:
        await self._send({"type": "http.response.body", "body": b""})


def application(handler: Handler) -> Callable[[Message, Receive, Send], Awaitable[None]]:
    """The ASGI application in front of `handler`."""

    async def app(scope: Message, receive: Receive, send: Send) -> None:
        out = _Out(send)
        try:
            await _respond(handler, scope, receive, out)
        except Refusal as refusal:
            if not out.begun:
                await out.whole(refusal.status, refusal.body(), _FINAL)
        except _ClientGone:
            return
        except Exception as error:
            traceback.print_exc()
            if not out.begun:
                failed = Refusal(500, "gateway_failed", f"the gateway failed: {type(error).__name__}: {error}")
                await out.whole(failed.status, failed.body(), _FINAL)

    return app


class _ClientGone(Exception):
    """The client hung up: nobody waits for the answer."""


async def _respond(handler: Handler, scope: Message, receive: Receive, out: _Out) -> None:
    path, method = scope["path"], scope["method"]
    if path == "/v1/models" and method == "GET":
        await out.whole(200, handler.models(_key(scope)), {})
        return
    if path not in PATHS:
        known = ", ".join([*(f"POST {one}" for one in PATHS), "GET /v1/models"])
        raise Refusal(404, "no_such_path", f"{method} {path} is not served here; there are {known}")
    if method != "POST":
        raise Refusal(405, "no_such_method", f"{path} is for POST")
    body = await _read(receive)
    await _unless_gone(receive, handler.answer(path, _key(scope), body, out))


async def _read(receive: Receive) -> bytes:
    message = await receive()
    if not message.get("more_body"):
        return message.get("body", b"")  # type: ignore[no-any-return]
    parts, size = [message["body"]], len(message["body"])
    while message.get("more_body"):
        message = await receive()
        if message["type"] == "http.disconnect":
            raise _ClientGone
        parts.append(message.get("body", b""))
        size += len(parts[-1])
        if size > MOST_BYTES:
            raise Refusal(413, "too_large", f"the request is larger than {MOST_BYTES:,} bytes")
    return b"".join(parts)


async def _unless_gone(receive: Receive, work: Awaitable[None]) -> None:
    """Do `work`, and stop it where the client hangs up: no retry, no wait and no token for nobody."""
    task = asyncio.ensure_future(work)
    watch = asyncio.ensure_future(receive())
    watch.add_done_callback(lambda _: task.cancel())
    try:
        await task
    except asyncio.CancelledError:
        if watch.done() and not watch.cancelled():
            raise _ClientGone from None
        raise
    finally:
        watch.cancel()


def _key(scope: Message) -> str:
    for name, value in scope["headers"]:
        if name == b"authorization":
            return str(value[7:], "latin-1") if value[:7].lower() == b"bearer " else ""
    return ""


class Server(uvicorn.Server):
    """uvicorn, which leaves the signals to whoever runs it."""

    @contextlib.contextmanager
    def capture_signals(self) -> Any:
        yield


def make_server(handler: Handler) -> Server:
    """A server that is not running yet: `await server.serve(sockets=[...])`, then set `should_exit`."""
    config = uvicorn.Config(
        application(handler),
        http="httptools",
        ws="none",
        lifespan="off",
        log_config=None,
        log_level="critical",
        access_log=False,
        server_header=False,
        date_header=False,
        # Clients keep connections for long; one closed under their hands would cost them a call.
        timeout_keep_alive=3600,
        timeout_graceful_shutdown=1,
        backlog=2048,
    )
    return Server(config)


def models_list(names: list[str]) -> bytes:
    """The answer to `GET /v1/models`."""
    data = [{"id": name, "object": "model", "created": 0, "owned_by": "memarena"} for name in names]
    return msgspec.json.encode({"object": "list", "data": data})
