"""MC and TR: claims, time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

from memarena_builder.questions.known import UNSETTLED, Draft, Known, framed, groups, listed
from memarena_builder.questions.query import Claim, Count, Unchanged, ValueOn
from memarena_builder.questions.recall import PLAIN
from memarena_builder.questions.several import DaysBetween, Earliest
from memarena_builder.world.facts import chain

FEW, MANY = range(3, 5), range(5, 7)
"""Of how many days the earliest is asked for."""


def memory_conflict(known: Known, rng: random.Random, form: str, *, agrees: bool) -> Iterator[Draft]:
    """MC: `claim`, with the value that holds (`agrees`) or with one that was told and does not; or `unchanged`, which
    holds what was on a day against what is, and names no value: of facts that are true since they were told, for a day
    in their words would lead a search there, and a correction does not say since when."""
    if form == "unchanged":
        yield from _unchanged(known, rng, agrees=agrees)
        return
    frames = known.pack.asking
    for fact in known.holding(*PLAIN, visual=False, versions="many"):
        values = [fact.value or ""] if agrees else list(known.stale(fact.key))
        for value in values[-1:]:
            text, template = framed(frames.claim, "claim", rng, what=known.what(fact.key), V=value)
            query = Claim(key=fact.key, value=value, yes=frames.yes, no=frames.no)
            yield Draft("MC", text, query, template, (fact.key,), (value,) if not agrees else (), "medium")


def _unchanged(known: Known, rng: random.Random, *, agrees: bool) -> Iterator[Draft]:
    frames = known.pack.asking
    today = known.plan.sessions[known.until].day
    for fact in known.holding(*PLAIN, visual=False, versions="any" if agrees else "many"):
        if any(each.since != each.day for each in known.by_key[fact.key]):
            continue
        held = chain(known.by_key[fact.key], fact.key)
        for earlier, later in pairwise((*held, None)):
            end = later.since if later else today
            room = (end - earlier.since).days if earlier else 0
            if earlier is None or room < 6 or earlier.value is None or earlier.visual:
                continue
            if (earlier.value == fact.value) is not agrees:
                continue
            day = earlier.since + timedelta(days=rng.randint(2, room - 2))
            text, template = framed(
                frames.unchanged, "unchanged", rng, what=known.what(fact.key), D=known.pack.writing.write(day)
            )
            query = Unchanged(key=fact.key, day=day, yes=frames.yes, no=frames.no)
            yield Draft("MC", text, query, template, (fact.key,), (earlier.value,) if not agrees else (), "hard")


def temporal(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    """TR: `order`, `days`, `value_on`, `count`, or the `earliest` of a few days or `of many`."""
    if form in ("order", "days"):
        yield from _two_days(known, rng, form)
    elif form in ("earliest", "of many"):
        yield from _earliest(known, rng, FEW if form == "earliest" else MANY)
    elif form == "value_on":
        yield from _values_on(known, rng)
    else:
        yield from _counts(known, rng)


def _two_days(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    frames = known.pack.asking
    for one, other in groups(list(known.holding("date", visual=False)), range(2, 3), rng):
        names = (known.what(one.key), known.what(other.key))
        frame = frames.order if form == "order" else frames.days
        text, template = framed(frame, form, rng, what_a=names[0], what_b=names[1])
        query = (
            Earliest(keys=(one.key, other.key), names=names)
            if form == "order"
            else DaysBetween(one=one.key, other=other.key, unit=frames.day_unit, amount=known.pack.writing.amount)
        )
        yield Draft("TR", text, query, template, tuple(sorted((one.key, other.key))), (), "hard")


def _earliest(known: Known, rng: random.Random, sizes: range) -> Iterator[Draft]:
    for some in groups(list(known.holding("date", visual=False)), sizes, rng):
        keys = tuple(fact.key for fact in some)
        names = tuple(map(known.what, keys))
        text, template = framed(known.pack.asking.earliest, "earliest", rng, list=listed(known.pack, names))
        yield Draft("TR", text, Earliest(keys=keys, names=names), template, tuple(sorted(keys)), (), "hard")


def _values_on(known: Known, rng: random.Random) -> Iterator[Draft]:
    """What held on a day; of facts that are true since they were told or say since when, as a correction does not."""
    for fact in known.holding("plain", visual=False, versions="many"):
        held = chain(known.by_key[fact.key], fact.key)
        for earlier, later in pairwise(held):
            room = (later.since - earlier.since).days
            if room < 6 or earlier.value is None or earlier.visual:
                continue
            if earlier.kind in UNSETTLED and earlier.since != earlier.day:
                continue
            day = earlier.since + timedelta(days=rng.randint(2, room - 2))
            text, template = framed(
                known.pack.asking.value_at, "value_at", rng, what=known.what(fact.key), D=known.pack.writing.write(day)
            )
            stale = (fact.value or "",) if fact.value != earlier.value else ()
            yield Draft("TR", text, ValueOn(key=fact.key, day=day), template, (fact.key,), stale, "hard")


def _counts(known: Known, rng: random.Random) -> Iterator[Draft]:
    for fact in known.holding(*PLAIN, visual=False, versions="many"):
        versions = known.by_key[fact.key]
        if any(each.kind in UNSETTLED or each.visual or each.value is None for each in versions):
            continue
        text, template = framed(known.pack.asking.count, "count", rng, what=known.what(fact.key))
        yield Draft("TR", text, Count(key=fact.key, counts=known.pack.asking.counts), template, (fact.key,), (), "hard")
