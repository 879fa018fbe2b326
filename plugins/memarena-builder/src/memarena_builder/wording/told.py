"""What one turn tells: an event, all that one picture shows, or facts that are told in one breath."""

from __future__ import annotations

import random
from collections.abc import Set
from typing import NamedTuple

from memarena_builder.plan.events import Event, SessionPlan

JOINED = frozenset({"E1", "E2", "E8", "E14", "E18"})
"""Kinds of events that can be told with another: the words around them decide nothing."""


class Told(NamedTuple):
    """Events that one turn tells."""

    events: tuple[Event, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """Their ids."""
        return tuple(event.event_id for event in self.events)


def told_at_once(session: SessionPlan, joined: float, rng: random.Random, apart: Set[str] = frozenset()) -> list[Told]:
    """What a session tells, turn by turn, in order; `joined`: share of the plain facts that are told with the one
    before them in the thread; `apart`: ids of events that are left out."""
    out: list[Told] = []
    for event in session.events:
        if event.kind == "E7" or event.event_id in apart:
            continue
        before = out[-1].events if out else ()
        together = _one_picture(before, event) or (_go_together(before, event) and rng.random() < joined)
        if together:
            out[-1] = Told((*before, event))
        else:
            out.append(Told((event,)))
    return out


def _one_picture(before: tuple[Event, ...], event: Event) -> bool:
    """Whether the picture of `before` shows the fact of `event` too."""
    shown = event.image_id if event.fact and event.fact.visual else ""
    return bool(shown and before and before[-1].image_id == shown)


def _go_together(before: tuple[Event, ...], event: Event) -> bool:
    return len(before) == 1 and is_plain(before[0]) and is_plain(event) and before[0].thread == event.thread


def is_plain(event: Event) -> bool:
    """Whether an event tells a fact by words alone that decide nothing."""
    fact = event.fact
    return event.kind in JOINED and fact is not None and bool(fact.slots) and not (fact.visual or event.image_id)
