"""V3: what is to be refused can be told from what is so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from memarena_builder.packs.schema import Pack
from memarena_builder.plan import Plan, SessionPlan
from memarena_builder.plan.distract import OLD_VALUES
from memarena_builder.plan.events import Event
from memarena_builder.plan.state import value_of
from memarena_builder.validators.problem import Problem
from memarena_builder.wording import Spoken

_BLANK = re.compile(r"\{\w+\}")


def have_one_cue(pack: Pack, plan: Plan, session: SessionPlan, spoken: Spoken) -> Iterator[Problem]:
    """V3: a distractor has a turn with the cue of its kind and of no other, and claims what never held; an old value
    must have held."""
    values: dict[object, set[str | None]] = {}
    for fact in plan.facts():
        values.setdefault(fact.key, set()).add(fact.value)
    for event in session.events:
        if event.kind != "distractor" or event.claim is None or event.distraction is None:
            continue
        lines = [spoken.lines[place] for place in spoken.places(event.event_id)]
        cues = {kind for line in lines for kind in cues_in(pack, line.text)}
        if cues != {event.distraction}:
            yield _refused(event, f"its cues are {sorted(cues)}")
        value = value_of(pack.attribute(event.claim.attribute), event.slots)
        held = value in values.get(event.claim, set())
        if held is not (event.distraction in OLD_VALUES):
            yield _refused(event, "claims what is so, or no old value")


def _refused(event: Event, message: str) -> Problem:
    return Problem(validator="V3", unit=event.event_id, message=message, about=(event.event_id,))


def cues_in(pack: Pack, text: str) -> set[str]:
    """The kinds of distractors of which `text` has the cue: the fixed words of one of their frames, in order."""
    return {kind for kind, patterns in _patterns(pack).items() if any(each.fullmatch(text) for each in patterns)}


@lru_cache(maxsize=32)
def _by_frames(frames: tuple[tuple[str, tuple[str, ...]], ...]) -> dict[str, tuple[re.Pattern[str], ...]]:
    return {kind: tuple(re.compile(_loose(frame)) for frame in each) for kind, each in frames}


def _patterns(pack: Pack) -> dict[str, tuple[re.Pattern[str], ...]]:
    return _by_frames(tuple(sorted(pack.wording.distractors.items())))


def _loose(frame: str) -> str:
    return "(.+)".join(re.escape(piece) for piece in _BLANK.split(frame))
