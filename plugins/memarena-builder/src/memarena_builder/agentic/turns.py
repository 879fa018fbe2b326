"""Steps become turns: what the environment says is the user's, what the agent thinks and does the assistant's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from memarena_builder.agentic.segment import names, segments
from memarena_builder.agentic.trajectory import Step
from memarena_builder.wording.turns import Line
from memarena_builder.world.facts import Key

BEGIN = 9
"""Hour at which each day begins."""


class Placed(NamedTuple):
    """A step in its session, with the places of its turns."""

    step: Step
    look: int
    """The turn of its observation."""
    think: int
    """The turn of its reasoning and action."""
    outcome: int
    """The turn of its feedback, where it has some."""
    image_id: str


class Scene(NamedTuple):
    """One session."""

    session_id: str
    place: int
    """Of the session, from 0."""
    steps: tuple[Placed, ...]
    lines: tuple[Line, ...]


def scenes(steps: Sequence[Step], start: datetime, limit: int | None = None) -> list[Scene]:
    """The sessions of a trajectory in turns, the first `limit` of them: observation, then reasoning and action, then
    feedback where there is some."""
    cut = segments(steps)[:limit]
    minutes: dict[int, int] = {}
    out = []
    for place, (session_id, session) in enumerate(zip(names(cut), cut, strict=True)):
        out.append(_scene(session_id, place, session, start, minutes))
    return out


def _scene(session_id: str, place: int, session: Sequence[Step], start: datetime, minutes: dict[int, int]) -> Scene:
    lines: list[Line] = []
    placed = []
    for step in session:
        time = start.replace(hour=BEGIN) + timedelta(days=step.day, minutes=minutes.get(step.day, 0))
        minutes[step.day] = minutes.get(step.day, 0) + 1
        image_id = f"{session_id}_img_{sum(bool(line.image_id) for line in lines) + 1}" if step.picture else ""
        look = len(lines)
        lines.append(Line(role="user", text=f"Observation: {step.observation}", time=time, image_id=image_id))
        lines.append(Line(role="assistant", text=_done(step), time=time))
        if step.feedback:
            lines.append(Line(role="user", text=f"Feedback: {step.feedback}", time=time))
        placed.append(Placed(step, look, look + 1, look + 2, image_id))
    return Scene(session_id, place, tuple(placed), tuple(lines))


def _done(step: Step) -> str:
    action = f"Action: {step.action}"
    return f"{step.reasoning}\n{action}" if step.reasoning else action


class Shown(NamedTuple):
    """One thing that a picture shows."""

    session: int
    image_id: str
    key: Key
    value: str


def shown(found: Sequence[Scene]) -> tuple[Shown, ...]:
    """All that the pictures show of what has a name, in order."""
    return tuple(
        Shown(scene.place, placed.image_id, Key(each.subject, each.attribute), each.value)
        for scene in found
        for placed in scene.steps
        for each in dict.fromkeys((*placed.step.seen, *placed.step.shows))
        if placed.image_id and each.visual
    )


def pictures(found: Sequence[Scene]) -> Mapping[str, Step]:
    """Picture id -> the step whose look it shows."""
    return {each.image_id: each.step for scene in found for each in scene.steps if each.image_id}
