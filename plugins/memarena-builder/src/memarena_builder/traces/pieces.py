"""Where a long session of an agent is cut: after key feedback and changes of state, and before a new sub-goal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from memarena_builder.traces.episodes import FAILED as WORDS_OF_FAILURE
from memarena_builder.traces.relations import ONCE
from memarena_builder.traces.statements import Statement
from memarena_builder.traces.thread import FAILED

LONGEST, SHORTEST = 16, 4
"""Turns of a piece, at most; and at least where it is cut before its end."""
ROOM = 2
"""Turns by which a piece may be longer, so that an action and its feedback stay together."""
SEEN = ("Feedback", "Observation:", "Action feedback")
"""How the words of an environment begin."""
LISTS = ("TodoWrite", "TaskUpdate", "update_plan")
"""Tools by which agents keep the list of what is to be done."""
Held = dict[tuple[str, str], str]
"""The last value of each thing that has one at a time."""


class Told(NamedTuple):
    """One turn with what it states."""

    raw: Mapping[str, Any]
    stated: tuple[Statement, ...]


def cut(session: Sequence[Told], held: Held | None = None) -> Iterator[list[Told]]:
    """The pieces of a session: each ends after a failure or after something has changed, before a new instruction or
    another item of the agent's list, or when it is long. `held`: what was so before; it is brought up to date."""
    held = {} if held is None else held
    piece: list[Told] = []
    for place, told in enumerate(session):
        piece.append(told)
        changed = _changes(told, held)
        following = session[place + 1] if place + 1 < len(session) else None
        if following is None or _ends(piece, following, changed=changed):
            yield piece
            piece = []


def _ends(piece: Sequence[Told], following: Told, *, changed: bool) -> bool:
    answered = not _is_seen(following) or _is_seen(piece[-1])
    if len(piece) >= LONGEST + (0 if answered else ROOM):
        return True
    begins = _instructs(following) or _plans(following)
    return len(piece) >= SHORTEST and answered and (changed or begins or _fails(piece[-1]))


def _changes(told: Told, held: Held) -> bool:
    """Whether something has another value now than it had."""
    changed = False
    for one in told.stated:
        if one.relation not in ONCE and not one.supposed:
            before = held.get((one.subject, one.relation))
            changed = changed or before not in (None, one.value)
            held[one.subject, one.relation] = one.value
    return changed


def _fails(told: Told) -> bool:
    """Whether a turn is feedback that tells of a failure, as imports mark it, or in so many words."""
    first, _, _ = str(told.raw["content"]).partition("\n")
    return first.startswith(FAILED) or (first.startswith("Feedback") and WORDS_OF_FAILURE.search(first) is not None)


def _is_seen(told: Told) -> bool:
    return told.raw["role"] == "environment" or str(told.raw["content"]).startswith(SEEN)


def _plans(told: Told) -> bool:
    """Whether an agent goes on to another item of its list of what is to be done."""
    return told.raw["role"] == "assistant" and any(f"Action: {name}(" in str(told.raw["content"]) for name in LISTS)


def _instructs(told: Told) -> bool:
    return told.raw["role"] == "user" and not _is_seen(told)
