"""Traces as files of the layout: sessions with their turns and pictures, no gold and no question yet."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from memarena.errors import DataError
from memarena_builder.layout import put, write_time
from memarena_builder.traces.log import Logged, Trace, Uttered

UNTIMED = datetime(2026, 1, 5, 9)
"""When a trace begins that tells no time; its sessions are a day apart, its turns a minute."""
CHAT, AGENT = "lifelong/imported", "agent/imported"
"""Folders for conversations and for what agents did."""
_ODD = re.compile(r"[^A-Za-z0-9._-]+")


class Imported(NamedTuple):
    """One sample that was written."""

    sample_id: str
    sessions: int
    turns: int
    pictures: int
    missing: int
    """Pictures that the log names and that are not there."""


def write_trace(trace: Trace, place: str, root: Path, pictures: Path) -> Imported:
    """Write a trace below `root`; `pictures`: the folder that the paths of its pictures begin in. Raises DataError
    where there is a sample of this name already."""
    name = _ODD.sub("_", trace.name).strip("_") or "trace"
    path = root / place / f"{name}.json"
    if path.exists():
        raise DataError("there is a sample of this name already: rename the log", file=str(path))
    shown: list[str] = []
    gone: list[str] = []
    sessions = [
        _session(session, number, name, path.parent, pictures, (shown, gone))
        for number, session in enumerate(_timed(trace.sessions))
    ]
    raw = {"sample_id": name, "sessions": sessions, "memory_points": [], "qa_checkpoints": []}
    put(path, msgspec.json.format(msgspec.json.encode(raw, order="sorted"), indent=1) + b"\n")
    return Imported(name, len(sessions), sum(len(each["dialogue"]) for each in sessions), len(shown), len(gone))


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


def _session(
    session: Logged, number: int, name: str, folder: Path, pictures: Path, counts: tuple[list[str], list[str]]
) -> dict[str, Any]:
    session_id = f"S{number:02}"
    dialogue: list[dict[str, Any]] = []
    for turn in session.turns:
        raw: dict[str, Any] = {"role": turn.role, "content": turn.text, "timestamp": write_time(turn.time or UNTIMED)}
        if turn.picture:
            image_id = f"{session_id}_img_{sum('attachments' in each for each in dialogue) + 1}"
            raw["attachments"] = [_attachment(turn, image_id, name, folder, pictures, counts)]
        dialogue.append(raw)
    return {"_v2_session_id": session_id, "title": session.name, "dialogue": dialogue}


def _attachment(
    turn: Uttered, image_id: str, name: str, folder: Path, pictures: Path, counts: tuple[list[str], list[str]]
) -> dict[str, str]:
    source = pictures / turn.picture
    file = f"images/{name}/{image_id}{source.suffix.lower() or '.png'}"
    if source.is_file():
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, folder / file)
        counts[0].append(image_id)
    else:
        counts[1].append(image_id)
    caption = "picture that came with this turn"
    return {"type": "image_caption", "caption": caption, "image_id": image_id, "file_path": file}
