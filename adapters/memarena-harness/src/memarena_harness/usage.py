"""How much an agent uses just now: processes, files below its root, and files that it keeps in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from memarena import keeper
from memarena.instruments.resources import disk_bytes

_WRITABLE = ("", "tmp", "dev/shm", "run", "var/tmp", "home")
"""Where a sandbox within the jail may have mounted memory."""


class Using(NamedTuple):
    """What is used now."""

    processes: int
    disk_bytes: int


def used_by(process: int, folder: Path) -> Using:
    """What the processes below `process` use, and the files in `folder`."""
    below = keeper.descendants(process)
    return Using(len(below), disk_bytes(str(folder)) + _in_memory(below))


def _in_memory(processes: Iterable[int]) -> int:
    """Bytes of files in memory, in mounts that are not this process's own; each mount counts once."""
    own = {_device(Path("/", name)) for name in _WRITABLE}
    seen: dict[int, int] = {}
    for process in processes:
        for name in _WRITABLE:
            place = Path(f"/proc/{process}/root", name)
            device = _device(place)
            if device and device not in own and device not in seen:
                seen[device] = _filled(place)
    return sum(seen.values())


def _device(place: Path) -> int:
    try:
        return place.stat().st_dev
    except OSError:  # it is not there, or the process is gone
        return 0


def _filled(place: Path) -> int:
    """Bytes used in a mount that has no disk below it (its device has the major number 0), else 0: that is counted
    by its files."""
    try:
        if os.major(place.stat().st_dev):
            return 0
        found = os.statvfs(place)
    except OSError:
        return 0
    return (found.f_blocks - found.f_bfree) * found.f_frsize
