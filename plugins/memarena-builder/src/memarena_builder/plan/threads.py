"""Which events of a session are told one after the other: those about one subject, then those about its like."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from memarena_builder.plan.events import Event

MOST = 4
"""Units that one thread has, at most."""

Unit = Sequence[Event]
"""Events that stay together, in order."""


def threaded(
    units: Sequence[Unit], subjects: Mapping[str, str], kinds: Mapping[str, str], rng: random.Random
) -> list[Event]:
    """The events in the order in which they are told, each with the number of its thread.

    `subjects`: by id of a fact whom it is about, for what is only mentioned; `kinds`: by name the kind of an entity.
    """
    shuffled = list(units)
    rng.shuffle(shuffled)
    by_kind: dict[str, dict[str, list[Unit]]] = {}
    for unit in shuffled:
        subject = subject_of(unit[0], subjects)
        by_kind.setdefault(kinds.get(subject, ""), {}).setdefault(subject, []).append(unit)
    threads = [thread for same in by_kind.values() for thread in _threads(list(same.values()))]
    rng.shuffle(threads)
    return [replace(event, thread=number) for number, thread in enumerate(threads) for unit in thread for event in unit]


def subject_of(event: Event, subjects: Mapping[str, str]) -> str:
    """Whom or what an event is about."""
    if event.fact is not None:
        return event.fact.key.subject
    return event.claim.subject if event.claim is not None else subjects[event.mentions]


def _threads(by_subject: Sequence[Sequence[Unit]]) -> list[list[Unit]]:
    """Threads of at most `MOST` units; what one subject has is parted only where it is more."""
    threads: list[list[Unit]] = []
    for units in sorted(by_subject, key=len, reverse=True):
        fitting = next((thread for thread in threads if len(thread) + len(units) <= MOST), None)
        if fitting is not None:
            fitting.extend(units)
        else:
            threads += [list(units[at : at + MOST]) for at in range(0, len(units), MOST)]
    return threads
