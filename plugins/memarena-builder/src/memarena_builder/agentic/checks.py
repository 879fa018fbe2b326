"""The validators V1 to V11 on what a trajectory became."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from memarena_builder.agentic.knowledge import Knowledge
from memarena_builder.agentic.known import Learned
from memarena_builder.agentic.trajectory import SPEAKER, Step
from memarena_builder.agentic.turns import Scene
from memarena_builder.questions.ask import Asked
from memarena_builder.validators.answers import (
    answer_is_one,
    evidence_is_minimal,
    modality_is_true_of,
    nothing_is_known_early,
)
from memarena_builder.validators.coverage import WORDS
from memarena_builder.validators.problem import Problem, plain, says
from memarena_builder.world.facts import Key

_OWN = re.compile(r"\b(?:I|me|[Mm]y|mine)\b")


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
        *captions_are_neutral(shown),
        *refused_is_wrong(knowledge, scenes),
        *updates_are_consistent(knowledge),
        *sessions_fit(scenes),
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
                    yield Problem(validator="V1", unit=point.memory_id, message="no picture of its turn shows it")
                continue
            if not any(tells(line.text, fact.key.subject, fact.value or "") for line in lines):
                message = f"no turn of it has {fact.key.subject!r} and {fact.value!r}"
                yield Problem(validator="V1", unit=point.memory_id, message=message)


def tells(text: str, subject: str, value: str) -> bool:
    """Whether a turn has a value and its subject, be it that somebody speaks of themselves."""
    named = says(plain(text), plain(subject)) or (subject == SPEAKER and _OWN.search(text) is not None)
    return named and says(plain(text), plain(value))


def captions_are_neutral(shown: Mapping[str, Step]) -> Iterator[Problem]:
    """V2: a caption has a fair length and none of what its picture alone shows."""
    for image_id, step in shown.items():
        words = len(step.caption.split())
        if not WORDS[0] <= words <= WORDS[1]:
            yield Problem(validator="V2", unit=image_id, message=f"the caption has {words} words")
        if any(each.visual and says(plain(step.caption), plain(each.value)) for each in step.seen):
            yield Problem(validator="V2", unit=image_id, message="the caption gives a value away")


def refused_is_wrong(knowledge: Knowledge, scenes: Sequence[Scene]) -> Iterator[Problem]:
    """V3: what is to be refused stands in its turn, and is not what is so."""
    held: dict[Key, str | None] = {}
    facts = {fact.fact_id: fact for fact in knowledge.facts}
    for scene in scenes:
        for point in knowledge.points[scene.session_id]:
            if point.fact_id:
                held[facts[point.fact_id].key] = facts[point.fact_id].value
                continue
            refused = knowledge.refused[point.memory_id]
            text = plain(" ".join(scene.lines[place].text for place in point.turns))
            if not (says(text, plain(refused.subject)) and says(text, plain(refused.value))):
                yield Problem(validator="V3", unit=point.memory_id, message="no turn of it claims it")
            if held.get(Key(refused.subject, refused.attribute)) == refused.value:
                yield Problem(validator="V3", unit=point.memory_id, message="claims what is so")


def updates_are_consistent(knowledge: Knowledge) -> Iterator[Problem]:
    """V4: the value of a key changes with each version, and gold says what a version replaces."""
    by_key: dict[Key, list[str | None]] = {}
    for fact in knowledge.facts:
        by_key.setdefault(fact.key, []).append(fact.value)
    for key, values in by_key.items():
        if any(one == other for one, other in pairwise(values)):
            yield Problem(validator="V4", unit=" ".join(key), message="a version does not change it")
    told: set[str] = set()
    for point in (point for points in knowledge.points.values() for point in points):
        if any(old not in told for old in point.replaces):
            yield Problem(validator="V4", unit=point.memory_id, message="replaces what was never learnt")
        if point.kind != "interference":
            told.add(point.content)


def sessions_fit(scenes: Sequence[Scene]) -> Iterator[Problem]:
    """V9: no session is empty."""
    for scene in scenes:
        if not scene.steps:
            yield Problem(validator="V9", unit=scene.session_id, message="has no step")
