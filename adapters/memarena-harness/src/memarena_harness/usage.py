"""How much an agent uses just now: processes, memory, files below its root, and files that it keeps in memory."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from memarena import keeper

SMALLEST = 4096
"""Bytes that each file, folder or link counts at least: a disk is filled by many empty ones as well."""
_WRITABLE = ("", "tmp", "dev/shm", "run", "var/tmp", "home")
"""Where a sandbox within the jail may have mounted memory."""


class Using(NamedTuple):
    """What is used now."""

    processes: int
    memory_bytes: int
    disk_bytes: int


def used_by(process: int, folder: Path, enough: int) -> Using:
    """What the processes below `process` use, and the files in `folder`; counted up to `enough` bytes."""
    below = keeper.descendants(process)
    return Using(len(below), sum(map(keeper.resident, below)), on_disk(str(folder), enough) + _in_memory(below))


def on_disk(folder: str, enough: int) -> int:
    """Bytes of all that is in `folder`; once there is more than `enough`, no more is counted.

    What cannot be listed, as its path is too long, counts as too much.
    """
    total, waiting = 0, [folder]
    while waiting and total <= enough:
        try:
            with os.scandir(waiting.pop()) as entries:
                for entry in entries:
                    total += max(SMALLEST, entry.stat(follow_symlinks=False).st_size)
                    if total > enough:
                        break
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append(entry.path)
        except (FileNotFoundError, PermissionError):  # it vanished, or the agent closed it
            continue
        except OSError:
            return enough + 1
    return total


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
