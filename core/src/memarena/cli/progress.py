"""Progress of a run: bars on a terminal, plain lines elsewhere. Everything goes to stderr."""

from __future__ import annotations

import sys
import threading
import time
from types import TracebackType
from typing import Any, Self

EVERY = 5.0
"""Seconds between two plain lines of one phase."""


def progress(*, quiet: bool = False) -> Plain | Bars:
    """Bars where stderr is a terminal, else plain lines."""
    return Bars() if sys.stderr.isatty() and not quiet else Plain(quiet=quiet)


class Plain:
    """One line when a phase begins and ends, and one every few seconds."""

    def __init__(self, *, quiet: bool = False) -> None:
        self._quiet = quiet
        self._lock = threading.Lock()
        self._name, self._total, self._done = "", 0, 0
        self._start = self._told = time.monotonic()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._end()

    def phase(self, name: str, total: int) -> None:
        self._end()
        with self._lock:
            self._name, self._total, self._done = name, total, 0
            self._start = self._told = time.monotonic()

    def step(self, what: str, *, wait: bool = False) -> None:
        with self._lock:
            self._done += not wait
            now = time.monotonic()
            if now - self._told < EVERY:
                return
            self._told = now
            rate = self._done / max(now - self._start, 1e-9)
            line = f"{self._name}: {self._done} of {self._total}, {rate:.1f}/s, at {what}"
        self._say(line)

    def note(self, text: str) -> None:
        self._say(text)

    def _end(self) -> None:
        if self._name:
            self._say(f"{self._name}: {self._done} of {self._total} in {time.monotonic() - self._start:.1f} s")
            self._name = ""

    def _say(self, line: str) -> None:
        if not self._quiet:
            print(line, file=sys.stderr, flush=True)  # noqa: T201


class Bars:
    """A bar a phase: how many of how many, the rate, the time left, and what is being waited for."""

    def __init__(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

        self._bars = Progress(
            TextColumn("[bold]{task.description:<8}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[rate]}"),
            TimeRemainingColumn(compact=True),
            TextColumn("[dim]{task.fields[at]}"),
            console=Console(stderr=True),
        )
        self._task: Any = None

    def __enter__(self) -> Self:
        self._bars.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bars.stop()

    def phase(self, name: str, total: int) -> None:
        self._task = self._bars.add_task(name, total=total, at="", rate="")

    def step(self, what: str, *, wait: bool = False) -> None:
        speed = self._bars.tasks[self._task].speed
        self._bars.update(self._task, advance=0 if wait else 1, at=what, rate=f"{speed:.1f}/s" if speed else "")

    def note(self, text: str) -> None:
        self._bars.console.print(text, markup=False, highlight=False)
