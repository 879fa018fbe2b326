"""A model on the loopback: responses and chat completions, by a script or as the model `offline`, or failing."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from memarena.records import Endpoint

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

Output = str | Sequence[Mapping[str, Any]]
"""A text, or the arguments of calls of the tool `exec_command`."""
Script = Callable[[Mapping[str, Any]], Output]


class Model:
    """`mode` is one of `STATUS`, or `ok`, `hang`, `stall`, `cut`, `html`, `empty`, `malformed`, `failed`,
    `incomplete`, `no-usage`."""

    def __init__(self, port: int, over: threading.Event) -> None:
        self.mode = "ok"
        self.offline = False
        self.script: Script = lambda body: "OK"
        self.bodies: list[Any] = []
        """What was asked, in order."""
        self.keys: list[str] = []
        self.port = port
        self.over = over

    @property
    def endpoint(self) -> Endpoint:
        return Endpoint(base_url=f"http://127.0.0.1:{self.port}/v1", model="offline", api_key=KEY)

    def says(self, *outputs: Output) -> None:
        """Say these one after the other; the last one again and again."""
        left = list(outputs)
        self.script = lambda body: left.pop(0) if len(left) > 1 else left[0]

    def reply(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The whole reply to a request."""
        if self.offline:
            from memarena_models import offline

            return offline.responses(body) if path.endswith("responses") else offline.chat(body)
        said = self.script(body)
        if path.endswith("completions"):
            return {"choices": [{"index": 0, "message": {"role": "assistant", "content": said}}]}
        return _response(said)


def calls(*commands: str) -> list[dict[str, Any]]:
    """An output that runs these commands."""
    return [{"cmd": command, "yield_time_ms": 20_000} for command in commands]


@contextlib.contextmanager
def serving() -> Iterator[Model]:
    """A model that serves as long as this is open."""
    server = _Server(("127.0.0.1", 0), _Handler)
    over = threading.Event()
    server.model = Model(server.server_address[1], over)
    thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
    thread.start()
    try:
        yield server.model
    finally:
        over.set()
        server.shutdown()
        server.server_close()
        thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    model: Model

    def handle_error(self, request: Any, client_address: Any) -> None:
        """An agent that was killed in the middle of a reply is no failure of the model."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        model = self.server.model
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        model.bodies.append(body)
        model.keys.append(self.headers.get("authorization", ""))
        mode = model.mode
        if mode in STATUS:
            status, error = STATUS[mode]
            self._whole(status, {"error": error})
        elif mode == "hang":
            model.over.wait(600)
        elif mode == "html":
            self._whole(200, "<html>the server is busy</html>", "text/html")
        elif body.get("stream"):
            self._stream(mode, model.reply(self.path, body))
        else:
            self._whole(200, model.reply(self.path, body))

    def log_message(self, *words: object) -> None:
        """Say nothing."""

    def _whole(self, status: int, value: Any, kind: str = "application/json") -> None:
        data = value.encode() if isinstance(value, str) else json.dumps(value).encode()
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def _stream(self, mode: str, response: Mapping[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        if mode == "empty":
            return
        if mode == "malformed":
            self.wfile.write(b"data: {oops\n\n")
            return
        self._event("response.created", {"response": {**response, "output": [], "status": "in_progress"}})
        if mode == "stall":
            self.server.model.over.wait(600)
            return
        if mode == "cut":
            # Told to be chunked and broken off: what a connection that dies looks like.
            self.wfile.write(b"event: response.output_item.added\nda")
            return
        if mode == "failed":
            error = {"code": "server_error", "message": "the model broke"}
            self._event("response.failed", {"response": {**response, "status": "failed", "error": error}})
            return
        if mode == "incomplete":
            whole = {**response, "status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
            self._event("response.incomplete", {"response": whole})
            return
        for place, item in enumerate(response["output"]):
            self._event("response.output_item.added", {"output_index": place, "item": item})
            self._event("response.output_item.done", {"output_index": place, "item": item})
        whole = {name: value for name, value in response.items() if mode != "no-usage" or name != "usage"}
        self._event("response.completed", {"response": whole})

    def _event(self, kind: str, data: Mapping[str, Any]) -> None:
        self.wfile.write(f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode())
        self.wfile.flush()


_numbers = iter(range(1, 1 << 30))


def _response(said: Output) -> dict[str, Any]:
    number = next(_numbers)
    if isinstance(said, str):
        content = [{"type": "output_text", "text": said, "annotations": []}]
        output = [{"type": "message", "id": f"msg_{number}", "role": "assistant", "content": content}]
    else:
        output = [
            {
                "type": "function_call",
                "id": f"fc_{number}_{place}",
                "call_id": f"call_{number}_{place}",
                "name": "exec_command",
                "arguments": json.dumps(arguments),
            }
            for place, arguments in enumerate(said)
        ]
    usage = {
        "input_tokens": 100,
        "input_tokens_details": {"cached_tokens": 0},
        "output_tokens": 10,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": 110,
    }
    return {"id": f"resp_{number}", "object": "response", "status": "completed", "output": output, "usage": usage}
