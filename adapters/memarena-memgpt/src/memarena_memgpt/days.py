"""The day of a time as data sets write it."""

from __future__ import annotations

import re
from datetime import date

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MONTH = rf"({'|'.join(_MONTHS)})[a-z]*\.?"
_ISO = re.compile(r"\b(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?!\d)")
_MONTH_FIRST = re.compile(rf"\b{_MONTH} (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})\b", re.IGNORECASE)
_DAY_FIRST = re.compile(rf"\b(\d{{1,2}})(?:st|nd|rd|th)? {_MONTH},? (\d{{4}})\b", re.IGNORECASE)


def day_of(time: str) -> date | None:
    """The first day that `time` names (`2026-01-05 09:00`, `Jan 05, 2026, 09:00`, `8 May, 2023`); None for none."""
    if found := _ISO.search(time):
        return _day(int(found[1]), int(found[2]), int(found[3]))
    if found := _MONTH_FIRST.search(time):
        return _day(int(found[3]), _number(found[1]), int(found[2]))
    if found := _DAY_FIRST.search(time):
        return _day(int(found[3]), _number(found[2]), int(found[1]))
    return None


def _number(month: str) -> int:
    return _MONTHS.index(month.lower()) + 1


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
