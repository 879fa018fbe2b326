"""Gold by construction: each event knows which point it makes, what that replaces, and where it was told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Literal

from memarena.records import Record
from memarena_builder.packs.schema import Pack, SelfKind
from memarena_builder.plan.events import Event, Plan, SessionPlan
from memarena_builder.wording.clauses import clause, content, sentence
from memarena_builder.wording.turns import Spoken
from memarena_builder.world.facts import Fact, Key, current

APPENDED, REVISED, DELETED = "Append", "Revise", "Delete"
DISTRACTING = 0.2
"""Importance of what is to be refused."""


class Point(Record, frozen=True, kw_only=True):
    """One gold point."""

    memory_id: str
    session_id: str
    content: str
    kind: Literal["new", "update", "interference"]
    replaces: tuple[str, ...] = ()
    update_type: str = ""
    point_type: str
    source: str
    importance: float
    fact_id: str = ""
    """"" for what is to be refused."""
    distraction: str = ""
    turns: tuple[int, ...]
    """Places in the session of the turns that tell it."""
    image_id: str = ""
    visual: bool = False
    time: datetime


def gold(pack: Pack, plan: Plan, spoken: Mapping[str, Spoken]) -> dict[str, tuple[Point, ...]]:
    """The points of each session, in the order in which they are told."""
    told: list[Fact] = []
    dated = {event.fact.fact_id: event for event in plan.events() if event.fact}
    out = {}
    for session in plan.sessions:
        points = []
        for event in session.events:
            made = _distraction(pack, event) if event.kind == "distractor" else _fact(pack, plan, event, told, dated)
            if made:
                points.append((event, made))
            if event.fact:
                told.append(event.fact)
        out[session.session_id] = tuple(_numbered(session, points, spoken[session.session_id]))
    return out


_Made = dict[str, object]


def _numbered(session: SessionPlan, points: list[tuple[Event, _Made]], spoken: Spoken) -> Iterator[Point]:
    for number, (event, made) in enumerate(points, 1):
        turns = spoken.evidence(event.event_id)
        yield Point(
            memory_id=f"mp_{session.session_id}_{number}",
            session_id=session.session_id,
            turns=turns,
            image_id=event.image_id,
            time=spoken.told(event.event_id),
            **made,  # type: ignore[arg-type]
        )


def _fact(pack: Pack, plan: Plan, event: Event, told: list[Fact], dated: Mapping[str, Event]) -> _Made | None:
    fact = event.fact
    if fact is None:
        return None
    held = current(told, fact.key)
    late = event.until is not None
    is_update = held is not None and held.value is not None and not late and fact.source != "hearsay"
    added = fact.kind == "E18" and fact.value is not None and _has_members(told, fact.key)
    attribute = pack.attribute(fact.key.attribute)
    kind = DELETED if fact.value is None else REVISED if is_update else APPENDED if added else ""
    return {
        "content": written(pack, event),
        "kind": "update" if is_update or added else "new",
        "replaces": (written(pack, dated[held.fact_id]),) if is_update and held else (),
        "update_type": kind,
        "point_type": _type(plan, fact.key, attribute.form),
        "source": _source(plan, fact, event),
        "importance": attribute.importance,
        "fact_id": fact.fact_id,
        "visual": fact.visual,
    }


def written(pack: Pack, event: Event) -> str:
    """The gold sentence of the fact that an event tells."""
    assert event.fact is not None
    until = pack.writing.write(event.until) if event.until else ""
    return content(pack, event.fact, dated=event.dated, until=until)


def _has_members(told: list[Fact], key: Key) -> bool:
    return any(fact.key[:2] == key[:2] for fact in told)


def _type(plan: Plan, key: Key, form: str) -> str:
    if form == "relation":
        return "Relationship Memory"
    person = key.subject in (plan.cast.protagonist, *plan.cast.persons)
    return "Persona Memory" if person else "Event Memory"


def _source(plan: Plan, fact: Fact, event: Event) -> str:
    own = any(each.kind == SelfKind and each.name == fact.key.subject for each in plan.cast.entities)
    return "system" if event.event_id.startswith("S00") else "primary" if own else "secondary"


def _distraction(pack: Pack, event: Event) -> _Made:
    assert event.claim is not None and event.distraction is not None
    attribute = pack.attribute(event.claim.attribute)
    outside = event.distraction in ("stranger", "namesake")
    subject = event.other if outside else event.claim.subject
    return {
        "content": sentence(pack, clause(pack, attribute, subject, event.slots)),
        "kind": "interference",
        "point_type": "Event Memory",
        "source": "interference",
        "importance": DISTRACTING,
        "distraction": event.distraction,
        "visual": event.distraction == "stale",
    }
