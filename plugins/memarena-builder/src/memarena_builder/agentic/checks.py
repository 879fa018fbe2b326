"""The validators V1 to V11 on what a trajectory became."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from memarena_builder.agentic.knowledge import Claim, Knowledge, tells
from memarena_builder.agentic.known import Learned
from memarena_builder.agentic.trajectory import Step
from memarena_builder.agentic.turns import Scene
from memarena_builder.questions.ask import Asked
from memarena_builder.reader.worked import statements
from memarena_builder.validators.answers import (
    answer_is_one,
    evidence_is_minimal,
    modality_is_true_of,
    nothing_is_known_early,
)
from memarena_builder.validators.coverage import WORDS
from memarena_builder.validators.problem import Problem, plain, says
from memarena_builder.world.facts import Fact, Key

MOST_LEARNT = 12
"""Points of a step at most, on average over its session."""


def check_question(question: Asked, known: Learned, scenes: Sequence[Scene]) -> list[Problem]:
    """V5 to V8: what another question can mend."""
    texts = (line.text for scene in scenes[: known.until + 1] for line in scene.lines)
    return [
        *evidence_is_minimal(question, known),
        *answer_is_one(question),
        *nothing_is_known_early(question, known),
        *modality_is_true_of(question, texts),
    ]


def check_learnt(knowledge: Knowledge, scenes: Sequence[Scene], shown: Mapping[str, Step]) -> list[Problem]:
    """V1 to V4 and V9."""
    return [
        *points_are_told(knowledge, scenes),
        *captions_are_neutral(knowledge, shown),
        *refused_is_wrong(knowledge, scenes),
        *updates_are_consistent(knowledge),
        *sessions_fit(knowledge, scenes),
    ]


def points_are_told(knowledge: Knowledge, scenes: Sequence[Scene]) -> Iterator[Problem]:
    """V1: a turn of a point has its subject and its value, or its picture is there."""
    facts = {fact.fact_id: fact for fact in knowledge.facts}
    for scene in scenes:
        for point in knowledge.points[scene.session_id]:
            fact = facts.get(point.fact_id)
            lines = [scene.lines[place] for place in point.turns]
            if fact is None:
                continue
            if fact.visual:
                if not fact.image_id or all(line.image_id != fact.image_id for line in lines):
                    yield _problem("V1", point.memory_id, "no picture of its turn shows it", fact.fact_id)
                continue
            if not any(tells(line.text, fact.key.subject, fact.value or "") for line in lines):
                message = f"no turn of it has {fact.key.subject!r} and {fact.value!r}"
                yield _problem("V1", point.memory_id, message, fact.fact_id)


def captions_are_neutral(knowledge: Knowledge, shown: Mapping[str, Step]) -> Iterator[Problem]:
    """V2: a caption has a fair length and none of what is known from its picture alone."""
    known = {Claim(fact.key.subject, fact.key.attribute, fact.value or ""): fact.fact_id for fact in knowledge.facts}
    for image_id, step in shown.items():
        words = len(step.caption.split())
        if not WORDS[0] <= words <= WORDS[1]:
            yield Problem(validator="V2", unit=image_id, message=f"the caption has {words} words")
        text = plain(step.caption)
        said = [Claim(each.subject, each.attribute, each.value) for each in step.seen if each.visual]
        away = [known[claim] for claim in said if claim in known and says(text, plain(claim.value))]
        if away:
            yield _problem("V2", image_id, "the caption gives a value away", *away)


def refused_is_wrong(knowledge: Knowledge, scenes: Sequence[Scene]) -> Iterator[Problem]:
    """V3: what is to be refused stands in its turn, is not what is so, and is not put as what is so would be."""
    held: dict[Key, str | None] = {}
    facts = {fact.fact_id: fact for fact in knowledge.facts}
    for scene in scenes:
        for point in knowledge.points[scene.session_id]:
            if point.fact_id:
                held[facts[point.fact_id].key] = facts[point.fact_id].value
                continue
            name, refused = point.memory_id, knowledge.refused[point.memory_id]
            text = " ".join(scene.lines[place].text for place in point.turns)
            if not tells(text, refused.subject, refused.value):
                yield _problem("V3", name, "no turn of it claims it", name)
            if held.get(Key(refused.subject, refused.attribute)) == refused.value:
                yield _problem("V3", name, "claims what is so", name)
            said = (each for place in point.turns for each in statements(scene.lines[place].text))
            if any(tuple(each) == (refused.subject, refused.attribute, refused.value) for each in said):
                yield _problem("V3", name, "reads like what is so", name)


def updates_are_consistent(knowledge: Knowledge) -> Iterator[Problem]:
    """V4: the value of a key changes with each version, and gold says what a version replaces."""
    by_key: dict[Key, list[Fact]] = {}
    for fact in knowledge.facts:
        by_key.setdefault(fact.key, []).append(fact)
    for key, facts in by_key.items():
        for one, other in pairwise(facts):
            if one.value == other.value:
                yield _problem("V4", " ".join(key), "a version does not change it", other.fact_id)
    told: set[str] = set()
    for point in (point for points in knowledge.points.values() for point in points):
        if any(old not in told for old in point.replaces):
            yield _problem("V4", point.memory_id, "replaces what was never learnt", point.fact_id)
        if point.kind != "interference":
            told.add(point.content)


def _problem(validator: str, unit: str, message: str, *about: str) -> Problem:
    return Problem(validator=validator, unit=unit, message=message, about=about)


def sessions_fit(knowledge: Knowledge, scenes: Sequence[Scene]) -> Iterator[Problem]:
    """V9: no session is empty, and none has more points or pictures than its steps can bring."""
    for scene in scenes:
        steps, points = len(scene.steps), len(knowledge.points[scene.session_id])
        shots = sum(bool(line.image_id) for line in scene.lines)
        if not steps:
            yield Problem(validator="V9", unit=scene.session_id, message="has no step")
        elif points > MOST_LEARNT * steps:
            yield Problem(validator="V9", unit=scene.session_id, message=f"{points} points of {steps} steps")
        elif shots > steps:
            yield Problem(validator="V9", unit=scene.session_id, message=f"{shots} pictures of {steps} steps")
