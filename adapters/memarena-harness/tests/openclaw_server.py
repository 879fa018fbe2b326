"""A server of chat completions that fails in a chosen way, as upstreams do; for what a harness makes of it."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from memarena.records import Endpoint

CONTEXT = {"message": "This model's maximum context length is 10 tokens", "code": "context_length_exceeded"}
QUOTA = {"message": "the budget of the cell is used up", "type": "insufficient_quota", "code": "cell_budget_spent"}
STATUS: dict[str, tuple[int, dict[str, Any]]] = {
    "400-context": (400, {**CONTEXT, "type": "invalid_request_error"}),
    "401": (401, {"message": "the key is wrong", "type": "invalid_request_error", "code": "invalid_api_key"}),
    "403": (403, {"message": "not allowed", "type": "permission_error", "code": "forbidden"}),
    "404": (404, {"message": "there is no such model", "type": "invalid_request_error", "code": "model_not_found"}),
    "429-quota": (429, QUOTA),
    "429-rate": (429, {"message": "too many requests", "type": "rate_limit_error", "code": "rate_limit_exceeded"}),
    "500": (500, {"message": "it broke", "type": "server_error", "code": "server_error"}),
    "503": (503, {"message": "it is overloaded", "type": "server_error", "code": "overloaded"}),
}


class FailingModel:
    """Serves on the loopback until `close`; `mode` may be changed while it runs."""

    def __init__(self, mode: str) -> None:
        self.mode = mode
        self.requests: list[dict[str, Any]] = []
        self.reply: Callable[[dict[str, Any]], dict[str, Any]] = lambda body: {"content": "OK"}
        self.over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        self._thread.start()

    @property
    def endpoint(self) -> Endpoint:
        port = self._server.server_address[1]
        return Endpoint(base_url=f"http://127.0.0.1:{port}/v1", model="stub", api_key="mem-secret-of-this-cell")

    def close(self) -> None:
        self.over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        model = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["content-length"])))
                model.requests.append(body)
                if model.mode in STATUS:
                    status, error = STATUS[model.mode]
                    self._whole(status, "application/json", json.dumps({"error": error}).encode())
                elif model.mode == "hang":
                    model.over.wait(600)
                elif model.mode == "html":
                    self._whole(200, "text/html", b"<html><body>the server is busy</body></html>")
                else:
                    self._stream(model.mode, model.reply(body))

            def log_message(self, *words: object) -> None:
                """Say nothing."""

            def _whole(self, status: int, kind: str, data: bytes) -> None:
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def _stream(self, mode: str, message: dict[str, Any]) -> None:
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.send_header("connection", "close")
                self.end_headers()
                self.close_connection = True
                for place, event in enumerate(_events(mode, message)):
                    if mode == "cut" and place == 1:
                        return
                    if mode == "stall" and place == 1:
                        model.over.wait(600)
                    self.wfile.write(event)
                    self.wfile.flush()

        return Handler


def tool_call(name: str, arguments: dict[str, Any], mark: str) -> dict[str, Any]:
    """A message that calls one tool."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"tool_calls": [{"index": 0, "id": f"call_{mark}", "type": "function", "function": function}]}


def _events(mode: str, message: dict[str, Any]) -> Iterator[bytes]:
    if mode == "empty-stream":
        return
    if mode == "malformed":
        yield b"data: {oops\n\n"
        return
    if mode == "empty-reply":
        message = {"content": ""}
    finish = "length" if mode == "length" else "tool_calls" if "tool_calls" in message else "stop"
    usage = {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    chunks: list[dict[str, Any]] = [
        {"choices": [{"index": 0, "delta": {"role": "assistant", **message}, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": finish}]},
        {"choices": [], "usage": usage},
    ]
    for chunk in chunks:
        about = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": int(time.time()), "model": "stub"}
        yield f"data: {json.dumps({**about, **chunk})}\n\n".encode()
    yield b"data: [DONE]\n\n"
