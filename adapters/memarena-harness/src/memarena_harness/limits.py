"""What one call of an agent may use, and how it ended."""

from __future__ import annotations

from typing import Literal

from memarena.records import Record
from memarena_harness.failures import Kind

Broken = Literal["", "time", "memory", "disk", "processes", "refusals"]


class Limits(Record, frozen=True, kw_only=True):
    """What one call of an agent may use."""

    seconds: float = 300.0
    memory_bytes: int = 4 << 30
    """Of all its processes together."""
    disk_bytes: int = 512 << 20
    """Below its root, and in the places in memory that it can write to."""
    processes: int = 200
    refusals: int = 3
    """Answers of the model one after the other that are errors: the gateway has tried again before each of them."""

    def to_launch(self) -> dict[str, int]:
        """The limits that the kernel keeps."""
        return {"RLIMIT_FSIZE": self.disk_bytes, "RLIMIT_CORE": 0}


class Ended(Record, frozen=True, kw_only=True):
    """How a program ended."""

    exit: int | None = None
    signal: int | None = None
    broke: Broken = ""
    """The limit that it was killed for."""
    output: bytes = b""
    """What it wrote to standard output."""
    said: str = ""
    """The end of what it wrote to standard error."""
    seconds: float = 0.0
    cpu_seconds: float = 0.0
    peak_bytes: int = 0
    """Of the greatest of its processes."""
    left: int = 0
    """Processes that could not be ended."""
    requests: int | None = None
    """Of its model; None where nobody counted, as its network is the host's."""
    pictures: int | None = None
    """In the request that had most of them; None as for `requests`."""
    refused: Kind | None = None
    """The kind of failure that the last answer to a request stands for; None where it was a good one."""
