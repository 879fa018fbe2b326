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
from memarena_arena.language.lexicon import SETTLING
from memarena_arena.language.lines import lines
from memarena_arena.language.periods import agrees
from memarena_arena.language.statements import statement
from memarena_arena.language.words import stems

ENOUGH = 0.6
"""Share of a point's words that must be held, besides all its values."""
ENOUGH_OF_RECORD = 0.5
"""The same in a text that keeps what was said as it was said, where it must be shown that something was refused."""
WIDTH = 3
"""Neighbouring sentences that may support a point together, at least."""

_NONE: frozenset[str] = frozenset()


class Claim(NamedTuple):
    """What a text must hold to support a point."""

    folded: str
    values: frozenset[str]
    """Numbers, times and ids that must all be held."""
    names: tuple[frozenset[str], ...]
    """Names; of each at least one word must be held."""
    held: frozenset[str]
    denied: frozenset[str]
    rest: frozenset[str]
    """Words that the point itself retires or only mentions."""
    subject: frozenset[str]
    """The name that opens the point."""
    periods: tuple[Period, ...]
    width: int
    """Neighbouring sentences that may support it together."""

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
    subject = parts[0].subject if parts else _NONE
    return Claim(
        folded=" ".join(text.split()).casefold(),
        values=_NONE.union(*(each.values for each in parts)) & held,
        names=tuple(name for each in parts for name in each.full_names if name <= held and name.isdisjoint(subject)),
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


def supports(told: Telling, text: Document, *, record: bool = False, apart: Telling | None = None) -> bool:
    """Whether `text` supports a claim.

    `record`: the text keeps what was said as it was said, so half of the words are enough, and what is told as a
    joke or a condition counts as held. `apart`: where this other claim is supported by the same sentences, they do
    not count.
    """
    needed = told.claim
    if not needed.keys:
        return False
    if not told.own and apart is None and quotes(needed, text):
        return True
    missing = needed.keys - text.keys - stems(SETTLING) - needed.subject
    if not _has_all(told, text.keys) or len(missing) > (1 - _enough(record)) * len(needed.keys):
        return False
    for span in text.spans(needed.keys, needed.width):
        spot = text.spot(span)
        if _holds(told, spot, record) and not (apart and _holds(apart, spot, record)):
            return True
    return False


def _has_all(told: Telling, keys: frozenset[str]) -> bool:
    needed = told.claim
    return needed.values | told.own <= keys and not any(name.isdisjoint(keys) for name in needed.names)


def _enough(record: bool) -> float:
    return ENOUGH_OF_RECORD if record else ENOUGH


def _holds(told: Telling, spot: Spot, record: bool) -> bool:
    needed = told.claim
    held = spot.held | spot.hedged if record else spot.held
    aside = (spot.denied | spot.retired | spot.hedged) - held - needed.subject
    if not _has_all(told, held) or not aside.isdisjoint(needed.held):
        return False
    if needed.denied and not needed.denied & spot.denied:
        return False
    wanted = needed.keys
    got = (needed.held & held) | (needed.denied & spot.denied) | (needed.rest & spot.keys)
    if spot.personal or not needed.subject.isdisjoint(got):
        wanted -= needed.subject - got
    if not held.isdisjoint(stems(SETTLING)):
        got |= wanted & stems(SETTLING)
    return len(got & wanted) >= _enough(record) * len(wanted) and _dates_agree(needed.periods, spot)


def _dates_agree(wanted: tuple[Period, ...], spot: Spot) -> bool:
    if not wanted or (not spot.periods and spot.relative):
        return True
    given = [*spot.periods, *(Period(day, day) for day in spot.days)]
    return all(any(agrees(period, other) for period in given) for other in wanted)
