"""Cuts a trajectory into sessions: at the end of a task, after a failure, after a change that matters, or when long."""

from __future__ import annotations

from collections.abc import Sequence

from memarena_builder.agentic.trajectory import Step

LONGEST = 8
"""Steps of a session at most."""
SHORTEST = 2
"""Steps before a cut that is not the end of a task."""
MATTERS = 0.8
"""Importance from which what is learnt ends a session."""


def segments(steps: Sequence[Step]) -> list[tuple[Step, ...]]:
    """The steps session by session, in order; none is left out."""
    out: list[tuple[Step, ...]] = []
    session: list[Step] = []
    for step in steps:
        session.append(step)
        matters = step.failed or any(each.importance >= MATTERS for each in (*step.seen, *step.learnt))
        if step.ends or len(session) >= LONGEST or (matters and len(session) >= SHORTEST):
            out.append(tuple(session))
            session = []
    if session:
        out.append(tuple(session))
    return out


def names(sessions: Sequence[Sequence[Step]]) -> list[str]:
    """The ids of sessions: each is named after its last step, as in the published set (`S02`, `S07`)."""
    out = []
    last = 0
    for session in sessions:
        last += len(session)
        out.append(f"S{last:02}")
    return out
