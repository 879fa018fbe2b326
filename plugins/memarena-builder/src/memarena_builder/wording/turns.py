"""A session in words, before it is written."""

from __future__ import annotations

from datetime import datetime

from memarena.records import Record


class Line(Record, frozen=True, kw_only=True):
    """One turn."""

    role: str
    """`user` or `assistant`."""
    text: str
    time: datetime
    event_ids: tuple[str, ...] = ()
    """The events that it tells; none for chit-chat, several where one picture shows several facts."""
    image_id: str = ""


class Spoken(Record, frozen=True, kw_only=True):
    """One session in words."""

    session_id: str
    lines: tuple[Line, ...]

    def places(self, event_id: str) -> tuple[int, ...]:
        """The places of the turns that tell an event."""
        return tuple(place for place, line in enumerate(self.lines) if event_id in line.event_ids)
