"""What a person at a terminal types, and what is shown to them."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["line_reader", "say"]


def line_reader(console: Console, source: TextIO | None) -> Callable[[str], str]:
    """Asks for a line with a prompt; raises EOFError at the end of the input.

    By default from the standard input. At a keyboard a line can be edited and called back; the lines of a file or a
    pipe are shown as if typed.
    """
    stream = sys.stdin if source is None else source

    def from_stream(prompt: str) -> str:
        line = stream.readline()
        if not line:
            raise EOFError
        say(console, f"{prompt}{line.rstrip()}")
        return line

    def from_keyboard(prompt: str) -> str:
        with contextlib.suppress(ImportError):  # it is not on every platform
            import readline  # noqa: F401
        return input(prompt)

    return from_keyboard if stream is sys.stdin and stream.isatty() else from_stream


def say(console: Console, text: str, style: str = "") -> None:
    """Print `text` as it is: what it holds is no markup."""
    console.print(text, style=style or None, markup=False, highlight=False)
