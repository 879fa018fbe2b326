"""Between a Letta server and the models of a cell: adds the cell's key, notes what fails, and keeps the time.

Letta sends one key for all embeddings of all agents, tells a failed embedding to the model as the result of a tool, and
writes the time of the machine and random ids into its prompts. None of that may reach the models of a run.
"""

from __future__ import annotations

import json
import re
import secrets
import threading
from collections.abc import Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from memarena.modelclient import ModelCallFailed, ModelClient
from memarena.records import RunContext
from memarena_memgpt.letta.server import ALERT

UNKNOWN = "unknown"
"""What prompts are told where the data set gives no time."""

_NOW = re.compile(r"\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2} [AP]M UTC[+-]\d{4}")
_STORED = re.compile(r"""(?<=timestamp['"]: ['"])\d{4}-\d{2}-\d{2}T[\d:.+]+|(?<="time_ago": ")[^"]*""")
_ID = re.compile(r"\b(agent|passage|message)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


class Relay:
    """Listens on the loopback from the start to `close`."""

    def __init__(self, client: ModelClient, context: RunContext) -> None:
        self.counts = {"chats": 0, "failed_chats": 0, "embeddings": 0, "failed_embeddings": 0}
        self.outages: list[ModelCallFailed] = []
        """What failed since `begin`."""
        self._client = client
        self._endpoints = {"chat/completions": context.model, "embeddings": context.embedding}
        self._seed = context.seed
        self._time = UNKNOWN
        # Others on this machine could use the models of the cell, if they knew where.
        self._prefix = f"/{secrets.token_urlsafe(16)}/v1"
        self._server = _listening(self)

    @property
    def url(self) -> str:
        """The base URL of both endpoints."""
        return f"http://127.0.0.1:{self._server.server_address[1]}{self._prefix}"

    def begin(self, time: str | None) -> None:
        """Forget what failed; from now on it is `time`."""
        self.outages.clear()
        self._time = time or UNKNOWN

    def close(self) -> None:
        """Listen no more."""
        self._server.shutdown()
        self._server.server_close()

    def answer(self, path: str, body: dict[str, Any]) -> tuple[int, Mapping[str, Any]]:
        """Status and content for a request of the server; after the first that failed no model is asked any more."""
        door = path.removeprefix(f"{self._prefix}/")
        if door not in self._endpoints:
            return 404, _error("there is nothing here")
        if self.outages:
            return 502, _error(str(self.outages[0]))
        kind = "embeddings" if door == "embeddings" else "chats"
        if kind == "chats":
            body = {**body, "seed": self._seed, "messages": [timed(each, self._time) for each in body["messages"]]}
        self.counts[kind] += 1
        try:
            return 200, self._client.post(self._endpoints[door], door, body)
        except ModelCallFailed as failure:
            self.counts[f"failed_{kind}"] += 1
            self.outages.append(failure)
            return failure.status if failure.status >= 400 else 502, _error(str(failure))


def timed(message: Mapping[str, Any], time: str) -> Mapping[str, Any]:
    """A message of the prompt with `time` where the server wrote that of the machine, and without random ids.

    Of what a search finds the text tells when it was said; the server knows only when it was stored.
    """
    content = message.get("content")
    if not isinstance(content, str) or (message.get("role") == "user" and not content.startswith(ALERT)):
        return message
    dated = _STORED.sub(UNKNOWN, _NOW.sub(lambda _: time, content))
    return {**message, "content": _ID.sub(r"\1", dated)}


def _error(problem: str) -> dict[str, Any]:
    return {"error": {"message": problem, "type": "relay", "code": "failed"}}


def _listening(relay: Relay) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True
        wbufsize = -1

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            status, content = relay.answer(self.path, body)
            data = json.dumps(content).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            # The gateway has tried already what may be tried again.
            self.send_header("x-should-retry", "false")
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
    return server
