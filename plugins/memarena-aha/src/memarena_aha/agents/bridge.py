"""Turns an agent that calls tools by itself into one that is asked for each action.

The agent calls tools of a server of the Model Context Protocol; each call waits here until the episode has answered it.
"""

from __future__ import annotations

import os
import queue
import socket
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TextIO

from memarena_aha.mcp.desk import OVER

__all__ = ["Bridge", "BridgeDesk"]

_SOCKET = "world.sock"


class BridgeDesk:
    """A desk whose calls are answered by somebody else: `taken` gives the next call, `answer` lets it return."""

    def __init__(self, briefing: str, tools: Sequence[Mapping[str, Any]]) -> None:
        self._briefing = briefing
        self._tools = tools
        self._calls: queue.SimpleQueue[Mapping[str, Any] | None] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[str] = queue.SimpleQueue()
        self._over = False

    def briefing(self) -> str:
        return self._briefing

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return self._tools

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        if self._over:
            return OVER
        self._calls.put({"tool": name, "args": dict(arguments)})
        return self._answers.get()

    def taken(self, seconds: float | None = None) -> Mapping[str, Any] | None:
        """The next call; None once nobody is there who could make one. Raises queue.Empty after `seconds`."""
        return self._calls.get(timeout=seconds)

    def answer(self, text: str, tools: Sequence[Mapping[str, Any]]) -> None:
        """Let the call that waits return with this text."""
        self._tools = tools
        self._answers.put(text)

    def leave(self) -> None:
        """Say that the player has gone: `taken` returns."""
        self._calls.put(None)

    def end(self) -> None:
        """The episode is over: a call that waits returns, and later ones do nothing."""
        self._over = True
        self._answers.put(OVER)


class Bridge:
    """The server of a desk on a socket in `folder`, for one client after the other, until `close`."""

    def __init__(self, desk: BridgeDesk, folder: Path) -> None:
        self._desk = desk
        self._listener = socket.socket(socket.AF_UNIX)
        here = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:  # a path of a socket may be 107 bytes long, a folder of a run is longer
            self._listener.bind(f"/proc/self/fd/{here}/{_SOCKET}")
        finally:
            os.close(here)
        self._listener.listen(4)
        self._links: list[socket.socket] = []
        self._closed = threading.Event()
        threading.Thread(target=self._accept, name="memarena-bridge", daemon=True).start()

    @staticmethod
    def place(folder: Path) -> Path:
        """The socket, in the folder as its client sees it."""
        return folder / _SOCKET

    def close(self) -> None:
        """Hang up on everybody."""
        self._closed.set()
        for one in (self._listener, *self._links):
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:  # it was never connected, or is gone
                continue
        self._listener.close()

    def _accept(self) -> None:
        while not self._closed.is_set():
            try:
                link, _ = self._listener.accept()
            except OSError:
                return
            self._links.append(link)
            if self._closed.is_set():  # `close` may have passed by before this link was there
                link.close()
                return
            threading.Thread(target=self._serve, args=(link,), name="memarena-bridge-client", daemon=True).start()

    def _serve(self, link: socket.socket) -> None:
        import anyio

        from memarena_aha.mcp.server import run

        reader: TextIO = link.makefile("r", encoding="utf-8", errors="replace", newline="\n")
        writer: TextIO = link.makefile("w", encoding="utf-8", newline="\n")
        try:
            anyio.run(run, self._desk, reader, writer)
        except (OSError, ValueError, ExceptionGroup):  # the client has hung up in the middle of something
            return
        finally:
            link.close()
