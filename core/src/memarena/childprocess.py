"""A program under a keeper, which is asked lines, and which ends with everything that it started."""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import uuid
import weakref
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from time import monotonic

import msgspec

from memarena import keeper
from memarena.codec import storing
from memarena.linepipe import LINE_BYTES, LinePipe
from memarena.processes import MARKER, Used, end_marked, used_below
from memarena.records import Record

LOG_BYTES = 1 << 20
"""Bytes of output that a log file takes."""
GRACE = 5.0
"""Seconds that a program gets to end by itself once its input has ended."""


class ProcessEnded(Exception):
    """The program is not there any more; the message says how it ended."""


class TimeLimit(ProcessEnded):
    """The program was killed because an answer took too long."""


class MemoryLimit(ProcessEnded):
    """The program was killed because its processes together held too much memory."""


class _Status(Record, frozen=True, kw_only=True):
    """What a keeper says when all has ended."""

    exit: int | None = None
    signal: int | None = None
    memory: int | None = None
    problem: str = ""
    tail: str = ""
    cpu_seconds: float = 0.0
    peak_bytes: int = 0


class ChildProcess:
    """A running program that answers lines with lines.

    Its log takes what it writes to standard error, up to `LOG_BYTES`. It all ends with `close`, `kill`, when this
    object is collected, or with this process, however that ends. Raises StoreError where the log cannot be written.
    """

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], *, log: Path | None = None, memory_bytes: int = 0
    ) -> None:
        self.marker = uuid.uuid4().hex
        self._log = log
        self._memory_bytes = memory_bytes
        self._lock = threading.Lock()
        self._ended: ProcessEnded | None = None
        self._killed = False
        self._used = Used(0.0, 0)
        if log is not None:
            with storing(log):
                log.parent.mkdir(parents=True, exist_ok=True)
                log.open("ab").close()
        self._scratch = tempfile.mkdtemp(prefix="memarena-host-")
        self._control, theirs = socket.socketpair()
        request, send = os.pipe()
        receive, reply = os.pipe()
        self._lines = LinePipe(send, receive, self._control.fileno())
        try:
            self._keeper = self._start(command, environment, theirs.fileno(), request, reply)
        finally:
            theirs.close()
            os.close(request)
            os.close(reply)
        self._abandon = weakref.finalize(self, _abandon, os.getpid(), self._control, self._keeper, self._lines)

    def _start(
        self, command: Sequence[str], environment: Mapping[str, str], control: int, request: int, reply: int
    ) -> subprocess.Popen[bytes]:
        settings = {
            "log": None if self._log is None else str(self._log.resolve()),
            "log_bytes": LOG_BYTES,
            "memory_bytes": self._memory_bytes,
            "scratch": self._scratch,
        }
        kept = [keeper.__file__, str(control), msgspec.json.encode(settings).decode(), *command]
        return subprocess.Popen(
            [sys.executable, "-I", "-S", *kept],
            stdin=request,
            stdout=reply,
            pass_fds=(control,),
            cwd=self._scratch,
            env={**environment, "HOME": self._scratch, "TMPDIR": self._scratch, MARKER: self.marker},
            start_new_session=True,
        )

    def ask(self, line: bytes, seconds: float, is_answer: Callable[[bytes], bool]) -> bytes:
        """Send `line` and return the first line for which `is_answer` holds; others go to the log.

        Raises ProcessEnded, also in every later call: TimeLimit after `seconds` (0: never), MemoryLimit, or how else
        the program ended.
        """
        with self._lock:
            if self._ended is not None:
                raise type(self._ended)(str(self._ended))
            until = monotonic() + seconds if seconds else None
            try:
                self._lines.send(line, until)
                while not is_answer(found := self._lines.receive(until)):
                    self._control.sendall(b"[not an answer] " + found[:1000] + b"\n")
            except TimeoutError:
                raise self._end(TimeLimit(f"no answer within {seconds:g} s; its processes were killed")) from None
            except OverflowError:
                too_long = f"it wrote a line of more than {LINE_BYTES >> 20} MiB; its processes were killed"
                raise self._end(ProcessEnded(too_long)) from None
            except (EOFError, BrokenPipeError):
                raise self._end(None) from None
            except BaseException:
                self._end(ProcessEnded("a call was broken off; its processes were killed"))
                raise
            return found

    def used(self) -> Used:
        """What the program and all that it started have used so far."""
        if self._ended is None:
            found = used_below(self._keeper.pid)
            self._used = Used(found.cpu_seconds, max(found.peak_bytes, self._used.peak_bytes))
        return self._used

    def close(self) -> None:
        """Let the program end by itself, then end what is left. A second call does nothing."""
        with self._lock:
            if self._ended is None:
                self._lines.hang_up()
                self._wait(GRACE)
                self._end(ProcessEnded("it was closed"))

    def kill(self) -> None:
        """End the program and all that it started at once; a call that another thread waits for fails."""
        self._killed = True
        if self._ended is None:
            _hang_up(self._control)
        with self._lock:
            if self._ended is None:
                self._end(None)

    def _wait(self, seconds: float) -> bool:
        """Whether the keeper has its last word within `seconds`."""
        last = select.poll()
        last.register(self._control, select.POLLIN)
        return bool(last.poll(seconds * 1000))

    def _end(self, reason: ProcessEnded | None) -> ProcessEnded:
        """End all processes and give the reason: `reason`, or what the keeper says. Every later call fails so."""
        if reason is None and not self._wait(GRACE):
            reason = ProcessEnded("it closed its side of the protocol; its processes were killed")
        _hang_up(self._control)
        self._abandon.detach()
        status = self._last_words()
        self._lines.close()
        if status is None:
            end_marked(self.marker)
            shutil.rmtree(self._scratch, ignore_errors=True)
        else:
            self._used = Used(status.cpu_seconds, max(status.peak_bytes, self._used.peak_bytes))
        self._ended = reason or self._why(status)
        return self._ended

    def _last_words(self) -> _Status | None:
        """What the keeper says at its end; None where it was killed or does not come to an end."""
        said = b""
        self._control.settimeout(GRACE + keeper.PATIENCE)
        with self._control:
            try:
                while data := self._control.recv(1 << 16):
                    said += data
            except OSError:  # the time is over, or the keeper was killed with something unread
                self._keeper.kill()
        self._keeper.wait()
        return msgspec.json.decode(said, type=_Status) if said.endswith(b"\n") else None

    def _why(self, status: _Status | None) -> ProcessEnded:
        if status is None:
            return ProcessEnded("the process that keeps it was killed, and it with that")
        if status.memory is not None:
            used, limit = status.memory >> 20, self._memory_bytes >> 20
            return MemoryLimit(f"its processes held {used} MiB, over the limit of {limit} MiB; they were killed")
        if status.problem:
            return ProcessEnded(f"it cannot be started: {status.problem}")
        if self._killed:
            return ProcessEnded("its processes were killed")
        if status.signal is not None:
            what = f"its process was killed by signal {status.signal} ({_signal_name(status.signal)})"
        else:
            what = f"its process ended with exit code {status.exit}"
        lines = [line.strip() for line in status.tail.splitlines() if line.strip()]
        said = f"; the end of its output: {lines[-1][-300:]}" if lines else ""
        place = f"; see {self._log}" if self._log is not None and lines else ""
        return ProcessEnded(what + said + place)


def _hang_up(control: socket.socket) -> None:
    """Tell the keeper to end everything."""
    try:
        control.shutdown(socket.SHUT_WR)
    except OSError:  # it has ended already
        return


def _abandon(owner: int, control: socket.socket, kept: subprocess.Popen[bytes], lines: LinePipe) -> None:
    """End a program that nobody closed; not in a copy of this process that was forked."""
    if os.getpid() == owner:
        _hang_up(control)
        kept.wait()
        control.close()
        lines.close()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return "unknown"
