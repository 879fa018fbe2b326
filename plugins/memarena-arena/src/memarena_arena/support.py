"""Does a text support a point? By its values, enough of its words, and what it denies, retires or only mentions.

A point is supported if some few neighbouring sentences of the text hold all its values (numbers, times, ids, dates,
names) and enough of its other words, and hold them to be so: a word that the sentence denies (`no longer in Boston`),
retires (`from Boston to Leeds`) or tells as a joke does not count. The subject's name may be missing where the text
has a pronoun in its place.
"""

from __future__ import annotations

from datetime import date
from functools import lru_cache
from typing import NamedTuple

from memarena_arena.language.dates import Period
from memarena_arena.language.documents import Document
from memarena_arena.language.lines import lines
from memarena_arena.language.periods import agrees
from memarena_arena.language.statements import Statement, statement
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


def supports(
    needed: Claim, text: Document, *, also: frozenset[str] = _NONE, hedged: bool = False, apart: Claim | None = None
) -> bool:
    """Whether `text` supports the claim.

    `also`: words that must be held besides. `hedged`: what is told as a joke or a condition counts as held.
    `apart`: sentences that support this other claim do not count.
    """
    if not needed.keys:
        return False
    if not also and apart is None and quotes(needed, text):
        return True
    strict = needed.hard | also
    if not strict <= text.keys or not _enough(needed, text.keys):
        return False
    for span in text.spans(needed.keys, needed.width):
        if _span_supports(needed, text, span, also, hedged) and not (
            apart and _span_supports(apart, text, span, _NONE, hedged)
        ):
            return True
    return False


def _enough(needed: Claim, found: frozenset[str]) -> bool:
    wanted = needed.keys - {needed.subject} or needed.keys
    return len(wanted & found) + (not wanted.isdisjoint(_SETTLING)) >= ENOUGH * len(wanted)


def _span_supports(needed: Claim, text: Document, span: range, also: frozenset[str], hedged: bool) -> bool:
    parts = [text.statements[place] for place in span]
    who = _NONE.union(*(text.speakers[place] for place in span))
    held = who.union(*(each.held for each in parts))
    if hedged:
        held = held.union(*(each.hedged for each in parts))
    strict = needed.hard | also
    if not strict <= held:
        return False
    keys = who.union(*(each.keys for each in parts))
    denied = _NONE.union(*(each.denied for each in parts))
    wanted = needed.held | needed.denied | needed.rest
    got = (needed.held & held) | (needed.denied & denied) | (needed.rest & keys)
    if needed.subject and needed.subject not in got and (any(each.personal for each in parts) or who):
        wanted -= {needed.subject}
    if not wanted:
        return True
    if not held.isdisjoint(_SETTLING):
        got |= wanted & _SETTLING
    if len(got & wanted) < ENOUGH * len(wanted):
        return False
    if needed.denied and not needed.denied & denied:
        return False
    return _periods_agree(needed.periods, parts, [text.days[place] for place in span])


def _periods_agree(wanted: tuple[Period, ...], parts: list[Statement], days: list[date | None]) -> bool:
    if not wanted:
        return True
    given = [period for each in parts for period in each.periods]
    if not given and any(each.relative for each in parts):
        return True
    given += [Period(day, day) for day in days if day]
    return all(any(agrees(period, other) for period in given) for other in wanted)
