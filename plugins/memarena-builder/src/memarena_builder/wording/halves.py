"""Facts in two turns: a value without its owner first, whose it is some rounds later."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from memarena_builder.packs.schema import Pack
from memarena_builder.plan.events import Event, Plan, SessionPlan
from memarena_builder.wording.told import is_plain

SHARE = 0.16
"""Of all facts of a sample, those that are told in two turns: 15 % and what falls short where a session has too few."""
BETWEEN = 2
"""Rounds between the two, where there are so many left."""

Block = TypeVar("Block")


class Half(NamedTuple):
    """One of the two turns that tell a fact."""

    event: Event
    owner: bool
    """It tells whose the value is; else the value alone."""


def halved(pack: Pack, plan: Plan, rng: random.Random) -> frozenset[str]:
    """The ids of the events that are told in two turns: `SHARE` of all that tell a fact, or as many as can be.

    In one session there are no two of the same attribute, so that only one value can be meant by who names its owner.
    """
    chosen: set[str] = set()
    due = 0.0
    for session in plan.sessions:
        due += SHARE * sum(event.fact is not None for event in session.events)
        fitting = _fitting(pack, plan, session)
        rng.shuffle(fitting)
        kinds: set[str] = set()
        for event in fitting:
            assert event.fact is not None
            if due > 0 and event.fact.key.attribute not in kinds:
                kinds.add(event.fact.key.attribute)
                chosen.add(event.event_id)
                due -= 1
    return frozenset(chosen)


def _fitting(pack: Pack, plan: Plan, session: SessionPlan) -> list[Event]:
    """The events whose words decide nothing, of facts that are not of the user, and of a set that has no other here."""
    told = Counter(event.fact.key[:2] for event in session.events if event.fact)
    return [
        event
        for event in session.events
        if is_plain(event)
        and event.fact is not None
        and told[event.fact.key[:2]] == 1
        and pack.attribute(event.fact.key.attribute).halves is not None
        and event.fact.key.subject != plan.cast.protagonist
    ]


def spread(
    blocks: Sequence[Block], rounds: Callable[[Block], int], events: Sequence[Event], rng: random.Random
) -> list[Block | Half]:
    """`blocks` with both halves of each of `events` between them, the owner `BETWEEN` rounds later or last."""
    values: dict[int, list[Half]] = {}
    owners: dict[int, list[Half]] = {}
    for event in events:
        first = last = rng.randrange(len(blocks))
        passed = 0
        while last < len(blocks) and passed < BETWEEN:
            passed += rounds(blocks[last])
            last += 1
        values.setdefault(first, []).append(Half(event, owner=False))
        owners.setdefault(last, []).append(Half(event, owner=True))
    out: list[Block | Half] = []
    for place in range(len(blocks) + 1):
        out += (*owners.get(place, ()), *values.get(place, ()), *blocks[place : place + 1])
    return out
