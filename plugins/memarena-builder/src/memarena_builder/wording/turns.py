"""A session in words, before it is written."""

from __future__ import annotations

from collections.abc import Mapping
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
    resolved: Mapping[str, str] = {}
    """By event whose turn does not name its subject: the event that tells who is meant, of this session or before."""

    def places(self, event_id: str) -> tuple[int, ...]:
        """The places of the turns that tell an event."""
        return tuple(place for place, line in enumerate(self.lines) if event_id in line.event_ids)

    def idle(self) -> tuple[int, ...]:
        """The places of the turns of the user that tell nothing."""
        return tuple(place for place, line in enumerate(self.lines) if line.role == "user" and not line.event_ids)

    def by_user(self, event_id: str) -> tuple[Line, ...]:
        """The turns in which the user tells an event: two where the value comes without its owner."""
        return tuple(self.lines[place] for place in self.places(event_id) if self.lines[place].role == "user")

    def evidence(self, event_id: str) -> tuple[int, ...]:
        """The places of all turns of the session that it takes to know an event: with that of a name for a pronoun."""
        by = self.resolved.get(event_id, "")
        names = [place for place in self.places(by) if self.lines[place].role == "user"] if by else []
        return tuple(sorted({*self.places(event_id), *names}))

    def told(self, event_id: str) -> datetime:
        """When all of an event had been told, though it may be repeated later."""
        lines = self.by_user(event_id) or (self.lines[self.places(event_id)[0]],)
        return lines[-1].time
