"""What the agent knows becomes facts and gold points.

A fact begins when it becomes known, not when it becomes true: what changed behind the agent's back changes nothing
until the agent sees it. The same value again adds the turn to its point; another value supersedes it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from msgspec.structs import replace

from memarena.records import Record
from memarena_builder.agentic.trajectory import SPEAKER, Attribute, Learnt, Refused, Trajectory
from memarena_builder.agentic.turns import Placed, Scene
from memarena_builder.gold.points import DISTRACTING, REVISED, Point
from memarena_builder.questions.known import sentence_case
from memarena_builder.validators.problem import plain, says
from memarena_builder.world.facts import EventKind, Fact, Key, Told

CHANGED = 0.8
"""Importance of a change, at least."""
_OWN = re.compile(r"\b(?:I|me|[Mm]y|mine|[Ww]e|us|[Oo]urs?)\b")


class Knowledge(Record, frozen=True, kw_only=True):
    """All that was learnt, in order."""

    facts: tuple[Fact, ...]
    points: Mapping[str, tuple[Point, ...]]
    """By session id, in the order in which they are learnt."""
    turns: Mapping[str, tuple[int, ...]]
    """By the id of a fact: the turns of its session that tell it."""
    refused: Mapping[str, Refused]
    """By the id of a point of interference."""


class Claim(NamedTuple):
    """A value of something, as it is learnt or to be refused."""

    subject: str
    attribute: str
    value: str
    refused: bool = False


def learn(trajectory: Trajectory, scenes: Sequence[Scene], start: datetime, away: Collection[Claim] = ()) -> Knowledge:
    """The facts and points of all sessions. What is `away` is not learnt but from a turn that says it."""
    return _Learner(trajectory, start.date(), away).all(scenes)


def tells(text: str, subject: str, value: str) -> bool:
    """Whether a turn has a value and its subject, be it that somebody speaks of themselves or of what is theirs."""
    return is_named(text, subject) and says(plain(text), plain(value))


def is_named(text: str, subject: str) -> bool:
    """Whether a turn speaks of a subject: by its name, or as somebody's own, as `my dog` is `Ana's dog` for Ana."""
    owner, _, thing = subject.partition("'s ")
    if says(plain(text), plain(subject)):
        return True
    if owner != SPEAKER and not (thing and says(plain(text), plain(owner))):
        return False
    return (
        re.search(rf"\b(?:my|our) {re.escape(thing)}\b", text, re.I) is not None
        if thing
        else _OWN.search(text) is not None
    )


def sentence(attribute: Attribute, subject: str, value: str) -> str:
    """The gold sentence of a value."""
    return sentence_case(attribute.point.format(S=subject, V=value))


class _Learner:
    def __init__(self, trajectory: Trajectory, start: date, away: Collection[Claim]) -> None:
        self._trajectory = trajectory
        self._away = away
        self._start = start
        self._facts: list[Fact] = []
        self._held: dict[Key, Fact] = {}
        self._turns: dict[str, tuple[int, ...]] = {}
        self._refused: dict[str, Refused] = {}
        self._values = _values(trajectory)

    def all(self, scenes: Sequence[Scene]) -> Knowledge:
        points = {scene.session_id: tuple(self._points(scene)) for scene in scenes}
        points = {
            name: tuple(replace(point, turns=self._turns[point.fact_id]) if point.fact_id else point for point in each)
            for name, each in points.items()
        }
        return Knowledge(facts=tuple(self._facts), points=points, turns=self._turns, refused=self._refused)

    def _points(self, scene: Scene) -> Iterator[Point]:
        number = 0
        for placed in scene.steps:
            for learnt, turn in _in_order(placed):
                made = self._learn(learnt, scene, placed, turn, number + 1)
                if made:
                    number += 1
                    yield made
            for refused in placed.step.refused:
                if self._is_refused(refused) and Claim(*_claimed(refused), refused=True) not in self._away:
                    number += 1
                    yield self._interference(refused, scene, placed, number)

    def _learn(self, learnt: Learnt, scene: Scene, placed: Placed, turn: int, number: int) -> Point | None:
        if Claim(*_claimed(learnt)) in self._away and not _is_said(learnt, scene.lines[turn].text):
            return None
        key = Key(learnt.subject, learnt.attribute)
        held = self._held.get(key)
        if held is not None and held.value == learnt.value:
            if held.told.session == scene.place and turn not in self._turns[held.fact_id]:
                self._turns[held.fact_id] += (turn,)
            return None
        day = self._start + timedelta(days=placed.step.day)
        fact = Fact(
            fact_id=f"F{len(self._facts) + 1:03}",
            key=key,
            value=learnt.value,
            slots={"V": learnt.value},
            since=day,
            told=Told(scene.place, len(self._facts)),
            day=day,
            source="picture" if learnt.visual else "user",
            visual=learnt.visual,
            image_id=placed.image_id if learnt.visual else "",
            kind=_kind(learnt, held, lesson=self._trajectory.attribute(key.attribute).lesson),
        )
        self._facts.append(fact)
        self._held[key] = fact
        self._turns[fact.fact_id] = (turn,)
        attribute = self._trajectory.attribute(key.attribute)
        return Point(
            memory_id=f"mp_{scene.session_id}_{number}",
            session_id=scene.session_id,
            content=sentence(attribute, key.subject, learnt.value),
            kind="update" if held else "new",
            replaces=(sentence(attribute, key.subject, held.value or ""),) if held else (),
            update_type=REVISED if held else "",
            point_type=attribute.point_type,
            source="primary",
            importance=max(learnt.importance, CHANGED) if held else learnt.importance,
            fact_id=fact.fact_id,
            turns=(turn,),
            image_id=fact.image_id,
            visual=fact.visual,
            time=scene.lines[turn].time,
        )

    def _is_refused(self, refused: Refused) -> bool:
        """Whether it is as wrong as it is to be: an old note tells what was so, anything else what never was."""
        key = (refused.subject, refused.attribute)
        if refused.kind != "old note":
            return refused.value not in self._values.get(key, ())
        held = self._held.get(Key(*key))
        return held is not None and held.value != refused.value

    def _interference(self, refused: Refused, scene: Scene, placed: Placed, number: int) -> Point:
        turn = placed.look if placed.step.told_by == "observation" else placed.think
        attribute = self._trajectory.attribute(refused.attribute)
        name = f"mp_{scene.session_id}_{number}"
        self._refused[name] = refused
        return Point(
            memory_id=name,
            session_id=scene.session_id,
            content=sentence(attribute, refused.subject, refused.value),
            kind="interference",
            point_type=attribute.point_type,
            source="interference",
            importance=DISTRACTING,
            distraction=refused.kind,
            turns=(turn,),
            time=scene.lines[turn].time,
        )


def _in_order(placed: Placed) -> Iterator[tuple[Learnt, int]]:
    yield from ((each, placed.look) for each in placed.step.seen)
    yield from ((each, placed.outcome) for each in placed.step.learnt)


def _claimed(each: Learnt | Refused) -> tuple[str, str, str]:
    return each.subject, each.attribute, each.value


def _is_said(learnt: Learnt, text: str) -> bool:
    return not learnt.visual and tells(text, learnt.subject, learnt.value)


def _kind(learnt: Learnt, held: Fact | None, *, lesson: bool) -> EventKind:
    if held is not None:
        return "E12" if learnt.visual else "E2"
    if lesson:
        return "E9"
    return "E11" if learnt.visual else "E1"


def _values(trajectory: Trajectory) -> dict[tuple[Any, ...], set[str]]:
    out: dict[tuple[Any, ...], set[str]] = {}
    for step in trajectory.steps:
        for each in (*step.seen, *step.learnt):
            out.setdefault((each.subject, each.attribute), set()).add(each.value)
    return out
