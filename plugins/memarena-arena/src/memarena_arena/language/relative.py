"""Dates that hang on another date: `the week before 9 June 2023`, `yesterday`, `two weeks ago`."""

from __future__ import annotations

import re
from calendar import monthrange
from datetime import date, timedelta

from memarena_arena.language.dates import WEEKDAYS, Dated, Period, extract, month, year
from memarena_arena.language.lexicon import NUMBERS

_COUNT = r"(\d{1,3}|a|an|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a few|few|a couple of|several|some)"
_UNIT = r"(day|week|weekend|month|year)s?"
_WEEKDAY = "(mon|tue|tues|wed|thu|thur|thurs|fri|sat|sun)(?:day|sday|nesday|rsday|urday)?"
_VAGUE = frozenset({"a few", "few", "several", "some", "a couple of"})

_HEAD = re.compile(
    rf"(?:\b{_COUNT}\s+{_UNIT}\s+(before|after|prior to|following|from)|"
    rf"\b(week|weekend|day|night|month|year|{_WEEKDAY})\s+(before|after|of|prior to|following|preceding|in)|"
    r"\b(first|second|third|fourth|last)\s+(week|weekend)\s+(?:of|in)|"
    r"\b(early|mid|late|beginning of|start of|middle of|end of)[-\s]?)\s*$",
    re.I,
)
_ARTICLE = re.compile(r"(?:\bthe)?\s*$", re.I)
_ORDINALS = {"first": 0, "second": 1, "third": 2, "fourth": 3}


def count(word: str) -> int:
    """The number that `a`, `two` or `14` stands for; 3 for the vague ones."""
    word = word.lower()
    if word in _VAGUE:
        return 2 if "couple" in word else 3
    return int(word) if word.isdigit() else int(NUMBERS.get(word, "1"))


def months_on(day: date, months: int) -> date:
    """`day` moved by whole months, kept inside the month."""
    place = day.year * 12 + day.month - 1 + months
    at, which = min(max(place // 12, 1), 9998), place % 12 + 1
    return date(at, which, min(day.day, monthrange(at, which)[1]))


def shift(day: date, number: int, unit: str, *, vague: bool = False) -> Period:
    """The period `number` units after `day` (before, where negative), as loose as its unit."""
    if unit == "day":
        near, far = sorted((number // abs(number), 2 * number)) if vague else (number, number)
        return Period(day + timedelta(days=near), day + timedelta(days=far), vague)
    if unit in ("week", "weekend"):
        moved = day + timedelta(days=7 * number)
        return Period(moved - timedelta(days=3), moved + timedelta(days=3), True)
    if unit == "month":
        moved = months_on(day, number)
        whole = month(moved.year, moved.month)
        assert whole is not None
        return whole._replace(loose=True)
    return year(months_on(day, 12 * number).year)


def week_before(day: date) -> Period:
    """The seven days before `day`."""
    return Period(day - timedelta(days=7), day - timedelta(days=1), True)


def week_after(day: date) -> Period:
    """The seven days after `day`."""
    return Period(day + timedelta(days=1), day + timedelta(days=7), True)


def week_of(day: date) -> Period:
    """Monday to Sunday around `day`."""
    monday = day - timedelta(days=day.weekday())
    return Period(monday, monday + timedelta(days=6), True)


def weekday_before(day: date, which: int) -> Period:
    """The last such weekday (0 Monday) before `day`."""
    found = day - timedelta(days=(day.weekday() - which - 1) % 7 + 1)
    return Period(found, found)


def weekday_after(day: date, which: int) -> Period:
    """The next such weekday (0 Monday) after `day`."""
    found = day + timedelta(days=(which - day.weekday() - 1) % 7 + 1)
    return Period(found, found)


def weekend_before(day: date) -> Period:
    """The last Saturday and Sunday before `day`."""
    saturday = weekday_before(day - timedelta(days=1), 5).first
    return Period(saturday, saturday + timedelta(days=1), True)


def weekend_after(day: date) -> Period:
    """The next Saturday and Sunday after `day`."""
    saturday = weekday_after(day, 5).first
    return Period(saturday, saturday + timedelta(days=1), True)


def weekday_number(word: str) -> int | None:
    """0 for Monday to 6 for Sunday, from the first three letters; None for another word."""
    return next((place for place, name in enumerate(WEEKDAYS) if name.startswith(word.lower()[:3])), None)


def _beside(anchor: Period, name: str, where: str) -> Period:
    name, where = name.lower(), where.lower()
    if where in ("of", "in"):
        return _inside(anchor, name)
    before = where in ("before", "prior to", "preceding")
    day = anchor.first if before else anchor.last
    if name == "week":
        return week_before(day) if before else week_after(day)
    if name == "weekend":
        return weekend_before(day) if before else weekend_after(day)
    which = None if name == "month" else weekday_number(name)
    if which is not None:
        return weekday_before(day, which) if before else weekday_after(day, which)
    return shift(day, -1 if before else 1, "day" if name == "night" else name)


def _inside(anchor: Period, name: str) -> Period:
    """`the week of 3 March 2023`, `the weekend of ...`; of anything longer than a day, the whole."""
    day = anchor.first
    if anchor.days > 1 or name not in ("week", "weekend"):
        return anchor
    if name == "week":
        return week_of(day)
    return weekend_before(day) if day.weekday() < 2 else weekend_after(week_of(day).first)


def _part(anchor: Period, word: str) -> Period:
    third = max(anchor.days // 3, 1)
    word = word.lower()
    if word.startswith(("early", "begin", "start")):
        return Period(anchor.first, anchor.first + timedelta(days=third), True)
    if word.startswith("mid"):
        return Period(anchor.first + timedelta(days=third), anchor.last - timedelta(days=third), True)
    return Period(anchor.last - timedelta(days=third), anchor.last, True)


def _headed(anchor: Period, head: re.Match[str]) -> Period:
    if head[1]:
        sign = -1 if head[3].lower() in ("before", "prior to") else 1
        number, vague = count(head[1]), head[1].lower() in _VAGUE
        day = anchor.first if sign < 0 else anchor.last
        return shift(day, sign * number, head[2].lower(), vague=vague)
    if head[4]:
        return _beside(anchor, head[4], head[6])
    if head[7]:
        if head[7].lower() == "last":
            return Period(anchor.last - timedelta(days=6), anchor.last, True)
        start = anchor.first + timedelta(days=7 * _ORDINALS[head[7].lower()])
        return Period(start, start + timedelta(days=6), True)
    return _part(anchor, head[9])


def extract_anchored(text: str) -> tuple[list[Dated], str]:
    """The dates in `text`, each with the words before it that shift it (`the Friday before 15 July 2023`), and the
    text with all of them blanked out."""
    dated, rest = extract(text)
    out = []
    floor = 0
    for each in dated:
        window = max(floor, each.start - 40)
        lead = _ARTICLE.sub(" ", text[window : each.start])
        head = _HEAD.search(lead)
        if head and (each.period.has_year or head[7] or head[9]):
            start = window + head.start()
            rest = rest[:start] + "\0" * (each.start - start) + rest[each.start :]
            out.append(Dated(start, each.end, _headed(each.period, head)))
        else:
            out.append(each)
        floor = each.end
    return out, rest


def find_anchored(text: str) -> list[Dated]:
    """The dates in `text`, each with the words before it that shift it."""
    return extract_anchored(text)[0]
