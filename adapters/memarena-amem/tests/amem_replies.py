"""A real server on the loopback that plays an OpenAI-compatible one: from a script, or by the rules of `offline`."""

from __future__ import annotations

import json
import threading
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from memarena.records import Endpoint

SIZE = 64


def say(text: str) -> dict[str, Any]:
    """A message in words."""
    return {"role": "assistant", "content": text}


def note(*keywords: str, context: str = "", tags: Sequence[str] = ("tag",)) -> dict[str, Any]:
    """A message that analyses a note."""
    return say(json.dumps({"keywords": keywords, "context": context or f"About {keywords[0]}.", "tags": tags}))


def stay() -> dict[str, Any]:
    """A message that changes nothing."""
    return evolve(should_evolve=False)


def evolve(
    *,
    should_evolve: bool = True,
    actions: Sequence[str] = (),
    links: Sequence[int] = (),
    tags: Sequence[str] = (),
    contexts: Sequence[str] = (),
    neighbour_tags: Sequence[Sequence[str]] = (),
) -> dict[str, Any]:
    """A message that says what evolves."""
    told = {
        "should_evolve": should_evolve,
        "actions": actions,
        "suggested_connections": links,
        "tags_to_update": tags,
        "new_context_neighborhood": contexts,
        "new_tags_neighborhood": neighbour_tags,
    }
    return say(json.dumps(told))


class StandIn:
    """Plays what was put into `script`, one entry a chat, or with `offline` its rules; else a note on nothing.

    An entry is a message, an HTTP status, or the bytes of a whole reply. `requests` holds path and body of each.
    """

    def __init__(self, base_url: str = "") -> None:
        self.base_url = base_url
        self.script: list[dict[str, Any] | int | bytes] = []
        self.requests: list[tuple[str, dict[str, Any]]] = []
        self.offline = False
        self.embedding_status = 200

    @property
    def model(self) -> Endpoint:
        return Endpoint(base_url=self.base_url, model="m", api_key="key-of-the-cell")

    @property
    def chats(self) -> list[dict[str, Any]]:
        return [body for path, body in self.requests if path.endswith("/chat/completions")]

    @property
    def embeddings(self) -> list[dict[str, Any]]:
        return [body for path, body in self.requests if path.endswith("/embeddings")]

    def answer(self, path: str, body: Mapping[str, Any]) -> tuple[int, bytes]:
        if path.endswith("/embeddings"):
            return self._embed(body)
        if self.offline:
            from memarena_models import offline

            return 200, json.dumps(offline.chat(body)).encode()
        entry = self.script.pop(0) if self.script else _default(body)
        if isinstance(entry, int):
            return entry, json.dumps({"error": {"message": f"planted {entry}", "code": "planted"}}).encode()
        if isinstance(entry, bytes):
            return 200, entry
        return 200, json.dumps({"choices": [{"index": 0, "message": entry, "finish_reason": "stop"}]}).encode()

    def _embed(self, body: Mapping[str, Any]) -> tuple[int, bytes]:
        if self.embedding_status != 200:
            return self.embedding_status, b'{"error": {"message": "no embeddings today"}}'
        rows = [{"index": place, "embedding": _hashed(text)} for place, text in enumerate(body["input"])]
        return 200, json.dumps({"data": rows}).encode()


def _default(body: Mapping[str, Any]) -> dict[str, Any]:
    return note("thing") if body["response_format"]["json_schema"]["name"] == "analysis" else stay()


def _hashed(text: str) -> list[float]:
    """Words by their hash: texts that share words are near."""
    vector = [0.0] * SIZE
    for word, times in Counter(text.casefold().replace(".", " ").replace("?", " ").split()).items():
        vector[blake2b(word.encode(), digest_size=2).digest()[0] % SIZE] += times
    return vector


@contextmanager
def standing_in() -> Iterator[StandIn]:
    """A stand-in that answers until the end."""
    stand_in = StandIn()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            stand_in.requests.append((self.path, body))
            status, data = stand_in.answer(self.path, body)
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    stand_in.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield stand_in
    finally:
        server.shutdown()
        server.server_close()
