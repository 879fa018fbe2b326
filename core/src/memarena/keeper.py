"""Keeps one program and everything that it starts, and ends all of it together.

Run as a script with the standard library alone, so that it starts at once and outlives whoever is killed:

    python -I -S keeper.py CONTROL SETTINGS PROGRAM ARGUMENT...

`CONTROL` is the number of a connected socket. What comes in on it is written to the log; its end, the end of the
process that started the keeper, or the end of the program ends everything. Then one JSON line goes out on it: how the
program ended (`exit`, `signal`, `memory`, `problem`), the end of its output (`tail`), and what its processes used.

The program gets the keeper's standard input and output, and a pipe to the log as its standard error. Orphans become
children of the keeper (Linux), so that a daemon is found whatever it did to its group, session and environment.
"""

from __future__ import annotations

import ctypes
import json
import os
import resource
import select
import signal
import sys
import time
from contextlib import suppress
from typing import Any, NoReturn

TICK = 1.0
"""Seconds between two looks at whether the starter still lives."""
MEMORY_TICK = 0.1
"""Seconds between two looks at the memory in use, where it is limited."""
PATIENCE = 10.0
"""Seconds that killed processes get to vanish."""
TAIL = 4096
"""Bytes of output that are handed back."""

_SET_PARENT_DEATH_SIGNAL, _SET_CHILD_SUBREAPER = 1, 36
_LINUX = sys.platform == "linux"
_PAGE = resource.getpagesize()


class Log:
    """The output of a program: the first `room` bytes in a file, and the newest in memory."""

    def __init__(self, path: str | None, room: int) -> None:
        flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND
        self._file = None if path is None else os.open(path, flags, 0o644)
        self._room = room
        self._left_out = 0
        self.tail = b""

    def write(self, data: bytes) -> None:
        """Take in output."""
        self.tail = (self.tail + data)[-TAIL:]
        kept = data[: self._room]
        self._room -= len(kept)
        self._left_out += len(data) - len(kept)
        self._append(kept)

    def close(self) -> None:
        """Write the newest output where some was left out."""
        if self._left_out:
            self._append(b"\n[%d bytes are left out here; the newest follow]\n" % self._left_out + self.tail)

    def _append(self, data: bytes) -> None:
        if self._file is None or not data:
            return
        try:
            os.write(self._file, data)
        except OSError:  # a full disk must not end the program: the newest output is still handed back
            self._file = None


class Keeper:
    """One program under watch."""

    def __init__(self, control: int, settings: dict[str, Any], command: list[str]) -> None:
        self._control = control
        self._memory: int = settings["memory_bytes"]
        self._log = Log(settings["log"], settings["log_bytes"])
        self._starter = os.getppid()
        self._asked = False
        self._state: int | None = None
        self.status: dict[str, Any] = {"exit": None, "signal": None, "memory": None, "problem": ""}
        self._wake = wake_on_signals()
        self._output, output = os.pipe()
        self._pid, self.status["problem"] = start(command, output)
        os.close(output)
        leave_standard_streams()

    def watch(self) -> None:
        """Return when the program has ended, used too much, or is to be ended."""
        poller = select.poll()
        for watched in (self._control, self._output, self._wake):
            poller.register(watched, select.POLLIN)
        tick = MEMORY_TICK if self._memory else TICK
        while True:
            for ready, _ in poller.poll(tick * 1000):
                if ready == self._wake:
                    self._asked |= any(number != signal.SIGCHLD for number in os.read(ready, 512))
                elif not self._take(ready):
                    poller.unregister(ready)
            self._reap()
            if self._state is not None or self._asked or os.getppid() != self._starter:
                return
            if self._memory:
                used = sum(map(resident, descendants(os.getpid())))
                if used > self._memory:
                    self.status["memory"] = used
                    return

    def end(self) -> None:
        """End whatever is left, then say what became of the program."""
        left = self._kill_all()
        os.set_blocking(self._output, False)
        while self._read(self._output):
            pass
        self._log.close()
        if self._state is not None:
            ended = os.waitstatus_to_exitcode(self._state)
            self.status["signal" if ended < 0 else "exit"] = abs(ended)
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        self.status.update(
            tail=self._log.tail.decode("utf-8", "replace"),
            left=left,
            cpu_seconds=used.ru_utime + used.ru_stime,
            peak_bytes=used.ru_maxrss * (1024 if _LINUX else 1),
        )
        with suppress(OSError):  # nobody may be there any more to be told
            os.write(self._control, json.dumps(self.status).encode() + b"\n")

    def _take(self, ready: int) -> bool:
        data = self._read(ready)
        if ready == self._control and not data:
            self._asked = True
        return data

    def _read(self, source: int) -> bool:
        try:
            data = os.read(source, 1 << 16)
        except OSError:  # nothing there now, or the other end is gone
            return False
        self._log.write(data)
        return bool(data)

    def _reap(self) -> None:
        """Take note of every child that has ended."""
        while True:
            try:
                pid, state = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return
            if pid == 0:
                return
            if pid == self._pid:
                self._state = state

    def _kill_all(self) -> list[int]:
        """Kill all descendants until none is left; the ids of those that do not vanish."""
        until = time.monotonic() + PATIENCE
        while True:
            if self._pid:
                kill(-self._pid)
            found = descendants(os.getpid())
            for pid in found:
                kill(pid)
            self._reap()
            if not found or time.monotonic() > until:
                return found
            time.sleep(0.002)


def start(command: list[str], output: int) -> tuple[int, str]:
    """Start the program in a session of its own: its process id and "", or 0 and why it cannot be started."""
    libc = ctypes.CDLL(None)
    if _LINUX:
        libc.prctl(_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    keeper = os.getpid()
    told, tell = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.setsid()
            if _LINUX:
                libc.prctl(_SET_PARENT_DEATH_SIGNAL, signal.SIGKILL, 0, 0, 0)
            if os.getppid() == keeper:
                os.dup2(output, 2)
                resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
                signal.signal(signal.SIGPIPE, signal.SIG_DFL)
                os.execvp(command[0], command)
        except BaseException as error:
            os.write(tell, str(error).encode())
        finally:
            os._exit(127)
    os.close(tell)
    problem = os.read(told, 4096).decode("utf-8", "replace")
    return (0, problem) if problem else (pid, "")


def leave_standard_streams() -> None:
    """Only the program holds its standard input and output from now on."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):
        os.dup2(nothing, stream)


def wake_on_signals() -> int:
    """A descriptor on which the number of each signal arrives: a child has ended, or the keeper is to end."""
    wake, awake = os.pipe()
    os.set_blocking(awake, False)
    signal.set_wakeup_fd(awake, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda number, frame: None)
    return wake


def kill(pid: int) -> None:
    """Send SIGKILL to a process, or to the group `-pid`, where it is still there."""
    with suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)


def descendants(root: int) -> list[int]:
    """The processes below `root`, parents before children; empty where there is no /proc."""
    children: dict[int, list[int]] = {}
    for name in os.listdir("/proc") if os.path.isdir("/proc/self") else ():  # noqa: PTH112, PTH208
        if name.isdigit():
            fields = stat_of(int(name))
            if fields:
                children.setdefault(int(fields[1]), []).append(int(name))
    found = list(children.get(root, ()))
    for pid in found:
        found.extend(children.get(pid, ()))
    return found


def stat_of(pid: int) -> list[str]:
    """The fields of /proc/PID/stat behind the name: state, parent, ...; empty where the process is gone."""
    try:
        with open(f"/proc/{pid}/stat", encoding="utf-8", errors="replace") as stream:  # noqa: PTH123
            return stream.read().rpartition(")")[2].split()
    except OSError:
        return []


def resident(pid: int) -> int:
    """Bytes of memory that a process holds now; 0 where it is gone."""
    fields = stat_of(pid)
    return int(fields[21]) * _PAGE if fields else 0


def main(control: str, settings: str, *command: str) -> NoReturn:
    os.set_inheritable(int(control), False)
    keeper = Keeper(int(control), json.loads(settings), list(command))
    if not keeper.status["problem"]:
        keeper.watch()
    keeper.end()
    scratch = json.loads(settings)["scratch"]
    if scratch:
        from shutil import rmtree

        rmtree(scratch, ignore_errors=True)
    sys.exit(0)


if __name__ == "__main__":
    main(*sys.argv[1:])
