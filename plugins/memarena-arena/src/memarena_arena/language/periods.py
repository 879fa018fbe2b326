"""Whether two dates agree as values."""

from __future__ import annotations

from enum import Enum

from memarena_arena.language.dates import NO_YEAR, Period
from memarena_arena.language.relative import months_on


class Match(Enum):
    """How a given period stands to the one that is wanted."""

    SAME = "same"
    """The same days, or a part of them."""
    VAGUER = "vaguer"
    """It holds the wanted days among others."""
    OTHER = "other"


def match(given: Period, wanted: Period) -> Match:
    """How `given` stands to `wanted`; a year that one of them does not say is taken from the other.

    Periods with loose edges are the same if they share half of the shorter one.
    """
    given, wanted = _same_year(given, wanted), _same_year(wanted, given)
    if wanted.first <= given.first and given.last <= wanted.last:
        return Match.SAME
    first, last = max(given.first, wanted.first), min(given.last, wanted.last)
    shared = (last - first).days + 1
    if (given.loose or wanted.loose) and 2 * shared >= min(given.days, wanted.days) and given.days <= 2 * wanted.days:
        return Match.SAME
    return Match.VAGUER if given.first <= wanted.first and wanted.last <= given.last else Match.OTHER


def agrees(given: Period, wanted: Period) -> bool:
    """Whether `given` says as much as `wanted` and does not contradict it."""
    return match(given, wanted) is Match.SAME


def _same_year(period: Period, other: Period) -> Period:
    if period.first.year != NO_YEAR or other.first.year == NO_YEAR:
        return period
    move = (other.first.year - NO_YEAR) * 12
    return Period(months_on(period.first, move), months_on(period.last, move), period.loose)
