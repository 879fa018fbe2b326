"""A trace as it was read: who said or did what, in sessions, before any of it is gold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from memarena.errors import DataError
from memarena.records import Record

ROLES = {
    "user": "user", "human": "user", "assistant": "assistant", "ai": "assistant", "model": "assistant",
    "agent": "assistant", "system": "system", "developer": "system", "tool": "environment", "function": "environment",
    "environment": "environment", "observation": "environment",
}  # fmt: skip
"""By what logs call a role: what the layout calls it."""
TEXTS = ("text", "output_text", "input_text", "content", "thinking")
"""Keys under which a part of a message has its words."""


class Uttered(Record, frozen=True, kw_only=True):
    """One turn of a trace."""

    role: str
    """`user`, `assistant`, `system` or `environment`."""
    text: str
    time: datetime | None = None
    picture: str = ""
    """Path of a picture beside the log; "" where there is none."""
    failed: bool = False
    """It tells that something had no effect."""


class Logged(Record, frozen=True, kw_only=True):
    """One session of a trace."""

    name: str
    """As the log has it; only for people."""
    turns: tuple[Uttered, ...]


class Trace(Record, frozen=True, kw_only=True):
    """What becomes one sample."""

    name: str
    sessions: tuple[Logged, ...]


def role(name: object) -> str:
    """A role as the layout has it; what nobody knows is the environment's."""
    return ROLES.get(str(name).lower(), "environment")


def words(content: object) -> str:
    """The words of a message's content: a text, a part, or a list of parts; pictures have none."""
    if isinstance(content, str):
        return content.strip()
    if isinstance(content, Mapping):
        return next((words(content[key]) for key in TEXTS if content.get(key)), "")
    if isinstance(content, Iterable):
        return "\n".join(found for part in content if (found := words(part)))
    return ""


def picture(content: object) -> str:
    """The path of the first picture of a message's content that is a file; "" where there is none."""
    for part in content if isinstance(content, list) else ():
        if isinstance(part, Mapping):
            source: Any = part.get("image_url") or part.get("image") or part.get("path") or ""
            address = source.get("url", "") if isinstance(source, Mapping) else source
            if isinstance(address, str) and address and not address.startswith(("http:", "https:", "data:")):
                return address.removeprefix("file://")
    return ""


def moment(value: object) -> datetime | None:
    """The time that a log means: seconds, milliseconds or nanoseconds of the epoch, or ISO 8601; None for no time."""
    if isinstance(value, str) and value.isdecimal():
        value = int(value)
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value > 0:
        seconds = float(value)
        while seconds > 1e11:
            seconds /= 1000
        return datetime.fromtimestamp(seconds, UTC).replace(tzinfo=None)
    if isinstance(value, str):
        try:
            found = datetime.fromisoformat(value.replace("Z", "+00:00"))
        except ValueError:
            return None
        return found.astimezone(UTC).replace(tzinfo=None) if found.tzinfo else found
    return None


def rows(text: str, file: str) -> list[Any]:
    """The objects of a file that is JSON Lines, one object, or one list; raises DataError for anything else."""
    import json

    try:
        whole = json.loads(text)
    except ValueError:
        found = []
        for number, line in enumerate(text.splitlines(), 1):
            if line.strip():
                try:
                    found.append(json.loads(line))
                except ValueError as error:
                    raise DataError(f"line {number} is no JSON: {error}", file=file) from None
        return found
    return whole if isinstance(whole, list) else [whole]
