"""What a system uses: processor time, memory, disk, and how its store grows with each session."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Sequence
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import replace

from memarena import codec
from memarena.hookspecs import hookimpl
from memarena.hosted import HostedAdapter
from memarena.processes import Used, used_here
from memarena.records import MemoryItem, Record, RunContext
from memarena.rig import Rig

FILE = "resources.json"


class SessionUse(Record, frozen=True, kw_only=True):
    """What had been used, and was kept, after one session; what a session added is the difference to the one before."""

    session_id: str
    cpu_seconds: float
    """Processor time since `reset`, of all cores together."""
    peak_bytes: int
    """Memory, the highest value up to now."""
    disk_bytes: int
    """Files of the private folder."""
    items: int | None = None
    """Items that are kept; None where the state is not visible."""
    text_bytes: int | None = None
    """Their texts, in UTF-8."""


class ResourceUse(Record, frozen=True, kw_only=True):
    """What one cell used, session by session."""

    scope: Literal["own processes", "whole process"]
    """`own processes`: the adapter's alone. `whole process`: it runs inside of memarena's, so everything that goes on
    there is counted too, cells beside it included."""
    sessions: tuple[SessionUse, ...] = ()


class Resources:
    """Measures after each session, outside of all timers."""

    layer = 5

    def __init__(self) -> None:
        self._used: Callable[[], Used] = used_here
        self._scope: Literal["own processes", "whole process"] = "whole process"
        self._at_reset = 0.0
        self._folder = ""
        self._sessions: list[SessionUse] = []

    def attach(self, rig: Rig) -> None:
        if isinstance(rig.adapter, HostedAdapter):
            self._used, self._scope = rig.adapter.used, "own processes"

    @property
    def readings(self) -> ResourceUse:
        """What was measured so far."""
        return ResourceUse(scope=self._scope, sessions=tuple(self._sessions))

    def write(self, folder: Path) -> None:
        """Write the readings to `resources.json` in the folder of a cell."""
        codec.write_whole(folder / FILE, codec.encode(self.readings))

    @hookimpl(wrapper=True)
    def reset(self, context: RunContext) -> Generator[None, Any, Any]:
        self._folder, self._sessions = context.folder, []
        self._at_reset = self._used().cpu_seconds
        return (yield)

    @hookimpl(wrapper=True)
    def end_session(self, session_id: str) -> Generator[None, Any, Any]:
        result = yield
        used = self._used()
        self._sessions.append(
            SessionUse(
                session_id=session_id,
                cpu_seconds=used.cpu_seconds - self._at_reset,
                peak_bytes=used.peak_bytes,
                disk_bytes=disk_bytes(self._folder),
            )
        )
        return result

    @hookimpl(wrapper=True)
    def snapshot_memories(self) -> Generator[None, Any, Any]:
        found: Sequence[MemoryItem] = yield
        is_first = bool(self._sessions) and self._sessions[-1].items is None
        if is_first and isinstance(found, list | tuple) and all(isinstance(item, MemoryItem) for item in found):
            texts = sum(len(item.text.encode("utf-8", "replace")) for item in found)
            self._sessions[-1] = replace(self._sessions[-1], items=len(found), text_bytes=texts)
        return found


def disk_bytes(folder: str) -> int:
    """Bytes of all files below `folder`; one that vanishes meanwhile does not count."""
    total, waiting = 0, [folder]
    while waiting:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
                    else:
                        total += entry.stat(follow_symlinks=False).st_size
        except FileNotFoundError:
            continue
    return total
