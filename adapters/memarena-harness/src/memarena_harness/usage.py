"""How much an agent uses just now: processes, memory, files below its root, and files that no folder of it shows."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from memarena import keeper

SMALLEST = 4096
"""Bytes that each file, folder or link counts at least: a disk is filled by many empty ones as well."""
_KINDS = ("tmpfs", "ramfs")
"""File systems without a disk that an agent can mount, in a sandbox within the jail or in one that it makes itself."""
_BLOCK = 512
_ESCAPED = re.compile(rb"\\([0-7]{3})")


class Using(NamedTuple):
    """What is used now."""

    processes: int
    memory_bytes: int
    disk_bytes: int


def used_by(process: int, folder: Path, enough: int) -> Using:
    """What the processes below `process` use, and the files in `folder`; counted up to `enough` bytes."""
    below = keeper.descendants(process)
    files = on_disk(str(folder), enough) + _in_memory(below, enough) + _without_name(below)
    return Using(len(below), sum(map(keeper.resident, below)), files)


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


def _in_memory(processes: Iterable[int], enough: int) -> int:
    """Bytes of files in memory, in mounts that are not this process's own; each mount counts once."""
    seen = {mount.device for mount in _mounts("self")}
    spaces: set[int] = set()
    total = 0
    for process in processes:
        space = _identity(f"/proc/{process}/ns/mnt")
        if space in spaces:
            continue
        spaces.add(space)
        for mount in _mounts(str(process)):
            if mount.kind in _KINDS and mount.device not in seen:
                seen.add(mount.device)
                total += _filled(mount, f"/proc/{process}/root{mount.place}", enough)
    return total


class _Mount(NamedTuple):
    device: str
    place: str
    kind: str


def _mounts(process: str) -> list[_Mount]:
    """What a process has mounted (`man 5 proc_pid_mountinfo`); empty where it is gone."""
    try:
        lines = Path(f"/proc/{process}/mountinfo").read_bytes().splitlines()
    except OSError:
        return []
    found = []
    for line in lines:
        fields = line.split()
        place = _ESCAPED.sub(lambda code: bytes([int(code[1], 8)]), fields[4])
        found.append(_Mount(fields[2].decode(), os.fsdecode(place), fields[fields.index(b"-") + 1].decode()))
    return found


def _filled(mount: _Mount, place: str, enough: int) -> int:
    """Bytes used in a mount; 0 where it is gone, or another one covers it."""
    try:
        opened = os.open(place, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return 0
    try:
        device = os.fstat(opened).st_dev
        if mount.device != f"{os.major(device)}:{os.minor(device)}":
            return 0
        if mount.kind != "tmpfs":  # it does not count by itself
            return on_disk(f"/proc/self/fd/{opened}", enough)
        found = os.fstatvfs(opened)
        return (found.f_blocks - found.f_bfree) * found.f_frsize
    finally:
        os.close(opened)


def _without_name(processes: Iterable[int]) -> int:
    """Bytes of open files that were deleted, or never had a name (`memfd`); each file counts once."""
    seen: dict[tuple[int, int], int] = {}
    for process in processes:
        try:
            opened = os.listdir(f"/proc/{process}/fd")  # noqa: PTH208
        except OSError:  # the process is gone
            continue
        for number in opened:
            with contextlib.suppress(OSError):  # it was just closed
                about = os.stat(f"/proc/{process}/fd/{number}")  # noqa: PTH116
                if stat.S_ISREG(about.st_mode) and about.st_nlink == 0:
                    seen[about.st_dev, about.st_ino] = about.st_blocks * _BLOCK
    return sum(seen.values())


def _identity(place: str) -> int:
    try:
        return Path(place).stat().st_ino
    except OSError:  # the process is gone
        return 0
