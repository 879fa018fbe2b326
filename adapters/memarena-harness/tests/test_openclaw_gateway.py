"""How a gateway is spoken to, and what becomes of a call whose gateway goes wrong; a few lines stand for OpenClaw's."""

from __future__ import annotations

import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from harness_play import PATIENT, held_port

from memarena_harness import openclaw_gateway
from memarena_harness.jail import PATH, Jail
from memarena_harness.limits import Limits
from memarena_harness.openclaw_gateway import Broke, Gateway
from memarena_harness.roots import Root
from memarena_harness.running import Process

SERVER = """\
import http.server, json, os, sys, time

class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.answer(200 if self.headers["authorization"] == "Bearer token" else 401, b"{}")

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        told = body["messages"][0]["content"]
        if told == "end":
            os._exit(3)
        if told == "hang":
            time.sleep(600)
        if told == "fill":
            open("big", "wb").write(bytes(3 << 20))
            time.sleep(600)
        if told in ("drip", "stall"):
            self.send_response(200)
            self._headers_buffer.append(b"\\r\\nx")
            self.flush_headers()
            while True:
                time.sleep(0.01)
                if told == "drip":
                    self.wfile.write(b"x")
        if told == "flood":
            self.answer(200, b"x" * 100_000)
        self.answer(503 if told == "fail" else 200, json.dumps([self.headers["x-openclaw-session-key"], told]).encode())

    def answer(self, status, data):
        self.send_response(status)
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, *words):
        pass

time.sleep(0.3)
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
"""


@pytest.fixture
def gateway(tmp_path: Path) -> Iterator[Gateway]:
    (tmp_path / "server.py").write_text(SERVER, encoding="utf-8")
    root = Root.below(tmp_path / "root")
    root.make()
    with held_port() as port:
        process = Process(
            [sys.executable, str(tmp_path / "server.py"), str(port)],
            root=root,
            jail=Jail(kind="none"),
            environment={"PATH": PATH},
            limits=Limits(seconds=float("inf"), disk_bytes=2 << 20),
            dial=port,
        )
        found = Gateway(process, port, "token")
        yield found
        found.end()


def test_a_gateway_is_waited_for_and_then_replies_in_the_session_that_is_named(gateway: Gateway) -> None:
    gateway.wait_until_ready(PATIENT)
    reply = gateway.chat("agent:main:one", "Grüße", PATIENT)
    assert (reply.status, reply.body, reply.traffic) == (200, ["agent:main:one", "Grüße"], None)


def test_a_gateway_that_does_not_answer_in_time_is_not_waited_for(gateway: Gateway) -> None:
    with held_port() as silent, pytest.raises(Broke) as broke:
        Gateway(gateway._process, silent, "token").wait_until_ready(0.1)
    assert broke.value.limit == "time"


def test_an_error_is_a_reply(gateway: Gateway) -> None:
    gateway.wait_until_ready(PATIENT)
    assert gateway.chat("agent:main:one", "fail", PATIENT).status == 503


@pytest.mark.parametrize(
    ("told", "seconds", "limit"), [("end", PATIENT, ""), ("hang", 1.5, "time"), ("fill", PATIENT, "disk")]
)
def test_a_call_ends_with_its_gateway_its_time_or_a_limit(
    told: str, seconds: float, limit: str, gateway: Gateway
) -> None:
    gateway.wait_until_ready(PATIENT)
    with pytest.raises(Broke) as broke:
        gateway.chat("agent:main:one", told, seconds)
    assert broke.value.limit == limit


def test_after_its_end_there_is_no_call(gateway: Gateway) -> None:
    gateway.wait_until_ready(PATIENT)
    for _ in range(2):
        with pytest.raises(Broke):
            gateway.chat("agent:main:one", "end", PATIENT)


@pytest.mark.parametrize("told", ["drip", "stall"])
def test_a_reply_without_end_is_cut_off(told: str, gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    gateway.wait_until_ready(PATIENT)
    monkeypatch.setattr(openclaw_gateway, "READING", 0.5)
    began = time.monotonic()
    assert set(gateway.chat("agent:main:one", told, PATIENT).body) == {"x"}
    assert time.monotonic() - began < PATIENT


def test_a_reply_that_is_too_large_is_read_in_part(gateway: Gateway, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(openclaw_gateway, "LARGEST", 1000)
    gateway.wait_until_ready(PATIENT)
    assert gateway.chat("agent:main:one", "flood", PATIENT).body == "x" * 1000


def test_who_reads_after_the_cut_finds_the_end_and_no_failure() -> None:
    with (
        socket.create_server(("127.0.0.1", 0)) as server,
        socket.create_connection(server.getsockname()) as door,
        server.accept()[0] as sender,
        openclaw_gateway._closing_after(0.05, door),
    ):
        for _ in range(30):
            sender.sendall(b"x")
            time.sleep(0.01)
        assert set(b"".join(iter(lambda: door.recv(1000), b""))) == set(b"x")
