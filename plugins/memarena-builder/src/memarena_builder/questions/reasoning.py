"""MC and TR: claims, time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import date, timedelta
from itertools import pairwise

from memarena_builder.questions.known import UNSETTLED, Draft, Known, framed, groups, listed
from memarena_builder.questions.mix import MOST
from memarena_builder.questions.query import Claim, Count, Query, Unchanged, ValueOn
from memarena_builder.questions.recall import PLAIN
from memarena_builder.questions.several import Changed, DaysBetween, Earliest, Second, Span
from memarena_builder.world.facts import Fact, Key, chain, value_on

OTHERS = range(1, 4)
"""How many facts that are what they were stand beside one that is not."""
MARGIN = 2
"""Days that a version held at least, before and behind the day that is asked for."""
SEVERAL = range(3, MOST + 1)
"""How many days are held against each other, where it is more than two."""


def memory_conflict(known: Known, rng: random.Random, form: str, *, agrees: bool) -> Iterator[Draft]:
    """MC: `claim`, with the value that holds (`agrees`) or with one that was told and does not; or `unchanged`, which
    holds what was on a day against what is, and names no value; or `changed`, which asks which of several is another
    now. Those two are of facts that are true since they were told, for a day in their words would lead a search there,
    and a correction does not say since when."""
    if form in ("unchanged", "changed"):
        yield from _unchanged(known, rng, agrees=agrees) if form == "unchanged" else _changed(known, rng)
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
    for fact in known.holding(*PLAIN, visual=False, versions="any" if agrees else "many"):
        for earlier, day in _days_of(known, fact, rng):
            if (earlier.value == fact.value) is not agrees:
                continue
            text, template = framed(
                frames.unchanged, "unchanged", rng, what=known.what(fact.key), D=known.pack.writing.write(day)
            )
            query = Unchanged(key=fact.key, day=day, yes=frames.yes, no=frames.no)
            stale = (earlier.value or "",) if not agrees else ()
            yield Draft("MC", text, query, template, (fact.key,), stale, "hard")


def _days_of(known: Known, fact: Fact, rng: random.Random) -> Iterator[tuple[Fact, date]]:
    """Each version of a fact that words told, with a day on which it held; none where one of them is true since another
    day than that on which it was told."""
    versions = known.by_key[fact.key]
    if any(each.since != each.day for each in versions):
        return
    today = known.plan.sessions[known.until].day
    for earlier, later in pairwise((*chain(versions, fact.key), None)):
        room = ((later.since if later else today) - earlier.since).days if earlier else 0
        if earlier is not None and room >= 2 * MARGIN + 2 and earlier.value is not None and not earlier.visual:
            yield earlier, earlier.since + timedelta(days=rng.randint(MARGIN, room - MARGIN))


def _changed(known: Known, rng: random.Random) -> Iterator[Draft]:
    """One fact that is another than on a day, among others that were known by then and are what they were."""
    frames = known.pack.asking
    told = [
        fact
        for fact in known.holding(*PLAIN, visual=False)
        if all(each.since == each.day and not each.visual for each in known.by_key[fact.key])
    ]
    for fact in told:
        for earlier, day in _days_of(known, fact, rng):
            same = [each for each in told if each.key != fact.key and _is_as_on(known, each, day)]
            number = rng.choice(OTHERS)
            if earlier.value == fact.value or len(same) < number:
                continue
            some = [fact, *rng.sample(same, number)]
            rng.shuffle(some)
            names = tuple(known.what(each.key) for each in some)
            text, template = framed(
                frames.changed, "changed", rng, list=listed(known.pack, names), D=known.pack.writing.write(day)
            )
            query = Changed(keys=tuple(each.key for each in some), names=names, day=day)
            yield Draft("MC", text, query, template, (fact.key, Key("", "", str(day))), (), "hard")


def _is_as_on(known: Known, fact: Fact, day: date) -> bool:
    """Whether the value that holds is the one of that day, and was so for some days by then."""
    then = value_on(known.by_key[fact.key], fact.key, day - timedelta(days=MARGIN))
    on = value_on(known.by_key[fact.key], fact.key, day)
    return then is not None and then is on and on.value == fact.value


def temporal(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    """TR: `order`, `days`, `value_on`, `count`; of several days the `earliest`, the `second`, or the `span` of all."""
    if form in ("order", "days"):
        yield from _two_days(known, rng, form)
    elif form in ("earliest", "second", "span"):
        yield from _several_days(known, rng, form)
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


def _several_days(known: Known, rng: random.Random, form: str) -> Iterator[Draft]:
    frames = known.pack.asking
    for some in groups(list(known.holding("date", visual=False)), SEVERAL, rng):
        keys = tuple(fact.key for fact in some)
        names = tuple(map(known.what, keys))
        text, template = framed(getattr(frames, form), form, rng, list=listed(known.pack, names))
        query: Query = Span(keys=keys, unit=frames.day_unit, amount=known.pack.writing.amount)
        if form != "span":
            query = (Earliest if form == "earliest" else Second)(keys=keys, names=names)
        yield Draft("TR", text, query, template, tuple(sorted(keys)), (), "hard")


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
