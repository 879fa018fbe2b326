"""A program in its jail that is started once, asked lines, and answers lines."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Mapping, Sequence
from time import monotonic
from typing import Unpack

from memarena.childprocess import GRACE, ProcessEnded, TimeLimit
from memarena.linepipe import LINE_BYTES, LinePipe
from memarena_harness.limits import Broken, Ended, Limits
from memarena_harness.running import TICK, Held, Process

TAIL = 300
"""Characters of its last line that a failure repeats."""


class LineProgram:
    """Runs from its making to `close`, as a `Process` does, or until it is over one of its limits.

    Whoever asks limits the time of each answer: where no limits are given, it may run for any time.
    """

    def __init__(self, command: Sequence[str], **held: Unpack[Held]) -> None:
        held["limits"] = self._limits = held.get("limits") or Limits(seconds=math.inf)
        self._broke: Broken = ""
        self._ended: ProcessEnded | None = None
        request, send = os.pipe()
        receive, reply = os.pipe()
        try:
            self._process = Process(command, streams=(request, reply), **held)
        except BaseException:
            os.close(send)
            os.close(receive)
            raise
        finally:
            os.close(request)
            os.close(reply)
        self._lines = LinePipe(send, receive, self._process.fileno())
        self._watcher = threading.Thread(target=self._watch, name="memarena-lines", daemon=True)
        self._watcher.start()

    def ask(self, line: bytes, seconds: float = 0.0) -> bytes:
        """Send `line` and return the next one. Raises ProcessEnded, also in every later call: TimeLimit after `seconds`
        (0: never), or how else the program ended.
        """
        if self._ended is not None:
            raise type(self._ended)(str(self._ended))
        until = monotonic() + seconds if seconds else None
        try:
            self._lines.send(line, until)
            return self._lines.receive(until)
        except TimeoutError:
            raise self._end(TimeLimit(f"no answer within {seconds:g} s; its processes were killed")) from None
        except OverflowError:
            too_long = f"it wrote a line of more than {LINE_BYTES >> 20} MiB; its processes were killed"
            raise self._end(ProcessEnded(too_long)) from None
        except EOFError:
            closed = ProcessEnded("it closed its side of the protocol; its processes were killed")
            raise self._end(None if self._broke or self._process.wait(GRACE) else closed) from None
        except BaseException:
            self._end(ProcessEnded("a call was broken off; its processes were killed"))
            raise

    def close(self) -> None:
        """Let it end by itself, then end what is left of it. A second call does nothing."""
        if self._ended is None:
            self._lines.hang_up()
            self._process.wait(GRACE)
            self._end(ProcessEnded("it was closed"))

    def _watch(self) -> None:
        """Stop it where it is over a limit; it may be while nobody asks."""
        while not self._process.wait(TICK):
            self._broke = self._process.broken_limit()
            if self._broke:
                self._process.stop()
                return

    def _end(self, reason: ProcessEnded | None) -> ProcessEnded:
        """End it all and give the reason: `reason`, or how the program ended."""
        self._process.stop()
        self._watcher.join()
        ended = self._process.end(self._broke)
        self._lines.close()
        self._ended = reason or ProcessEnded(self._why(ended))
        return self._ended

    def _why(self, ended: Ended) -> str:
        limits = self._limits
        over: Mapping[Broken, str] = {
            "time": f"it ran for more than {limits.seconds:g} s",
            "memory": f"its processes held more than {limits.memory_bytes >> 20} MiB",
            "disk": f"its files took more than {limits.disk_bytes >> 20} MiB",
            "processes": f"it had more than {limits.processes} processes",
            "refusals": f"its model failed {limits.refusals} times, one after the other",
        }
        if ended.broke:
            return f"{over[ended.broke]}; its processes were killed"
        lines = [line.strip() for line in ended.said.splitlines() if line.strip()]
        said = f"; the end of its output: {lines[-1][-TAIL:]}" if lines else ""
        how = f"ended with exit code {ended.exit}" if ended.exit is not None else f"was killed by signal {ended.signal}"
        return f"its process {how}{said}"
