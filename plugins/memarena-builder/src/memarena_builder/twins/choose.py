"""The twin of a sample: which fact differs, and the proof that nothing else does."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from msgspec.structs import replace

from memarena.errors import DataError
from memarena.records import NOT_MENTIONED, Record
from memarena_builder.lifelong import Built, build_sample, folder_of, speaker_of, told, worded
from memarena_builder.order import LifelongOrder
from memarena_builder.pictured import pictured
from memarena_builder.questions.alternatives import alternatives
from memarena_builder.questions.ask import Asked, Stop
from memarena_builder.questions.known import Known
from memarena_builder.questions.query import Claim, Unchanged, minimal
from memarena_builder.streams import Streams
from memarena_builder.twins.swap import Swap
from memarena_builder.validators.checks import check_question, check_sample
from memarena_builder.validators.problem import plain
from memarena_builder.world.cast import names_of
from memarena_builder.world.facts import Fact, Key
from memarena_builder.world.values import NoValueLeftError, Values

FORMS = frozenset({"plain", "date"})
"""Forms of attributes whose value may differ: one that no other fact of the sample can have."""
WANTED = 2
"""Questions that should follow the fact; one with fewer is taken where there is no better one that is told alike."""
SEEN = 0.25
"""Share of twins that differ in what only a picture shows; the others differ in what is said."""


class Difference(Record, frozen=True, kw_only=True):
    """What tells two worlds apart."""

    key: Key
    facts: tuple[str, ...]
    """Ids of the versions that have another value."""
    value: str
    other: str
    """The value in the twin."""
    answers: Mapping[str, tuple[str, str]]
    """By question: the right answer in the first world and in the twin, where nothing is right in both."""


def build_twin(order: LifelongOrder, sample_id: str) -> tuple[Built, Difference]:
    """The twin of the sample of `order`, called `sample_id`, and what tells the two apart.

    Both say the same in the same words but for one value. Raises DataError where no fact of the sample can differ.
    """
    built = build_sample(order)
    streams = Streams(order.seed, (order.sample_id, "twin"))
    facts = enumerate(_candidates(built, streams.rng("candidates")))
    for _, alike in groupby(facts, key=lambda placed: placed[1].visual):
        spare: tuple[Built, Difference] | None = None
        for place, fact in alike:
            made = _made(built, fact, sample_id, streams.rng("value", place))
            if made and len(made[1].answers) >= WANTED:
                return made
            spare = spare or made
        if spare:
            return spare
    raise DataError("no fact can differ so that an answer follows it", file=order.sample_id)


def _candidates(built: Built, rng: random.Random) -> Iterator[Fact]:
    """The facts that questions rest on, those that are told as is wanted first, each sort in a random order; of one
    value of one key only the first."""
    asked = {fact.fact_id for stop in built.stops for question in stop.questions for fact in question.evidence}
    facts = [fact for fact in built.plan.facts() if fact.fact_id in asked and fact.source != "hearsay"]
    facts = [fact for fact in facts if fact.slots and built.pack.attribute(fact.key.attribute).form in FORMS]
    rng.shuffle(facts)
    visual = rng.random() < SEEN
    facts.sort(key=lambda fact: fact.visual is not visual)
    seen: set[tuple[Key, str | None]] = set()
    for fact in facts:
        if (fact.key, fact.value) not in seen:
            seen.add((fact.key, fact.value))
            yield fact


def _made(built: Built, fact: Fact, sample_id: str, rng: random.Random) -> tuple[Built, Difference] | None:
    """The twin in which `fact` has another value; None where more than that would differ."""
    slot = built.pack.attribute(fact.key.attribute).slots["V"]
    try:
        other = _free(built).draw(slot, rng)
    except NoValueLeftError:
        return None
    swap = Swap(fact.key, fact.value or "", other)
    plan = swap.plan(built.plan)
    speaker = speaker_of(built.order, built.pack, plan, built.attempt)
    spoken, points, problems = worded(built.pack, plan, built.order.quota, speaker)
    twin = replace(
        built, order=replace(built.order, sample_id=sample_id), plan=plan, spoken=spoken, points=points,
        problems=tuple(problems),
    )  # fmt: skip
    stops = _stops(built, twin, swap)
    if stops is None or not _same_words(built, twin, swap):
        return None
    same = {name: built.drawings[name] for name, spec in plan.pictures.items() if spec == built.plan.pictures[name]}
    shown = pictured(plan.pictures, folder_of(twin.order), told(spoken), same)
    twin = replace(twin, stops=stops, drawings=shown.drawings)
    twin = replace(twin, problems=(*problems, *shown.problems, *check_sample(twin)))
    if twin.left:
        return None
    pairs = (pair for pair in _pairs(built.stops, stops) if _differ(*pair))
    answers = {one.question_id: (one.answer, other.answer) for one, other in pairs}
    ids = tuple(each.fact_id for each in plan.facts() if each.key == fact.key and each.value == other)
    found = Difference(key=fact.key, facts=ids, value=swap.old, other=other, answers=answers)
    return (twin, found) if answers else None


def _free(built: Built) -> Values:
    """Values that nothing in the sample has."""
    values = Values(built.pack.pools, built.plan.sessions[0].day, built.pack.language)
    values.reserve(*names_of(built.pack, built.plan.cast))
    for event in built.plan.events():
        values.reserve(*(event.fact.slots if event.fact else event.slots).values())
    for spec in built.plan.pictures.values():
        values.reserve(*(field.value for field in spec.fields))
    return values


def _stops(built: Built, twin: Built, swap: Swap) -> tuple[Stop, ...] | None:
    """The same questions with what is right in the twin; None where one cannot be asked there."""
    stops = []
    for stop in built.stops:
        known = Known(twin.pack, twin.plan, stop.index)
        questions = [_asked(question, known, swap) for question in stop.questions]
        kept = [question for question in questions if question and not check_question(question, known, twin.spoken)]
        if len(kept) < len(questions):
            return None
        stops.append(replace(stop, questions=tuple(kept)))
    return tuple(stops)


def _asked(question: Asked, known: Known, swap: Swap) -> Asked | None:
    found = question.query.evaluate(known.facts)
    if (found is None) is not bool(question.reason):
        return None
    evidence = minimal(question.query, known.facts) if found else ()
    return replace(
        question,
        answer=found.answer if found else NOT_MENTIONED,
        evidence=evidence,
        alternatives=alternatives(question.query, known.facts, evidence),
        stale=swap.stale(question.stale, getattr(question.query, "key", swap.key)),
    )


def _pairs(one: Sequence[Stop], other: Sequence[Stop]) -> Iterator[tuple[Asked, Asked]]:
    for first, second in zip(one, other, strict=True):
        yield from zip(first.questions, second.questions, strict=True)


def _differ(one: Asked, other: Asked) -> bool:
    """Whether nothing is right in both worlds, as `no` is where a claim holds in neither."""
    if one.answer == other.answer:
        return False
    query = one.query
    return not isinstance(query, (Claim, Unchanged)) or query.yes in (one.answer, other.answer)


def _same_words(built: Built, twin: Built, swap: Swap) -> bool:
    """Whether all turns are the same but for the value, however it is written."""
    old, new = plain(swap.old), plain(swap.new)
    for session_id, spoken in built.spoken.items():
        lines = zip(spoken.lines, twin.spoken[session_id].lines, strict=False)
        if len(spoken.lines) != len(twin.spoken[session_id].lines):
            return False
        for one, other in lines:
            said = plain(other.text).replace(new, old) == plain(one.text)
            if not said or (one.role, one.time, one.image_id) != (other.role, other.time, other.image_id):
                return False
    return True
