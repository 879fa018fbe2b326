"""Does a text support a point? By its values, enough of its words, and what it denies, retires or only mentions.

A point is supported if some few neighbouring sentences of the text hold all its values (numbers, times, ids, dates,
names) and enough of its other words, and hold them to be so: a word that the sentence denies (`no longer in Boston`),
retires (`from Boston to Leeds`) or tells as a joke does not count. The subject's name may be missing where the text
has a pronoun in its place.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from memarena_arena.language.dates import Period
from memarena_arena.language.documents import Document, Spot
from memarena_arena.language.lines import lines
from memarena_arena.language.periods import agrees
from memarena_arena.language.statements import statement
from memarena_arena.language.words import stem

ENOUGH = 0.6
"""Share of a point's words that must be held, besides all its values."""
WIDTH = 3
"""Neighbouring sentences that may support a point together, at least."""

_NONE: frozenset[str] = frozenset()
_SETTLING = frozenset(map(stem, ("move", "live", "settle")))
"""Who moved to a place lives there."""


class Claim(NamedTuple):
    """What a text must hold to support a point."""

    folded: str
    hard: frozenset[str]
    """Values and names that must all be held."""
    held: frozenset[str]
    denied: frozenset[str]
    rest: frozenset[str]
    """Words that the point itself retires or only mentions."""
    subject: str
    periods: tuple[Period, ...]
    width: int

    @property
    def keys(self) -> frozenset[str]:
        """All its keys."""
        return self.held | self.denied | self.rest


@lru_cache(maxsize=1 << 14)
def claim(text: str) -> Claim:
    """What it takes to support the point `text`."""
    parts = [statement(sentence) for line in lines(text) for sentence in line.sentences]
    held = _NONE.union(*(each.held for each in parts))
    denied = _NONE.union(*(each.denied for each in parts)) - held
    rest = _NONE.union(*(each.retired | each.hedged for each in parts)) - held - denied
    subject = parts[0].subject if parts else ""
    strict = _NONE.union(*(each.values | each.names for each in parts))
    return Claim(
        folded=" ".join(text.split()).casefold(),
        hard=(strict - {subject}) & held,
        held=held,
        denied=denied,
        rest=rest,
        subject=subject,
        periods=tuple(period for each in parts for period in each.periods),
        width=max(WIDTH, len(parts)),
    )


def quotes(needed: Claim, text: Document) -> bool:
    """Whether the text has the point word for word, from the start of a sentence."""
    place = text.folded.find(needed.folded)
    if len(needed.folded) < 20 or place < 0:
        return False
    return place == 0 or text.folded[:place].rstrip()[-1:] in ".!?:;])-。！？："


class Telling(NamedTuple):
    """A claim and the words that tell it from a rival claim: they must all be held besides."""

    claim: Claim
    own: frozenset[str] = _NONE


def supports(told: Telling, text: Document, *, hedged: bool = False, apart: Telling | None = None) -> bool:
    """Whether `text` supports a claim.

    `hedged`: what is told as a joke or a condition counts as held. `apart`: where this other claim is supported by
    the same sentences, they do not count.
    """
    needed, strict = told.claim, told.claim.hard | told.own
    if not needed.keys:
        return False
    if not told.own and apart is None and quotes(needed, text):
        return True
    missing = needed.keys - text.keys - _SETTLING - {needed.subject}
    if not strict <= text.keys or len(missing) > (1 - ENOUGH) * len(needed.keys):
        return False
    for span in text.spans(needed.keys, needed.width):
        spot = text.spot(span)
        if _holds(told, spot, hedged) and not (apart and _holds(apart, spot, hedged)):
            return True
    return False


def _holds(told: Telling, spot: Spot, hedged: bool) -> bool:
    needed = told.claim
    held = spot.held | spot.hedged if hedged else spot.held
    aside = (spot.denied | spot.retired | spot.hedged) - held - {needed.subject}
    if not needed.hard | told.own <= held or not aside.isdisjoint(needed.held):
        return False
    if needed.denied and not needed.denied & spot.denied:
        return False
    wanted = needed.keys
    got = (needed.held & held) | (needed.denied & spot.denied) | (needed.rest & spot.keys)
    if needed.subject not in got and spot.personal:
        wanted -= {needed.subject}
    if not held.isdisjoint(_SETTLING):
        got |= wanted & _SETTLING
    return len(got & wanted) >= ENOUGH * len(wanted) and _dates_agree(needed.periods, spot)


def _dates_agree(wanted: tuple[Period, ...], spot: Spot) -> bool:
    if not wanted or (not spot.periods and spot.relative):
        return True
    given = [*spot.periods, *(Period(day, day) for day in spot.days)]
    return all(any(agrees(period, other) for period in given) for other in wanted)
