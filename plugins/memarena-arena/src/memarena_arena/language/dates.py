"""Dates as values: every way of writing a day, a month, a season or a year becomes a period of days."""

from __future__ import annotations

import re
from datetime import date, timedelta
from typing import NamedTuple

from memarena_arena.language.values import take

MONTHS = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
SEASONS = {"spring": (3, 5), "summer": (6, 8), "autumn": (9, 11), "fall": (9, 11), "winter": (12, 2)}
_ORDINALS = (
    "first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth", "eleventh",
    "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth",
    "twentieth", "twenty-first", "twenty-second", "twenty-third", "twenty-fourth", "twenty-fifth", "twenty-sixth",
    "twenty-seventh", "twenty-eighth", "twenty-ninth", "thirtieth", "thirty-first", "last",
)  # fmt: skip
ORDINALS = {word: place for place, word in enumerate(_ORDINALS, 1)}
"""Days of a month written out, `last` as 32."""
NO_YEAR = 4
"""The year that stands in a period whose year is not said; a leap year."""

_MONTH = (
    r"(jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|"
    r"oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"(\d{1,2})(?:st|nd|rd|th)?"
_YEAR = r"((?:19|20|21)\d\d)(?!\d)"
_ISO = re.compile(r"(?<!\d)((?:19|20|21)\d\d)([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_ISO_MONTH = re.compile(r"(?<![\d-])((?:19|20|21)\d\d)-(0[1-9]|1[0-2])(?![-\d])")
_SLASHED = re.compile(r"(?<![\d/])(\d{1,2})/(\d{1,2})/((?:19|20|21)\d\d)(?!\d)")
_DAY_FIRST = re.compile(
    rf"(?<![\d.])(?:{_DAY}\s?[-–]\s?)?{_DAY}(?:\s+of)?\s{{0,3}}{_MONTH}(?:,?\s{{0,3}}{_YEAR})?", re.I
)
_MONTH_FIRST = re.compile(
    rf"\b{_MONTH}\s{{1,3}}{_DAY}(?!\d)(?:\s?(?:[-–]|to)\s?{_DAY}(?!\d))?(?:,?\s{{0,3}}{_YEAR})?", re.I
)
_MONTH_YEAR = re.compile(rf"\b{_MONTH},?\s{{0,3}}(?:of\s)?{_YEAR}", re.I)
_SEASON = re.compile(rf"\b(spring|summer|autumn|fall|winter)(?:\s+of)?,?\s{{1,3}}{_YEAR}", re.I)
_ORDINAL = "|".join(ORDINALS)
_ORDINAL_FIRST = re.compile(rf"\b({_ORDINAL})\s(?:day\s)?of\s{_MONTH}(?:,?\s{{0,3}}{_YEAR})?", re.I)
_ORDINAL_LAST = re.compile(rf"\b{_MONTH}\s(?:the\s)?({_ORDINAL})\b(?:,?\s{{0,3}}{_YEAR})?", re.I)
_TO = r"\s?(?:[-–]|to|until|till|through)\s?"
_SPAN = re.compile(
    rf"\b{_MONTH}\s{{1,3}}{_DAY}(?!\d)(?:,?\s{_YEAR})?{_TO}{_MONTH}\s{{1,3}}{_DAY}(?!\d)(?:,?\s{{0,3}}{_YEAR})?"
    rf"|(?<![\d.]){_DAY}\s{_MONTH}(?:,?\s{_YEAR})?{_TO}{_DAY}\s{_MONTH}(?:,?\s{{0,3}}{_YEAR})?",
    re.I,
)
_LONE_MONTH = re.compile(
    r"(?:(?<=\bin )|(?<=\bof )|(?<=\bby )|(?<=\bsince )|(?<=\buntil )|(?<=\bearly )|(?<=\blate )|(?<=\bduring ))"
    r"(January|February|March|April|May|June|July|August|September|October|November|December)\b(?!\s\d)"
)
_LONE_YEAR = re.compile(rf"(?<![\d.,$€£¥:/_-]){_YEAR}(?![.,:/_-]?\d|[A-Za-z_%])")
_HAN = re.compile(r"(?:(\d{4})年)(?:(\d{1,2})月(?:(\d{1,2})[日号號])?)?|(\d{1,2})月(\d{1,2})[日号號]")
_HINT = re.compile(
    r"\d|年|月|\b(?:january|february|march|april|may|june|july|august|september|october|november|december)\b", re.I
)


class Period(NamedTuple):
    """Days from `first` to `last`, both included."""

    first: date
    last: date
    loose: bool = False
    """The edges are not meant exactly, as in `the week before 9 June 2023`."""

    @property
    def has_year(self) -> bool:
        """Whether the year was said."""
        return self.first.year != NO_YEAR

    @property
    def days(self) -> int:
        """How many days it spans."""
        return (self.last - self.first).days + 1


class Dated(NamedTuple):
    """A period where it stands in a text."""

    start: int
    end: int
    period: Period


def day(year: int, month: int, number: int) -> Period | None:
    """The period of one day; None where the calendar has no such day."""
    try:
        only = date(year, month, number)
    except ValueError:
        return None
    return Period(only, only)


def month(year: int, number: int) -> Period | None:
    """The period of one month; None where there is no such month."""
    if not 1 <= number <= 12:
        return None
    following = date(year + number // 12, number % 12 + 1, 1)
    return Period(date(year, number, 1), following - timedelta(days=1))


def year(number: int) -> Period:
    """The period of one year."""
    return Period(date(number, 1, 1), date(number, 12, 31))


def season(number: int, name: str) -> Period:
    """The period of a season (three whole months; winter begins in `number`)."""
    first, last = SEASONS[name.lower()]
    end = month(number + (last < first), last)
    assert end is not None
    return Period(date(number, first, 1), end.last, True)


def _month_number(name: str) -> int:
    return next(place for place, full in enumerate(MONTHS, 1) if full.startswith(name.lower()[:3]))


def _iso(found: re.Match[str]) -> Period | None:
    return day(int(found[1]), int(found[3]), int(found[4]))


def _slashed(found: re.Match[str]) -> Period | None:
    return day(int(found[3]), int(found[1]), int(found[2])) or day(int(found[3]), int(found[2]), int(found[1]))


def _days(at: int, which: int, first: str, last: str) -> Period | None:
    begin, end = day(at, which, int(first)), day(at, which, int(last))
    return Period(begin.first, end.last) if begin and end and begin <= end else None


def _day_first(found: re.Match[str]) -> Period | None:
    return _days(int(found[4] or NO_YEAR), _month_number(found[3]), found[1] or found[2], found[2])


def _month_first(found: re.Match[str]) -> Period | None:
    return _days(int(found[4] or NO_YEAR), _month_number(found[1]), found[2], found[3] or found[2])


def _ordinal_day(at: int, which: int, word: str) -> Period | None:
    number = ORDINALS[word.lower()]
    whole = month(at, which)
    return Period(whole.last, whole.last) if number > 31 and whole else day(at, which, number)


def _ordinal_first(found: re.Match[str]) -> Period | None:
    if found[1].lower() == "last" and " day " not in found[0].lower():
        return None
    return _ordinal_day(int(found[3] or NO_YEAR), _month_number(found[2]), found[1])


def _ordinal_last(found: re.Match[str]) -> Period | None:
    if found[2].lower() == "last" or found[1][0].islower():
        return None
    return _ordinal_day(int(found[3] or NO_YEAR), _month_number(found[1]), found[2])


def _span(found: re.Match[str]) -> Period | None:
    if found[1]:
        first, begin, early, last, end, late = found.groups()[:6]
    else:
        begin, first, early, end, last, late = found.groups()[6:]
    at = int(late or early or NO_YEAR)
    start, stop = day(int(early or at), _month_number(first), int(begin)), day(at, _month_number(last), int(end))
    return Period(start.first, stop.last) if start and stop and start <= stop else None


def _month_year(found: re.Match[str]) -> Period | None:
    return month(int(found[2]), _month_number(found[1]))


def _han(found: re.Match[str]) -> Period | None:
    if found[4]:
        return day(NO_YEAR, int(found[4]), int(found[5]))
    at = int(found[1])
    if not 1900 <= at <= 2199:
        return None
    if found[3]:
        return day(at, int(found[2]), int(found[3]))
    return month(at, int(found[2])) if found[2] else year(at)


_READERS = (
    (_ISO, _iso),
    (_ISO_MONTH, lambda found: month(int(found[1]), int(found[2]))),
    (_HAN, _han),
    (_SLASHED, _slashed),
    (_SPAN, _span),
    (_ORDINAL_FIRST, _ordinal_first),
    (_ORDINAL_LAST, _ordinal_last),
    (_DAY_FIRST, _day_first),
    (_MONTH_FIRST, _month_first),
    (_MONTH_YEAR, _month_year),
    (_SEASON, lambda found: season(int(found[2]), found[1])),
    (_LONE_MONTH, lambda found: month(NO_YEAR, _month_number(found[1]))),
    (_LONE_YEAR, lambda found: year(int(found[1]))),
)


def extract(text: str) -> tuple[list[Dated], str]:
    """The dates in `text` from left to right, none inside another, and the text with them blanked out."""
    if not _HINT.search(text):
        return [], text
    out: list[tuple[int, int, Period]] = []
    for pattern, read in _READERS:
        text = take(text, pattern, read, out)
    return sorted(Dated(*each) for each in out), text


def find(text: str) -> list[Dated]:
    """The dates in `text` from left to right."""
    return extract(text)[0]


def first_day(text: str) -> date | None:
    """The first full date (day, month and year) in `text`, e.g. in the time of a turn."""
    return next((each.period.first for each in find(text) if each.period.has_year and each.period.days == 1), None)


def write(period: Period) -> str:
    """The period as people write it: `7 May 2023`, `May 2023`, `2023`, `5-6 November 2022`."""
    first, last = period.first, period.last
    name = MONTHS[first.month - 1].capitalize()
    tail = f" {first.year}" if period.has_year else ""
    if first == last:
        return f"{first.day} {name}{tail}"
    if period == year(first.year):
        return str(first.year)
    if (first.year, first.month) == (last.year, last.month):
        return f"{name}{tail}" if period == month(first.year, first.month) else f"{first.day}-{last.day} {name}{tail}"
    ends = MONTHS[last.month - 1].capitalize()
    return f"{first.day} {name} {first.year} - {last.day} {ends} {last.year}"
