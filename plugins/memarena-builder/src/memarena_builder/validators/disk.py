"""V1 to V11 on a data set that was built, as it lies on disk: what an edit of a file has done to it.

The hidden logs say what happens in the worlds, which query each question has and what its evidence is; the words, gold
and answers are those of the samples' own files.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from memarena.records import NOT_MENTIONED, Finding
from memarena_arena.worldmemarena import SampleFolder
from memarena_builder.agentic.knowledge import tells
from memarena_builder.layout import HIDDEN
from memarena_builder.questions.ask import Asked
from memarena_builder.questions.known import Known
from memarena_builder.sound import Raw, log_rows, sample_json
from memarena_builder.validators import answers, balance, chains, checks, coverage, shape
from memarena_builder.validators.logged import Logged
from memarena_builder.validators.problem import Problem, plain, says
from memarena_builder.world.facts import Fact

if TYPE_CHECKING:
    from memarena.protocols import Opened
    from memarena.records import Sample


class UpTo(NamedTuple):
    """The facts up to a session."""

    facts: tuple[Fact, ...]
    until: int


def check(opened: Opened, sample: Sample) -> Iterator[Finding]:
    """What is wrong with a sample of a folder that was built; nothing where it has no hidden log. Group
    `memarena.data_checks`, name `built`."""
    if not isinstance(opened, SampleFolder):
        return
    log = opened.root / HIDDEN / f"{sample.sample_id}.jsonl"
    if not log.is_file():
        return
    for problem in problems_of(sample_json(opened.files[sample.sample_id]), log_rows(log)):
        yield Finding(
            code=problem.validator, level="note", message=problem.message, file=sample.sample_id, path=problem.unit
        )


def problems_of(raw: Raw, rows: Sequence[Raw]) -> Iterator[Problem]:
    """What is wrong with a sample, by its file and its hidden log."""
    logged = Logged(raw, rows)
    try:
        found = [*_gold(logged), *_questions(logged), *shape.ids_lead_somewhere(raw)]
    except (msgspec.MsgspecError, LookupError, StopIteration, RuntimeError) as error:
        message = f"its hidden log tells of another sample ({error!r})"
        found = [*shape.ids_lead_somewhere(raw), Problem(validator="V10", unit=raw["sample_id"], message=message)]
    yield from dict.fromkeys(found)


def _gold(logged: Logged) -> Iterator[Problem]:
    """V1 to V4 and V9."""
    for name in logged.places:
        gold, telling = logged.gold_of(name), logged.telling(name)
        if len(gold) != len(telling):
            yield Problem(validator="V1", unit=name, message=f"has {len(gold)} points where {len(telling)} are told")
        for point, row in zip(gold, telling, strict=False):
            yield from _said_by_gold(point, row)
    yield from _captions(logged)
    yield from _dialogue(logged) if logged.is_dialogue else _played(logged)


def _said_by_gold(point: Raw, row: Raw) -> Iterator[Problem]:
    """V1: a point says the value of its fact."""
    fact = row["event"].get("fact") or row["event"]
    values = list((fact.get("slots") or {}).values()) or [fact["value"]] * bool(fact.get("value"))
    missing = [value for value in values if not says(plain(point["memory_content"]), plain(value))]
    if missing:
        yield Problem(validator="V1", unit=point["memory_id"], message=f"does not say {', '.join(missing)}")


def _captions(logged: Logged) -> Iterator[Problem]:
    """V2: each picture is there, with a caption of a fair length that gives none of its values away."""
    for spec, attachment in logged.shown():
        name, caption = spec["image_id"], attachment.get("caption", "")
        low, high = coverage.WORDS
        if not attachment:
            yield Problem(validator="V2", unit=name, message="is sent in no turn")
        elif not low <= coverage.length(caption) <= high:
            yield Problem(validator="V2", unit=name, message=f"the caption has {coverage.length(caption)} words")
        elif any(says(plain(caption), plain(field["value"])) for field in spec["fields"]):
            yield Problem(validator="V2", unit=name, message="the caption gives a value away")


def _dialogue(logged: Logged) -> Iterator[Problem]:
    """V1, V3, V4 and V9 of a sample of dialogue."""
    pack, plan, spoken, points = logged.pack, logged.plan, logged.spoken, logged.points
    for session in plan.sessions:
        name = session.session_id
        yield from checks.check_session(pack, plan, logged.order.quota, session, spoken[name], points[name])
    yield from chains.updates_are_consistent(plan, points)
    yield from balance.pictures_are_of_any_age(plan, logged.stops)


def _played(logged: Logged) -> Iterator[Problem]:
    """V1 and V3 of a sample of an agent at work."""
    for row in (row for name in logged.places for row in logged.telling(name)):
        event, turns = row["event"], logged.turns_of(row)
        fact = event.get("fact")
        if fact and fact.get("visual"):
            sent = {each["image_id"] for turn in turns for each in turn.get("attachments", ())}
            if fact["image_id"] not in sent:
                yield Problem(validator="V1", unit=fact["fact_id"], message="no picture of its turn shows it")
            continue
        subject, value = (fact["key"][0], fact["value"]) if fact else (event["claim"][0], event["slots"]["V"])
        text = " ".join(turn["content"] for turn in turns)
        if value is not None and not tells(text, subject, value):
            unit, number = (fact["fact_id"], "V1") if fact else (f"{row['session']}: {value}", "V3")
            yield Problem(validator=number, unit=unit, message=f"no turn of it has {subject!r} and {value!r}")


def _questions(logged: Logged) -> Iterator[Problem]:
    """V5 to V8 and V11."""
    texts = ["\n".join(turn["content"] for turn in session["dialogue"]) for session in logged.raw["sessions"]]
    for stop, raw in zip(logged.stops, logged.raw["qa_checkpoints"], strict=True):
        known = UpTo(tuple(fact for fact in logged.facts if fact.told.session <= stop.index), stop.index)
        for question, each in zip(stop.questions, raw["questions"], strict=True):
            yield from _question(question, known, texts[: stop.index + 1])
            yield from _evidence(logged, question, [each["evidence"], *each.get("evidence_alternatives", ())])
            if logged.is_dialogue:
                yield from answers.answer_is_no_distractor(question, Known(logged.pack, logged.plan, stop.index))
    yield from balance.twins_are_there(logged.stops)


def _question(question: Asked, known: UpTo, texts: Sequence[str]) -> Iterator[Problem]:
    found = question.query.evaluate(known.facts)
    if question.answer != (found.answer if found else NOT_MENTIONED):
        yield Problem(validator="V6", unit=question.text, message="what was told yields another answer")
    yield from answers.evidence_is_minimal(question, known)
    yield from answers.answer_is_one(question)
    yield from answers.nothing_is_known_early(question, known)
    yield from answers.modality_is_true_of(question, texts)


def _evidence(logged: Logged, question: Asked, named: Sequence[Sequence[dict[str, Any]]]) -> Iterator[Problem]:
    """V5: the file names the points and pictures of the facts that a question rests on, in each of its sets."""
    ids = {point.fact_id: point.memory_id for points in logged.points.values() for point in points}
    wanted = [
        {ids.get(fact.fact_id, "") for fact in some} | {fact.image_id for fact in some if fact.visual}
        for some in (question.evidence, *question.alternatives)
    ]
    if wanted != [{each.get("memory_id") or each.get("image_id") for each in some} for some in named]:
        yield Problem(validator="V5", unit=question.text, message="names other evidence than it rests on")
