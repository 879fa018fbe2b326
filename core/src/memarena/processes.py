"""What processes have used, and how those that belong together are found and ended. Reads /proc, where there is one."""

from __future__ import annotations

import os
import resource
import sys
from pathlib import Path
from time import monotonic, process_time, sleep
from typing import NamedTuple

from memarena import keeper

MARKER = "MEMARENA_HOST_ID"
"""Environment variable of every process that belongs to one hosted adapter."""

_TICKS = os.sysconf("SC_CLK_TCK")


class Used(NamedTuple):
    """What processes have used up to now."""

    cpu_seconds: float
    peak_bytes: int
    """Memory: the highest value of each process, added up."""


def used_here() -> Used:
    """What this process has used, whoever in it did."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Used(process_time(), peak * (1 if sys.platform == "darwin" else 1024))


def used_below(root: int) -> Used:
    """What all that `root` started has used, what has ended included."""
    own = keeper.stat_of(root)
    ticks = int(own[13]) + int(own[14]) if own else 0
    peak = 0
    for pid in keeper.descendants(root):
        fields = keeper.stat_of(pid)
        ticks += sum(map(int, fields[11:15]))
        peak += _peak(pid)
    return Used(ticks / _TICKS, peak)


def marked(marker: str) -> list[int]:
    """The processes whose environment holds `marker`."""
    entry = f"{MARKER}={marker}".encode()
    place = Path("/proc")
    found = [folder.name for folder in place.iterdir()] if place.is_dir() else []
    return [int(name) for name in found if name.isdigit() and entry in _environment(name)]


def end_marked(marker: str) -> None:
    """Kill every process whose environment holds `marker`, until there is none or `keeper.PATIENCE` is over."""
    until = monotonic() + keeper.PATIENCE
    while (found := marked(marker)) and monotonic() < until:
        for pid in found:
            keeper.kill(pid)
        sleep(0.002)


def _environment(pid: str) -> list[bytes]:
    try:
        return Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:  # it is gone, or another user's
        return []


def _peak(pid: int) -> int:
    try:
        status = Path(f"/proc/{pid}/status").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return 0
    return sum(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))
