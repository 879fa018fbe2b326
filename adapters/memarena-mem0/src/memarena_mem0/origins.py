"""Where each memory comes from: mem0 keeps metadata of the newest change only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from memarena.records import Record, Turn


class Origin(Record, frozen=True, kw_only=True):
    """Where a memory comes from."""

    key: str
    """mem0's own id."""
    number: int
    """Memories are numbered from 1 as they come."""
    session_id: str
    """The first session that it comes from."""
    turn_ids: tuple[str, ...]
    time: str = ""
    """When it was last said, as the data set gives it."""

    @property
    def memory_id(self) -> str:
        """The same in every run over the same sessions."""
        return f"m{self.number:05}"


class Origins:
    """The origins of all memories, kept in a file of JSON lines as well; the last line of a memory counts."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._known: dict[str, Origin] = {}
        self._changed: set[str] = set()
        if file.exists():
            for line in file.read_bytes().splitlines():
                origin = msgspec.json.decode(line, type=Origin)
                self._known[origin.key] = origin
        self._last = max((origin.number for origin in self._known.values()), default=0)

    def note(self, key: str, turns: Sequence[Turn]) -> Origin:
        """These turns made or changed the memory `key`."""
        said = tuple(turn.turn_id for turn in turns)
        time = time_of(turns)
        known = self._known.get(key)
        if known is None:
            self._last += 1
            known = Origin(key=key, number=self._last, session_id=turns[0].session_id, turn_ids=said, time=time)
        else:
            named = tuple(dict.fromkeys((*known.turn_ids, *said)))
            known = replace(known, turn_ids=named, time=time or known.time)
        self._known[key] = known
        self._changed.add(key)
        return known

    def of(self, row: Mapping[str, Any]) -> Origin:
        """The origin of a row of mem0; of one that nobody noted (a process was killed), what mem0 itself kept of it."""
        key = str(row["id"])
        if key not in self._known:
            metadata = row.get("metadata") or {}
            self._last += 1
            self._known[key] = Origin(
                key=key,
                number=self._last,
                session_id=metadata.get("session_id", ""),
                turn_ids=tuple(metadata.get("turn_ids", ())),
                time=row.get("created_at") or "",
            )
            self._changed.add(key)
        return self._known[key]

    def save(self) -> None:
        """Append what changed to the file."""
        lines = [msgspec.json.encode(self._known[key]) + b"\n" for key in sorted(self._changed, key=self._place)]
        with self._file.open("ab") as stream:
            stream.write(b"".join(lines))
        self._changed.clear()

    def _place(self, key: str) -> int:
        return self._known[key].number


def time_of(turns: Sequence[Turn]) -> str:
    """The time of the first of `turns` that has one, as the data set gives it; else ""."""
    return next((turn.time for turn in turns if turn.time), "")
