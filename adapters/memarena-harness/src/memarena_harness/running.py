"""A program of an agent: started in its jail, watched, and gone afterwards with everything that it started."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from time import monotonic, perf_counter
from typing import IO, NotRequired, TypedDict, Unpack

import msgspec

from memarena import keeper
from memarena.processes import MARKER
from memarena.records import Endpoint, Record
from memarena_harness import launch
from memarena_harness.jail import PORT, Jail
from memarena_harness.limits import Broken, Ended, Limits
from memarena_harness.pump import Pump
from memarena_harness.roots import Root
from memarena_harness.traffic import Traffic
from memarena_harness.usage import on_disk, used_by

TICK = 0.2
"""Seconds between two looks at what an agent uses; a disk limit can be passed by what is written in one."""
STARTING = 20.0
"""Seconds that the launcher gets to open the door."""
LARGEST = 64 << 20
"""Bytes of its output that are kept; the last ones count."""
TAIL = 2000
"""Characters of its output that a failure repeats at most."""


class _Status(Record, frozen=True, kw_only=True):
    """The last words of a keeper."""

    exit: int | None = None
    signal: int | None = None
    problem: str = ""
    tail: str = ""
    left: tuple[int, ...] = ()
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


class Held(TypedDict):
    """How a program is held; all paths in its command and its environment are as it sees them."""

    root: Root
    jail: Jail
    environment: Mapping[str, str]
    gateway: NotRequired[Endpoint | None]
    """The model, the one place that it may reach (on port `jail.PORT` inside, where it is apart)."""
    tools: NotRequired[Mapping[str, Path] | None]
    """Folders that it sees, read-only, by name."""
    limits: NotRequired[Limits | None]


class Process:
    """A running program. `end` ends it and all that it started; so does the end of this process, however it comes.

    What it is started with is told by `Held`. `dial`: a port inside to which `connect` connects. `streams`: descriptors
    that become its standard input and output, in place of `stdin` and what `Ended` has as its output.
    """

    def __init__(
        self,
        command: Sequence[str],
        *,
        root: Root,
        jail: Jail,
        environment: Mapping[str, str],
        gateway: Endpoint | None = None,
        stdin: bytes = b"",
        tools: Mapping[str, Path] | None = None,
        limits: Limits | None = None,
        dial: int = 0,
        streams: tuple[int, int] | None = None,
    ) -> None:
        self.limits = limits or Limits()
        self._root = root
        self._started = perf_counter()
        self._until = monotonic() + self.limits.seconds
        self._control, keeping = socket.socketpair()
        self._launching, launching = socket.socketpair()
        self._output: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (open as long as the program)
        self._pump: Pump | None = None
        self._dials = bool(dial) and jail.apart
        told = {"limits": self.limits.to_launch(), "port": PORT if jail.apart else 0, "dial": dial if jail.apart else 0}
        kept = {"log": None, "log_bytes": 0, "memory_bytes": 0, "scratch": ""}
        python = [sys.executable, "-I", "-S"]
        words = [
            *(*python, keeper.__file__, str(keeping.fileno()), msgspec.json.encode(kept).decode()),
            *(*python, launch.__file__, str(launching.fileno()), msgspec.json.encode(told).decode()),
            *jail.words(command, root, tools or {}),
        ]
        with keeping, launching, tempfile.TemporaryFile() as source:
            source.write(stdin)
            source.seek(0)
            taken, given = streams or (source.fileno(), self._output.fileno())
            self._keeper = subprocess.Popen(
                words,
                stdin=taken,
                stdout=given,
                stderr=subprocess.DEVNULL,
                pass_fds=(keeping.fileno(), launching.fileno()),
                cwd=root.workspace,
                env={**environment, **({} if jail.apart else _marker())},
                start_new_session=True,
            )
        if jail.apart:
            self._open_door(gateway)

    def _open_door(self, gateway: Endpoint | None) -> None:
        """Take over the socket that listens inside; where the launcher fails, its last words say why."""
        self._launching.settimeout(STARTING)
        try:
            _, handed, _, _ = socket.recv_fds(self._launching, 1, 1)
        except OSError:
            return
        if not handed:
            return
        door = socket.socket(fileno=handed[0])
        if gateway is None:
            door.close()
        else:
            self._pump = Pump(door, gateway)

    def connect(self, port: int) -> socket.socket | None:
        """A connection to `port` inside (the one that it was started with); None where nobody listens there yet."""
        if not self._dials:
            try:
                return socket.create_connection(("127.0.0.1", port), launch.DIAL_SECONDS)
            except OSError:
                return None
        try:
            self._launching.sendall(b"?")
            _, handed, _, _ = socket.recv_fds(self._launching, 1, 1)
        except OSError:
            return None
        if not handed:
            return None
        connection = socket.socket(fileno=handed[0])
        connection.settimeout(None)  # it comes without blocking, as it was made with a time limit
        return connection

    def count_anew(self) -> Traffic | None:
        """What goes through its door from now on; None where it has none."""
        if self._pump is None:
            return None
        self._pump.traffic = Traffic()
        return self._pump.traffic

    def processes(self) -> frozenset[int]:
        """All that run now, but for those that have ended and were not waited for."""
        below = keeper.descendants(self._keeper.pid)
        return frozenset(pid for pid in below if keeper.stat_of(pid)[:1] not in ([], ["Z"], ["X"]))

    def pause(self, lasting: Collection[int]) -> bool:
        """Stop all of it until `go_on`, and end what is not of `lasting`; whether that can be done.

        Until then nothing that an agent left there changes its files under the hands of memarena.
        """
        until = monotonic() + keeper.PATIENCE
        while True:
            running = self.processes()
            others = running.difference(lasting)
            self._signal(running, signal.SIGSTOP)
            self._signal(others, signal.SIGKILL)
            if not others or monotonic() > until:
                return not others

    def go_on(self) -> None:
        """Go on where it was stopped."""
        self._signal(self.processes(), signal.SIGCONT)

    def _signal(self, processes: Iterable[int], number: int) -> None:
        for pid in processes:
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, number)

    def fileno(self) -> int:
        """A descriptor that can be read once it has ended."""
        return self._control.fileno()

    def stop(self) -> None:
        """Have all of it ended; `end` waits for that, and says how it was."""
        self._control.shutdown(socket.SHUT_WR)

    def wait(self, seconds: float) -> bool:
        """Whether it has ended within `seconds`."""
        last = select.poll()
        last.register(self, select.POLLIN)
        return bool(last.poll(max(0.0, seconds) * 1000))

    def broken_limit(self) -> Broken:
        """The limit that it is over now."""
        if monotonic() > self._until:
            return "time"
        if self._pump is not None and self._pump.traffic.failed_in_row >= self.limits.refusals:
            return "refusals"
        used = used_by(self._keeper.pid, self._root.folder, self.limits.disk_bytes)
        if used.processes > self.limits.processes:
            return "processes"
        if used.memory_bytes > self.limits.memory_bytes:
            return "memory"
        return "disk" if used.disk_bytes > self.limits.disk_bytes else ""

    def watch(self) -> Ended:
        """Wait until it ends or goes over a limit; then nothing of it is left."""
        while not self.wait(min(TICK, self._until - monotonic())):
            broke = self.broken_limit()
            if broke:
                return self.end(broke)
        enough = self.limits.disk_bytes
        return self.end("disk" if on_disk(str(self._root.folder), enough) > enough else "")

    def end(self, broke: Broken = "") -> Ended:
        """End it now, if it still runs. To be called once."""
        try:
            self.stop()
            status = self._last_words()
        finally:
            if self._pump is not None:
                self._pump.close()
            self._launching.close()
        output = self._written()
        traffic = self._pump.traffic if self._pump is not None else None
        if status is None:
            return Ended(broke=broke, output=output, said="the process that keeps it was killed")
        return Ended(
            exit=status.exit,
            signal=status.signal,
            broke=broke,
            output=output,
            said=(status.problem or status.tail).strip()[-TAIL:],
            seconds=perf_counter() - self._started,
            cpu_seconds=status.cpu_seconds,
            peak_bytes=status.peak_bytes,
            left=len(status.left),
            requests=traffic.requests if traffic else None,
            pictures=traffic.pictures if traffic else None,
            refused=traffic.failure() if traffic else None,
        )

    def _written(self) -> bytes:
        """The end of what it wrote to standard output."""
        with self._output as stream:
            size = stream.seek(0, os.SEEK_END)
            stream.seek(max(0, size - LARGEST))
            return stream.read()

    def _last_words(self) -> _Status | None:
        said = b""
        self._control.settimeout(keeper.PATIENCE + 5)
        with self._control:
            try:
                while data := self._control.recv(1 << 16):
                    said += data
            except OSError:
                self._keeper.kill()
        self._keeper.wait()
        return msgspec.json.decode(said, type=_Status) if said.endswith(b"\n") else None


def _marker() -> dict[str, str]:
    """The mark by which a hosted adapter's processes are found; in a jail of its own a program ends with its parent."""
    return {MARKER: os.environ[MARKER]} if MARKER in os.environ else {}


def run(command: Sequence[str], stdin: bytes = b"", **held: Unpack[Held]) -> Ended:
    """Run a program to its end, with `stdin` as its input."""
    process = Process(command, stdin=stdin, **held)
    try:
        return process.watch()
    except BaseException:
        process.end()
        raise
