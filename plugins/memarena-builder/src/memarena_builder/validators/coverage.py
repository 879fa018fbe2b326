"""V1: every point is told where it says; V2: every picture has a caption that gives nothing away."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from memarena_arena.language.words import SINGLE
from memarena_builder.gold import Point
from memarena_builder.packs.schema import Pack
from memarena_builder.pictures.spec import PictureSpec
from memarena_builder.plan import Event, Plan, SessionPlan
from memarena_builder.validators.problem import Problem, plain, says
from memarena_builder.wording import Line, Spoken
from memarena_builder.world.cast import short_name
from memarena_builder.world.facts import Fact

WORDS = (5, 40)
"""Words of a caption, at least and at most; a letter of a script without blanks is a word."""
_WORD = re.compile(rf"[{SINGLE}]|[^\s{SINGLE}]+")


def points_are_told(
    pack: Pack, plan: Plan, session: SessionPlan, spoken: Spoken, points: tuple[Point, ...]
) -> Iterator[Problem]:
    """V1: a turn of the point has all its values and its subject, or two together and neither alone, or a picture."""
    events = {event.event_id: event for event in session.events}
    events_by_id = {event.event_id: event for event in plan.events()} if spoken.resolved else {}
    told_by = {event.fact.fact_id: event for event in events.values() if event.fact}
    for point in points:
        event = told_by.get(point.fact_id)
        if event is None or event.fact is None:
            continue
        fact = event.fact
        lines = [spoken.lines[place] for place in point.turns]
        if fact.visual:
            spec = plan.pictures.get(point.image_id)
            shown = spec is not None and any(field.fact_id == fact.fact_id for field in spec.fields)
            if not shown or all(line.image_id != point.image_id for line in lines):
                yield _untold(point, "no picture of its turn shows it")
            continue
        values = [plain(value) for value in fact.slots.values()] or [plain(fact.key.element)]
        own = pack.writing.own if fact.key.subject == plan.cast.protagonist else ""
        names = (fact.key.subject, short_name(pack, fact.key.subject))
        told = [_said(line.text, values, names, own) for line in lines]
        by = events_by_id.get(spoken.resolved.get(event.event_id, ""))
        if by is not None:
            if not any(all_ == len(values) for all_, _ in told) or not _known(pack, by, fact, lines, names):
                yield _untold(point, "nothing tells who is meant by what stands for its subject")
        elif len(spoken.by_user(event.event_id)) == 2:
            if told != [(len(values), False), (0, True)]:
                yield _untold(point, "it does not take both of its turns, the first for its values, to tell it")
        elif (len(values), True) not in told:
            yield _untold(point, "no turn of it has its values and its subject")


def _untold(point: Point, message: str) -> Problem:
    return Problem(validator="V1", unit=point.memory_id, message=message, about=(point.fact_id,))


def _known(pack: Pack, by: Event, fact: Fact, lines: Sequence[Line], names: tuple[str, ...]) -> bool:
    """Whether `by` tells who is meant in `lines`: its turn names them there, or tells whose role they have by then."""
    if by.fact is None:
        return False
    if by.fact.key.subject == fact.key.subject:
        return any(_names(line.text, names, "") for line in lines)
    role = pack.attribute(by.fact.key.attribute).role.format(S=by.fact.key.subject).lower()
    known = by.fact.value == fact.key.subject and by.fact.told < fact.told
    return known and any(role in line.text.lower() for line in lines)


def _said(text: str, values: Sequence[str], names: tuple[str, ...], own: str) -> tuple[int, bool]:
    """How many of `values` a text has, and whether it names the subject."""
    return sum(says(plain(text), value) for value in values), _names(text, names, own)


def _names(text: str, names: tuple[str, ...], own: str) -> bool:
    """Whether a text has one of the names; `own`: what users say of themselves, where they are meant."""
    return any(name in text for name in names) or bool(own and re.search(own, text))


def captions_are_neutral(pack: Pack, plan: Plan) -> Iterator[Problem]:
    """V2: a caption names kind and subject, has a fair length, and none of the facts or decoys of its picture."""
    for image_id, spec in plan.pictures.items():
        about = tuple(field.fact_id for field in spec.fields if field.fact_id)
        for message in _faults(spec, plain(pack.wording.kinds[spec.kind])):
            yield Problem(validator="V2", unit=image_id, message=message, about=about)


def length(text: str) -> int:
    """How many words a text has."""
    return len(_WORD.findall(text))


def _faults(spec: PictureSpec, kind: str) -> Iterator[str]:
    words = length(spec.caption)
    if not WORDS[0] <= words <= WORDS[1]:
        yield f"the caption has {words} words"
    text = plain(spec.caption)
    if not says(text, kind) or not says(text, plain(spec.subject)):
        yield "the caption lacks kind or subject"
    if any(says(text, plain(field.value)) for field in spec.fields):
        yield "the caption gives a value away"
