"""LoCoMo's observations -> silver points: facts of each session that a model wrote down, with the turns they rest on.

They are no gold: nobody checked them, and a memory that keeps something else is not wrong. Each has the source
`observation`, and the report says how many there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from memarena.records import GoldPoint, Session
from memarena_arena.faults import Faults, quoted
from memarena_arena.jsonpath import child
from memarena_arena.locomo_files import Conversation
from memarena_arena.locomo_questions import evidence_ids

SOURCE = "observation"
"""Source of every silver point."""

_KEY = re.compile(r"session_(\d{1,6})_observation")


def with_observations(conversation: Conversation, sessions: Sequence[Session], faults: Faults) -> tuple[Session, ...]:
    """The sessions with the observations on them as points, `S01_ob_1`, ... in file order."""
    raw, path = conversation.observations, conversation.observations_path
    if not isinstance(raw, dict):
        faults.warn("no_observations", "there are no observations: the sample has no points", path)
        return tuple(sessions)
    turns = {turn.turn_id: session.session_id for session in sessions for turn in session.turns}
    by_session: dict[str, list[tuple[str, Any]]] = {}
    for name, rows in _rows(raw, path):
        by_session.setdefault(name, []).extend(rows)
    made = tuple(
        replace(session, points=_points(session.session_id, by_session.pop(session.session_id, ()), turns, faults))
        for session in sessions
    )
    for name in by_session:
        faults.warn("observations_without_session", f"of session {name}, which has no turns; left out", path)
    count = sum(len(session.points) for session in made)
    if count:
        faults.note("silver_points", f"{count} points are observations that a model wrote: no gold", path)
    return made


def _rows(raw: Mapping[str, Any], path: str) -> Iterator[tuple[str, list[tuple[str, Any]]]]:
    """Session id -> the observations of one speaker on it, each behind its JSON path."""
    for key, by_speaker in raw.items():
        found = _KEY.fullmatch(key)
        if found and isinstance(by_speaker, dict):
            for speaker, rows in by_speaker.items():
                where = child(child(path, key), speaker)
                listed = rows if isinstance(rows, list) else []
                yield f"S{int(found[1]):02d}", [(f"{where}[{n}]", row) for n, row in enumerate(listed)]


def _points(
    session_id: str, rows: Sequence[tuple[str, Any]], turns: Mapping[str, str], faults: Faults
) -> tuple[GoldPoint, ...]:
    points: list[GoldPoint] = []
    for path, row in rows:
        text = row[0] if isinstance(row, list) and len(row) == 2 else None
        if not isinstance(text, str) or not text.strip():
            faults.warn("odd_observation", "it is no pair of a text and a turn; left out", path)
            continue
        names = [
            name for given in (row[1] if isinstance(row[1], list) else [row[1]]) for name in evidence_ids(str(given))
        ]
        known = tuple(dict.fromkeys(name for name in names if turns.get(name) == session_id))
        if not known:
            faults.warn("unresolved_observation", f"{quoted(row[1])} names no turn of its session; it is kept", path)
        points.append(
            GoldPoint(
                memory_id=f"{session_id}_ob_{len(points) + 1}",
                content=text.strip(),
                session_id=session_id,
                source=SOURCE,
                modality="text",
                turn_ids=known,
            )
        )
    return tuple(points)
