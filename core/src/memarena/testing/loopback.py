"""A server on the loopback for tests of what speaks HTTP: a function gives the reply to each request."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple


class Request(NamedTuple):
    """What a client asked."""

    method: str
    """`GET` or `POST`."""
    path: str
    authorization: str
    """The header, or ""."""
    body: Mapping[str, Any]
    """The decoded JSON; {} where there is none."""


class Reply(NamedTuple):
    """What it is answered."""

    data: bytes | Iterator[bytes]
    """The whole, or pieces: each is sent when it comes, and the connection is closed behind the last one."""
    status: int = 200
    kind: str = "application/json"
    """The content type."""
    headers: Mapping[str, str] = {}
    """Further headers."""

    @classmethod
    def of(cls, value: object, status: int = 200) -> Reply:
        """`value` as JSON."""
        return cls(json.dumps(value).encode(), status)


@contextmanager
def serving(answer: Callable[[Request], Reply]) -> Iterator[str]:
    """Serve what `answer` gives, in a thread a connection; gives the address, `http://127.0.0.1:PORT`."""

    class Handler(_Handler):
        def reply(self, request: Request) -> Reply:
            return answer(request)

    with _Server(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that goes away in the middle of a reply is no failure of the server."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def reply(self, request: Request) -> Reply:
        raise NotImplementedError

    def do_GET(self) -> None:
        self._answer({})

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"] or 0))
        self._answer(json.loads(body) if body else {})

    def _answer(self, body: Mapping[str, Any]) -> None:
        key = self.headers["Authorization"] or ""
        reply = self.reply(Request(self.command, self.path, key, body))
        self.send_response(reply.status)
        self.send_header("Content-Type", reply.kind)
        for name, value in reply.headers.items():
            self.send_header(name, value)
        if isinstance(reply.data, bytes):
            self.send_header("Content-Length", str(len(reply.data)))
            self.end_headers()
            self.wfile.write(reply.data)
            return
        self.send_header("Connection", "close")
        self.end_headers()
        for piece in reply.data:
            self.wfile.write(piece)
            self.wfile.flush()

    def log_message(self, *words: object) -> None:
        """Say nothing."""
