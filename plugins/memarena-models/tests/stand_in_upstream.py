"""A real server on the loopback that plays an OpenAI-compatible one, counts, and can misbehave."""

from __future__ import annotations

import asyncio
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import uvicorn

from memarena_models.server import Server

KEY = "sk-the-real-key-of-the-upstream"


def completion(text: str = "hello there", **usage: Any) -> dict[str, Any]:
    """A chat completion with usage 10 in, 2 out unless something else is said."""
    return {
        "id": "c1",
        "object": "chat.completion",
        "created": 1,
        "model": "m",
        "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
        "usage": usage or {"prompt_tokens": 10, "completion_tokens": 2, "total_tokens": 12},
    }


def sse(*events: Any) -> list[bytes]:
    """Events as bytes; a text stands for itself."""
    lines = [event if isinstance(event, str) else json.dumps(event) for event in events]
    return [f"data: {line}\n\n".encode() for line in lines]


def chunk(text: str = "", *, finish: str | None = None) -> dict[str, Any]:
    """One piece of a streamed chat completion."""
    choice = {"index": 0, "delta": {"content": text} if text else {}, "finish_reason": finish}
    return {"id": "c1", "object": "chat.completion.chunk", "created": 1, "model": "m", "choices": [choice]}


class Play:
    """What the upstream does with one request: status, headers, body or the parts of a stream.

    `taken` says how many parts the client has: each is sent when the client has all before it.
    """

    def __init__(
        self,
        body: Any = None,
        *,
        status: int = 200,
        headers: Mapping[str, str] | None = None,
        parts: list[bytes] | None = None,
        pause: float = 0.0,
        cut: bool = False,
        taken: Callable[[], int] | None = None,
    ) -> None:
        self.status = status
        self.headers = dict(headers or {})
        self.parts = parts
        self.body = body if isinstance(body, bytes) else json.dumps(completion() if body is None else body).encode()
        self.pause = pause
        self.cut = cut
        self.taken = taken


class StandInUpstream:
    """Plays what was put into `script`, then `default`; keeps every request since the last `reset`.

    Each time has an address of its own, so that what comes late, of a client that no longer waits, is not counted.
    """

    def __init__(self, door: str) -> None:
        self._door = door
        self._time = 0
        self.reset()

    def reset(self) -> None:
        self._time += 1
        self.base_url = f"{self._door}/{self._time}/v1"
        self.script: list[Play] = []
        self.default: Play | Callable[[dict[str, Any]], Play] = Play()
        self.requests: list[tuple[str, dict[str, str], bytes]] = []
        self.times: list[float] = []

    @property
    def bodies(self) -> list[dict[str, Any]]:
        """The bodies that arrived, decoded."""
        return [json.loads(body) for _, _, body in self.requests]

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        body = b""
        while True:
            message = await receive()
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        number, _, path = scope["path"].removeprefix("/").partition("/")
        if path.endswith("/models") or number != str(self._time):
            await _send_whole(send, 200, b'{"data": []}', {})
            return
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        self.requests.append((f"/{path}", headers, body))
        self.times.append(time.monotonic())
        default = self.default if isinstance(self.default, Play) else self.default(json.loads(body))
        play = self.script.pop(0) if self.script else default
        if play.parts is None:
            await asyncio.sleep(play.pause)
            await _send_whole(send, play.status, play.body, play.headers, cut=play.cut)
            return
        head = [(b"content-type", b"text/event-stream")]
        await send({"type": "http.response.start", "status": play.status, "headers": head})
        for place, part in enumerate(play.parts):
            while play.taken is not None and play.taken() < place:
                await asyncio.sleep(0.001)
            await send({"type": "http.response.body", "body": part, "more_body": True})
            await asyncio.sleep(play.pause)
        if not play.cut:
            await send({"type": "http.response.body", "body": b""})


async def _send_whole(send: Any, status: int, body: bytes, headers: Mapping[str, str], *, cut: bool = False) -> None:
    size = len(body) + (10 if cut else 0)
    head = [(b"content-type", b"application/json"), (b"content-length", str(size).encode())]
    head += [(name.encode(), value.encode()) for name, value in headers.items()]
    await send({"type": "http.response.start", "status": status, "headers": head})
    await send({"type": "http.response.body", "body": body, "more_body": cut})


def in_thread(work: Callable[[], Any]) -> threading.Thread:
    """Run a coroutine function in a loop and a thread of its own."""
    thread = threading.Thread(target=lambda: asyncio.run(work()), daemon=True)
    thread.start()
    return thread


def listen() -> socket.socket:
    """A listening socket that knows its protocol: only for such does asyncio switch off Nagle's delays."""
    return socket.socket(fileno=socket.create_server(("127.0.0.1", 0)).detach())


@contextmanager
def standing_in() -> Iterator[StandInUpstream]:
    """An upstream that is up."""
    listener = listen()
    stand_in = StandInUpstream(f"http://127.0.0.1:{listener.getsockname()[1]}")
    config = uvicorn.Config(stand_in, log_config=None, log_level="critical", lifespan="off", ws="none")
    config.timeout_graceful_shutdown = 1
    server = Server(config)
    thread = in_thread(lambda: server.serve(sockets=[listener]))
    try:
        yield stand_in
    finally:
        server.should_exit = True
        thread.join()
