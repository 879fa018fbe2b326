"""A running gateway of OpenClaw, spoken to as any server of chat completions."""

from __future__ import annotations

import contextlib
import http.client
import json
import select
import socket
import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import monotonic
from typing import Any, NamedTuple

from memarena import keeper
from memarena_harness.limits import Broken, Ended
from memarena_harness.running import TICK, Process
from memarena_harness.traffic import Traffic

READY = "/v1/models"
CHAT = "/v1/chat/completions"
AGENT = "openclaw/default"
BETWEEN = 0.1
"""Seconds between two looks at whether it answers yet."""
READING = 30.0
"""Seconds that a reply may take from its first byte to its last."""
LARGEST = 16 << 20
"""Bytes of a reply: an agent can end the gateway and reply in its place, for ever."""


class Broke(Exception):
    """It went over a limit, or ended, in the middle of a call; `limit` is "" where it ended by itself."""

    def __init__(self, limit: Broken) -> None:
        super().__init__(limit)
        self.limit: Broken = limit


class Reply(NamedTuple):
    """What it replied."""

    status: int
    body: Any
    """The JSON of the reply; its text where it is none."""
    traffic: Traffic | None = None
    """What went to the model meanwhile; None where nobody counted."""


class Gateway:
    """One gateway, for as long as its process lives."""

    def __init__(self, process: Process, door: int, token: str, program: str = "") -> None:
        """`program`: what runs it, as it is seen inside; helpers of its own that it starts run by the same."""
        self._process = process
        self._program = program
        self._door = door
        self._lasting: frozenset[int] = frozenset()
        self._headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}

    def wait_until_ready(self, seconds: float) -> None:
        """Return when it answers; raises Broke."""
        until = monotonic() + seconds
        while True:
            door = self._process.connect(self._door)
            if door is not None and self._exchange(door, "GET", READY, {}, None, until).status == 200:
                self._lasting = self._process.processes()
                return
            self._look(until)
            self._process.wait(BETWEEN)

    def chat(self, session: str, text: str, seconds: float) -> Reply:
        """Have the agent do with `text` what it says, in the conversation `session`; raises Broke.

        Then what its commands left running is ended, and the gateway itself stands still until the next call.
        """
        until = monotonic() + seconds
        self._process.go_on()
        body = {"model": AGENT, "messages": [{"role": "user", "content": text}]}
        door = self._process.connect(self._door)
        if door is None:
            self._look(until)
            raise Broke("")
        traffic = self._process.count_anew()
        reply = self._exchange(door, "POST", CHAT, {"x-openclaw-session-key": session}, body, until)
        if not self._process.pause(self._lasting | self._helpers()):
            raise Broke("processes")
        return reply._replace(traffic=traffic)

    def end(self, broke: Broken = "") -> Ended:
        """End it with all that it started. To be called once."""
        return self._process.end(broke)

    def _helpers(self) -> frozenset[int]:
        """Its own children that run by its own program: a command of the agent is a child of one of these at most."""
        children = (pid for pid in self._process.processes() if parent_of(pid) in self._lasting)
        return frozenset(pid for pid in children if self._program and runs(pid) == self._program)

    def _exchange(
        self,
        door: socket.socket,
        method: str,
        path: str,
        headers: Mapping[str, str],
        body: object,
        until: float,
    ) -> Reply:
        connection = http.client.HTTPConnection("127.0.0.1", self._door)
        connection.sock = door
        door.settimeout(READING)
        data = None if body is None else json.dumps(body, ensure_ascii=False).encode()
        try:
            connection.request(method, path, data, {**self._headers, **headers})
            while not select.select([door], [], [], TICK)[0]:
                self._look(until)
            with _closing_after(READING, door):
                door.settimeout(None)  # one clock: of two, chance would choose whether a late reply is cut off or lost
                response = connection.getresponse()
                return Reply(response.status, _read(response.read(LARGEST)))
        except (OSError, http.client.HTTPException):
            self._process.wait(TICK)
            self._look(until)
            raise Broke("") from None
        finally:
            connection.close()

    def _look(self, until: float) -> None:
        """Raises Broke where it is over a limit or has ended."""
        broke = self._process.broken_limit() or ("time" if monotonic() > until else "")
        if broke or self._process.wait(0):
            raise Broke(broke)


def parent_of(process: int) -> int:
    """The parent of a process; 0 where it is gone."""
    fields = keeper.stat_of(process)
    return int(fields[1]) if fields else 0


def runs(process: int) -> str:
    """The program of a process, at its place as it is seen there; "" where it is gone."""
    try:
        return str(Path(f"/proc/{process}/exe").readlink())
    except OSError:
        return ""


@contextlib.contextmanager
def _closing_after(seconds: float, door: socket.socket) -> Iterator[None]:
    """Within, what is read from `door` ends when so much time is over."""

    def close() -> None:
        with contextlib.suppress(OSError):
            door.shutdown(socket.SHUT_RD)  # of writing too, and what comes after is a reset: a late reader would fail

    clock = threading.Timer(seconds, close)
    clock.start()
    try:
        yield
    finally:
        clock.cancel()


def _read(data: bytes) -> Any:
    try:
        return json.loads(data)
    except ValueError:
        return data.decode("utf-8", "replace")
