"""Traces as files of the layout: sessions with their turns and pictures, no gold and no question yet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from memarena.errors import DataError
from memarena_builder.layout import put, write_time
from memarena_builder.traces.log import Logged, Trace, Uttered
from memarena_builder.traces.rows import Notes
from memarena_builder.traces.shown import Album

UNTIMED = datetime(2026, 1, 5, 9)
"""When a trace begins that tells no time; its sessions are a day apart, its turns a minute."""
CHAT, AGENT = "lifelong/imported", "agent/imported"
"""Folders for conversations and for what agents did."""
_ODD = re.compile(r"[^A-Za-z0-9._-]+")
LONGEST = 80
"""Characters of the name of a sample."""


class Imported(NamedTuple):
    """One sample that was written."""

    sample_id: str
    sessions: int
    turns: int
    pictures: int
    missing: int
    """Pictures that the log names and that are not there."""


def write_trace(trace: Trace, place: str, root: Path, pictures: Path, notes: Notes) -> Imported:
    """Write a trace below `root`; `pictures`: the folder in which its pictures are. Raises DataError where there is a
    sample of this name already."""
    name = _ODD.sub("_", trace.name).strip("_.")[:LONGEST] or "trace"
    path = root / place / f"{name}.json"
    there = next((other for each in (CHAT, AGENT) if (other := root / each / f"{name}.json").exists()), None)
    if there is not None:
        raise DataError("there is a sample of this name already: rename the log, or --join them", file=str(there))
    album = Album(path.parent, name, pictures, notes)
    sessions = [_session(session, number, album) for number, session in enumerate(_timed(trace.sessions))]
    raw = {"sample_id": name, "sessions": sessions, "memory_points": [], "qa_checkpoints": []}
    put(path, msgspec.json.format(msgspec.json.encode(raw, order="sorted"), indent=1) + b"\n")
    turns = sum(len(each["dialogue"]) for each in sessions)
    return Imported(name, len(sessions), turns, album.taken, album.missing)


def _timed(sessions: Sequence[Logged]) -> Iterator[Logged]:
    """The sessions with a time for each turn: its own, else the last one before it and a minute more."""
    now = UNTIMED
    for number, session in enumerate(sessions):
        if number:
            now = now.replace(hour=UNTIMED.hour, minute=0, second=0) + timedelta(days=1)
        turns: list[Uttered] = []
        for turn in session.turns:
            now = max(turn.time, now) if turn.time and turns else turn.time or now + timedelta(minutes=1)
            turns.append(msgspec.structs.replace(turn, time=now.replace(microsecond=0)))
        yield msgspec.structs.replace(session, turns=tuple(turns))


def _session(session: Logged, number: int, album: Album) -> dict[str, Any]:
    session_id = f"S{number:02}"
    dialogue: list[dict[str, Any]] = []
    count = 0
    for turn in session.turns:
        text = f"{turn.thought}\n{turn.text}".strip()
        raw: dict[str, Any] = {"role": turn.role, "content": text, "timestamp": write_time(turn.time or UNTIMED)}
        attachments = []
        for shown in turn.shown:
            found = album.take(shown, f"{session_id}_img_{count + 1}", f"{session_id} of {session.name}")
            if found:
                attachments.append(found)
                count += 1
        if attachments:
            raw["attachments"] = attachments
        dialogue.append(raw)
    return {"_v2_session_id": session_id, "title": session.name, "dialogue": dialogue}
