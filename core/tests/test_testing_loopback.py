"""The server on the loopback that tests of HTTP answer by a function."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.client import HTTPConnection
from urllib.parse import urlsplit

import pytest

from memarena.testing.loopback import Reply, Request, serving

PATIENT = 60.0
"""Seconds that a busy machine may take for what it does at once when it is idle."""


def connected(address: str) -> HTTPConnection:
    return HTTPConnection(urlsplit(address).netloc, timeout=PATIENT)


def test_a_function_sees_what_is_asked_and_gives_status_content_and_headers() -> None:
    asked: list[Request] = []

    def answer(request: Request) -> Reply:
        asked.append(request)
        return Reply(b"<busy>", 503, "text/html", {"Retry-After": "7"})

    with serving(answer) as address:
        client = connected(address)
        client.request("POST", "/v1/chat", b'{"text": "h\xc3\xa9"}', {"Authorization": "Bearer k"})
        reply = client.getresponse()
        assert (reply.status, reply.read(), reply.headers["Content-Type"]) == (503, b"<busy>", "text/html")
        assert reply.headers["Retry-After"] == "7"
        client.close()
    assert asked == [Request("POST", "/v1/chat", "Bearer k", {"text": "hé"})]


def test_one_connection_takes_several_requests_with_and_without_a_body() -> None:
    with serving(lambda request: Reply.of([request.method, request.path, request.body])) as address:
        client = connected(address)
        client.request("GET", "/models")
        assert json.load(client.getresponse()) == ["GET", "/models", {}]
        client.request("POST", "/", b'{"a": 1}')
        assert json.load(client.getresponse()) == ["POST", "/", {"a": 1}]
        client.request("POST", "/empty")
        assert json.load(client.getresponse()) == ["POST", "/empty", {}]
        client.close()


def test_pieces_are_sent_one_by_one_and_end_with_the_connection() -> None:
    first_is_here = threading.Event()

    def pieces() -> Iterator[bytes]:
        yield b"first\n"
        first_is_here.wait(2 * PATIENT)
        yield b"second\n"

    with serving(lambda request: Reply(pieces(), kind="text/event-stream")) as address:
        client = connected(address)
        client.request("POST", "/", b"{}")
        reply = client.getresponse()
        assert reply.readline() == b"first\n"
        first_is_here.set()
        assert reply.read() == b"second\n"
        assert reply.headers["Connection"] == "close"


def test_a_client_that_goes_away_in_the_middle_is_no_failure(capsys: pytest.CaptureFixture[str]) -> None:
    over = threading.Event()

    def endless() -> Iterator[bytes]:
        try:
            while True:
                yield b"x" * 100_000
        finally:  # when the server is done with the connection, and has said of it what it says
            over.set()

    with serving(lambda request: Reply(endless() if request.path == "/long" else b"ok")) as address:
        client = connected(address)
        client.request("POST", "/long", b"{}")
        client.getresponse().read(1)
        client.close()
        assert over.wait(PATIENT)
        client.request("POST", "/", b"{}")
        assert client.getresponse().read() == b"ok"
        client.close()
    assert capsys.readouterr().err == ""
