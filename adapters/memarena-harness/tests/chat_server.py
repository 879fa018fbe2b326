"""A model on the loopback that streams chat completions: by a script, as the model `offline`, or failing."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from responses_server import KEY, STATUS

from memarena.records import Endpoint

Output = str | Sequence[str]
"""A text, or commands that the tool `exec` is called with."""
Script = Callable[[Mapping[str, Any]], Output]


class ChatModel:
    """`mode` is one of `STATUS`, or `ok`, `hang`, `stall`, `cut`, `html`, `empty`, `malformed`, `length`."""

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

    def message(self, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The message that replies to a request."""
        if self.offline:
            from memarena_models import offline

            said: Mapping[str, Any] = offline.chat(body)["choices"][0]["message"]
            calls = said.get("tool_calls") or ()
            return {**said, "tool_calls": [{**call, "index": place} for place, call in enumerate(calls)]}
        output = self.script(body)
        if isinstance(output, str):
            return {"content": output}
        made = [_call(place, f"{len(self.bodies)}_{place}", command) for place, command in enumerate(output)]
        return {"content": None, "tool_calls": made}


def given_back(body: Mapping[str, Any]) -> str:
    """What tools gave back, in the order of a request."""
    return "\n".join(_text(each["content"]) for each in body["messages"] if each["role"] == "tool")


def said_by_user(body: Mapping[str, Any]) -> str:
    """All messages of the user in a request."""
    return "\n".join(_text(each["content"]) for each in body["messages"] if each["role"] == "user")


@contextlib.contextmanager
def serving_chat() -> Iterator[ChatModel]:
    """A model that serves as long as this is open."""
    server = _Server(("127.0.0.1", 0), _Handler)
    over = threading.Event()
    server.model = ChatModel(server.server_address[1], over)
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
    model: ChatModel

    def handle_error(self, request: Any, client_address: Any) -> None:
        """An agent that was killed in the middle of a reply is no failure of the model."""


class _Handler(BaseHTTPRequestHandler):
    server: _Server

    def do_POST(self) -> None:
        model = self.server.model
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        model.bodies.append(body)
        model.keys.append(self.headers.get("authorization", ""))
        if model.mode in STATUS:
            status, error = STATUS[model.mode]
            self._whole(status, json.dumps({"error": error}), "application/json")
        elif model.mode == "hang":
            model.over.wait(600)
        elif model.mode == "html":
            self._whole(200, "<html>the server is busy</html>", "text/html")
        else:
            self._stream(model.mode, model.message(body))

    def log_message(self, *words: object) -> None:
        """Say nothing."""

    def _whole(self, status: int, text: str, kind: str) -> None:
        self.send_response(status)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text.encode())

    def _stream(self, mode: str, message: Mapping[str, Any]) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        if mode == "empty":
            return
        if mode == "malformed":
            self.wfile.write(b"data: {oops\n\n")
            return
        self._event([{"index": 0, "delta": {"role": "assistant", **message}, "finish_reason": None}])
        if mode == "cut":
            return
        if mode == "stall":
            self.server.model.over.wait(600)
            return
        finish = "length" if mode == "length" else "tool_calls" if message.get("tool_calls") else "stop"
        self._event([{"index": 0, "delta": {}, "finish_reason": finish}])
        self._event([], usage={"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14})
        self.wfile.write(b"data: [DONE]\n\n")

    def _event(self, choices: Sequence[Mapping[str, Any]], **more: Any) -> None:
        about = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "offline"}
        self.wfile.write(f"data: {json.dumps({**about, 'choices': choices, **more})}\n\n".encode())
        self.wfile.flush()


def _call(place: int, mark: str, command: str) -> dict[str, Any]:
    function = {"name": "exec", "arguments": json.dumps({"command": command})}
    return {"index": place, "id": f"call_{mark}", "type": "function", "function": function}


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content or ())
