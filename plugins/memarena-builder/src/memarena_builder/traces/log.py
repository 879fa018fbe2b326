"""A trace as it was read: who said or did what, in sessions, before any of it is gold."""

from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import UTC, datetime

from memarena.records import Record
from memarena_arena.times import parse

ROLES = {
    "user": "user", "human": "user", "customer": "user", "client": "user", "visitor": "user", "me": "user",
    "assistant": "assistant", "ai": "assistant", "model": "assistant", "agent": "assistant", "bot": "assistant",
    "chatbot": "assistant", "gpt": "assistant", "chatgpt": "assistant", "claude": "assistant", "gemini": "assistant",
    "support": "assistant", "operator": "assistant", "system": "system", "developer": "system",
    "tool": "environment", "function": "environment", "environment": "environment", "observation": "environment",
}  # fmt: skip
"""By what logs call a role: what the layout calls it."""
_NUMBER = re.compile(r"\d{1,19}(?:\.\d{1,9})?", re.ASCII)
UNKNOWN = datetime.min
LATEST = 1e11
"""Seconds of the epoch from which a number counts milliseconds, microseconds or nanoseconds."""


class Shown(Record, frozen=True, kw_only=True):
    """A picture of a turn: one of its fields says where it is."""

    path: str = ""
    """Of a file, as the log has it."""
    guesses: tuple[str, ...] = ()
    """Patterns of files that may hold it; where there is none there was no picture."""
    data: bytes = b""
    """The picture itself."""
    address: str = ""
    """On a network: it is never fetched."""


class Uttered(Record, frozen=True, kw_only=True):
    """One turn of a trace."""

    role: str
    """`user`, `assistant`, `system` or `environment`."""
    text: str
    """What is said and done."""
    thought: str = ""
    """What is thought before: where a later call repeats a turn, it may be left out."""
    time: datetime | None = None
    shown: tuple[Shown, ...] = ()


class Logged(Record, frozen=True, kw_only=True):
    """One session of a trace."""

    name: str
    """As the log has it; only for people."""
    turns: tuple[Uttered, ...]


class Trace(Record, frozen=True, kw_only=True):
    """What becomes one sample."""

    name: str
    sessions: tuple[Logged, ...]


def in_order(sessions: Iterable[Logged]) -> tuple[Logged, ...]:
    """Sessions, none of which is empty, in the order of their times, where every one tells when it began."""
    found = tuple(sessions)
    times = [session.turns[0].time for session in found]
    if None in times:
        return found
    return tuple(session for _, session in sorted(zip(times, found, strict=True), key=lambda each: each[0] or UNKNOWN))


def is_role(name: object) -> bool:
    """Whether it is the name of a role rather than of somebody."""
    return isinstance(name, str) and name.lower() in ROLES


def role(name: object) -> str:
    """A role as the layout has it; what nobody knows is the environment's."""
    return ROLES.get(str(name).lower(), "environment")


def moment(value: object) -> datetime | None:
    """The time that a log means: seconds, milliseconds, microseconds or nanoseconds of the epoch, ISO 8601, or another
    way to write it that loaders read; None for no time."""
    if isinstance(value, str):
        value = value.strip()
        if _NUMBER.fullmatch(value):
            value = float(value)
    try:
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return _of_epoch(float(value))
        found = parse(value.replace("Z", "+00:00")) if isinstance(value, str) else None
        return found.astimezone(UTC).replace(tzinfo=None) if found and found.tzinfo else found
    except OverflowError:
        return None


def _of_epoch(seconds: float) -> datetime | None:
    if not 0 < seconds < LATEST * 1e9:
        return None
    while seconds >= LATEST:
        seconds /= 1000
    return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
