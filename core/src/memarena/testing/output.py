"""Everything that a piece of code writes to stdout and stderr, by whichever way."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Output:
    """What was written; filled when the block ends."""

    text: str = ""


@contextmanager
def captured(folder: Path) -> Iterator[Output]:
    """Capture both streams at their file descriptors (so also of C code and child processes) and as Python objects."""
    output = Output()
    target = folder / "output.txt"
    _flush()
    with target.open("w", encoding="utf-8", errors="backslashreplace") as stream:
        saved = os.dup(1), os.dup(2)
        try:
            os.dup2(stream.fileno(), 1)
            os.dup2(stream.fileno(), 2)
            with redirect_stdout(stream), redirect_stderr(stream):
                yield output
        finally:
            stream.flush()
            _flush()
            for number, copy in zip((1, 2), saved, strict=True):
                os.dup2(copy, number)
                os.close(copy)
    output.text = target.read_text(encoding="utf-8", errors="replace")


def _flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
