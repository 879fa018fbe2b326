"""The story of evidence in a trace: when it was told, how it stood after each session, and what was changed of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from memarena.explanations import EvidenceStory, Explanation, Held
from memarena.records import Evidence
from memarena_report.followed import LOST, MADE_UP
from memarena_report.scores import Scores

HELD: Mapping[Held, str] = {"active": "a", "kept": "k", "stale": "s", "absent": "x", "not told": "n", "unknown": "?"}
"""How a fact stands after a session, one character each."""

LOST_MARKS: Mapping[str, str] = {
    "lost_write": "W",
    "lost_maintain": "M",
    "lost_retrieve": "R",
    "lost_unseen": "U",
    "lost_show": "S",
    "lost_use": "N",
    MADE_UP: "X",
}
"""Where a system lost a question, one character in the index of the traces."""
NOTHING_LOST, NOT_KNOWN = "-", "?"


def lost_marks(scores: Scores) -> Sequence[Mapping[tuple[str, str], str]]:
    """For each system: (sample, unit) -> where it lost the question, in its first repeat."""
    units = list(scores.frame.units)
    found = []
    for system in scores.systems:
        marks: dict[tuple[str, str], str] = {}
        for metric in (*LOST, MADE_UP):
            column = scores.frame.column(system.label, metric, "paper")
            if column is None:
                continue
            for unit, repeat, n in zip(column.unit.tolist(), column.repeat.tolist(), column.n.tolist(), strict=True):
                if repeat == 0:
                    mark = LOST_MARKS[metric] if n == 1 else NOTHING_LOST if n == 0 else NOT_KNOWN
                    if mark != NOTHING_LOST or units[unit] not in marks:
                        marks[units[unit]] = mark
        found.append(marks)
    return found


def stories(
    explanation: Explanation, evidence: Sequence[Evidence], sessions: Mapping[str, int], put: Callable[[str], int]
) -> list[dict[str, Any] | None]:
    """By evidence point of the question: its story, None where it could not be followed.

    `s`: the session (from 1) of the first letter of `h`, which says how the point stood after each session; `c`: the
    changes of what states it, as [session, op, memory id, text, previous texts]; `k`: its ranks in the list.
    """
    found = {story.evidence_id: story for story in explanation.evidence}
    return [
        _story(found[point.evidence_id], sessions, put) if point.evidence_id in found else None for point in evidence
    ]


def _story(story: EvidenceStory, sessions: Mapping[str, int], put: Callable[[str], int]) -> dict[str, Any]:
    return {
        "s": sessions[story.sessions[0].session_id] if story.sessions else 0,
        "h": "".join(HELD[session.held] for session in story.sessions),
        "c": [
            [
                sessions[session.session_id],
                change.op,
                change.memory_id,
                put(change.text),
                [put(old) for old in change.previous],
            ]
            for session in story.sessions
            for change in session.changes
        ],
        "k": story.ranks,
    }


def tellings(explanation: Explanation, put: Callable[[str], int]) -> dict[str, list[list[Any]]]:
    """By evidence id: the turns that told it, as [turn id, time, text]."""
    return {
        story.evidence_id: [[turn.turn_id, turn.time or "", put(turn.text)] for turn in story.told]
        for story in explanation.evidence
    }
