"""A model on the loopback whose replies a test scripts, or that fails as it is told."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from memarena.records import Endpoint
from memarena.testing import loopback
from memarena.testing.loopback import Reply, Request

KEY = "mem-planted-key-4711"
QUOTA = {"message": "the budget of the cell is used up", "type": "insufficient_quota", "code": "insufficient_quota"}
CONTEXT = {"message": "the context is too long", "type": "invalid_request_error", "code": "context_length_exceeded"}
STATUS: Mapping[str, tuple[int, Mapping[str, Any]]] = {
    "400": (400, {"message": "this is no request", "type": "invalid_request_error", "code": "invalid"}),
    "400-context": (400, CONTEXT),
    "401": (401, {"message": "the key is wrong", "type": "invalid_request_error", "code": "invalid_api_key"}),
    "403": (403, {"message": "not allowed", "type": "permission_error", "code": "forbidden"}),
    "404": (404, {"message": "no such model", "type": "invalid_request_error", "code": "model_not_found"}),
    "429-quota": (429, QUOTA),
    "429-rate": (429, {"message": "too many requests", "type": "rate_limit_error", "code": "rate_limit_exceeded"}),
    "500": (500, {"message": "it broke", "type": "server_error", "code": "server_error"}),
    "503": (503, {"message": "it is overloaded", "type": "server_error", "code": "overloaded"}),
}
"""What a failing model answers, by the name of its mode."""


class ScriptedModel:
    """`mode`: one of `STATUS`, or `ok`, `hang`, `stall`, `cut`, `html`, `empty`, `malformed`, or a further one that the
    dialect knows.
    """

    def __init__(self) -> None:
        self.mode = "ok"
        self.offline = False
        self.script: Callable[[Mapping[str, Any]], Any] = lambda body: "OK"
        self.bodies: list[Any] = []
        """What was asked, in order."""
        self.keys: list[str] = []
        self.url = ""
        self.over = threading.Event()
        """Set at the end: what hangs or stalls goes on then."""

    @property
    def endpoint(self) -> Endpoint:
        return Endpoint(base_url=f"{self.url}/v1", model="offline", api_key=KEY)

    def says(self, *outputs: Any) -> None:
        """Say these one after the other; the last one again and again."""
        left = list(outputs)
        self.script = lambda body: left.pop(0) if len(left) > 1 else left[0]

    def reply(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The whole reply to a request."""
        raise NotImplementedError

    def events(self, mode: str, reply: Mapping[str, Any]) -> Iterator[bytes]:
        """A reply as a stream."""
        raise NotImplementedError

    def answer(self, request: Request) -> Reply:
        """A reply, or a failure, by the mode."""
        self.bodies.append(request.body)
        self.keys.append(request.authorization)
        mode = self.mode
        if mode in STATUS:
            status, error = STATUS[mode]
            return Reply.of({"error": error}, status)
        if mode == "hang":
            self.over.wait(600)
        if mode == "html":
            return Reply(b"<html>the server is busy</html>", kind="text/html")
        reply = self.reply(request.path, request.body)
        if request.body.get("stream"):
            return Reply(self._streamed(mode, reply), kind="text/event-stream")
        return Reply.of(reply)

    def _streamed(self, mode: str, reply: Mapping[str, Any]) -> Iterator[bytes]:
        if mode == "malformed":
            yield b"data: {oops\n\n"
        elif mode != "empty":
            yield from self.events(mode, reply)


M = TypeVar("M", bound=ScriptedModel)


@contextlib.contextmanager
def serving(model: M) -> Iterator[M]:
    """`model` serves as long as this is open."""
    with loopback.serving(model.answer) as model.url:
        try:
            yield model
        finally:
            model.over.set()
