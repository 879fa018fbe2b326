"""Dates as people say them, resolved against the day on which they were said: `yesterday`, `last week`."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import lru_cache, partial
from typing import NamedTuple

from memarena_arena.language.dates import NO_YEAR, SEASONS, Period, extract, season, write, year
from memarena_arena.language.relative import (
    count,
    months_on,
    shift,
    week_after,
    week_before,
    week_of,
    weekday_after,
    weekday_before,
    weekday_number,
    weekend_after,
    weekend_before,
)
from memarena_arena.language.values import take

_NUMBER = r"\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|a few|few|a couple of|several|some"
_VAGUE = frozenset({"a few", "few", "several", "some", "a couple of"})
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:mon|tues?|wed|thurs?|fri|sat|sun)\b\.?"
_SEASON = "spring|summer|autumn|fall|winter"


class Said(NamedTuple):
    """A date in speech: where it stands, when that was, and how to write it without knowing the day."""

    start: int
    end: int
    period: Period
    phrase: str


def _days(day: date, moved: int) -> tuple[Period, str]:
    period = shift(day, moved, "day")
    return period, write(period)


def _span(make: Callable[[date], Period], words: str) -> Callable[[date, re.Match[str]], tuple[Period, str]]:
    return lambda day, _: (make(day), f"{words} {write(Period(day, day))}")


def _months(day: date, moved: int) -> tuple[Period, str]:
    at = months_on(day, moved)
    period = shift(at, 0, "month")
    return period, write(period._replace(loose=False))


def _ago(day: date, found: re.Match[str]) -> tuple[Period, str]:
    word, unit = found[1].lower(), found[2].lower()
    vague = word in _VAGUE
    sign = 1 if found[0].lower().startswith("in ") else -1
    number = sign * count(word)
    period = shift(day, number, unit, vague=vague)
    if unit == "year" and not vague:
        return period, write(period)
    if unit == "month" and not vague:
        return period, write(period._replace(loose=False))
    if unit == "day" and not vague:
        return period, write(period)
    side = "after" if sign > 0 else "before"
    if not vague and abs(number) == 1:
        return (week_after(day) if sign > 0 else week_before(day)), f"the {unit} {side} {write(Period(day, day))}"
    return period, f"{word} {unit}s {side} {write(Period(day, day))}"


def _lasting(day: date, found: re.Match[str]) -> tuple[Period, str]:
    word, unit = found[1].lower(), found[2].lower()
    if " exactly " in found[0].lower() and unit in ("day", "week"):
        return _days(day, -count(word) * (7 if unit == "week" else 1))
    period = shift(day, -count(word), unit, vague=word in _VAGUE)
    return period, write(
        period._replace(loose=False)
    ) if unit != "week" else f"{word} weeks before {write(Period(day, day))}"


def _weekday(day: date, found: re.Match[str]) -> tuple[Period, str]:
    which = weekday_number(found[2])
    assert which is not None
    later = found[1].lower() in ("next", "this", "this coming", "coming")
    period = weekday_after(day, which) if later else weekday_before(day, which)
    return period, write(period)


def _day_of_month(day: date, found: re.Match[str]) -> tuple[Period, str] | None:
    number = int(found[1])
    at = day if number <= day.day else months_on(day.replace(day=1), -1)
    try:
        period = Period(at.replace(day=number), at.replace(day=number))
    except ValueError:
        return None
    return period, write(period)


def _past_season(day: date, found: re.Match[str]) -> tuple[Period, str]:
    which, name = found[1].lower(), found[2].lower()
    number = day.year
    if which == "last" and (number, SEASONS[name][0]) >= (day.year, day.month - 2):
        number -= 1
    elif which == "next" and SEASONS[name][0] <= day.month:
        number += 1
    return season(number, name), f"{name} {number}"


_RULES: tuple[tuple[re.Pattern[str], Callable[[date, re.Match[str]], tuple[Period, str] | None]], ...] = tuple(
    (re.compile(pattern, re.I), rule)
    for pattern, rule in (
        (r"\bthe day before yesterday\b|前天", lambda day, _: _days(day, -2)),
        (r"\byesterday\b|\blast night\b|昨天|昨日", lambda day, _: _days(day, -1)),
        (r"\btomorrow\b|明天|明日", lambda day, _: _days(day, 1)),
        (r"\btoday\b|\btonight\b|\bthis (?:morning|afternoon|evening)\b|今天|今日", lambda day, _: _days(day, 0)),
        (rf"\b({_NUMBER})\s+(day|week|month|year)s?\s+(?:ago|back)\b", _ago),
        (rf"\bin ({_NUMBER})\s+(day|week|month|year)s?\b", _ago),
        (
            rf"(?:\bhave|\bhas|'ve|'s)\s[^.;!?]{{2,60}}?\bfor (?:exactly |about |almost |over |nearly )?"
            rf"({_NUMBER})\s+(day|week|month|year)s?\b(?! (?:of|in))",
            _lasting,
        ),
        (rf"\b(last|this past|past|next|this coming|coming|this)\s+({_WEEKDAY})\b", _weekday),
        (rf"\b(on|since)\s({_WEEKDAY})\b", _weekday),
        (r"\bon the (\d{1,2})(?:st|nd|rd|th)\b", _day_of_month),
        (
            r"\b(?:last|this past|past|over the|during the|the past) week-?end\b",
            _span(weekend_before, "the weekend before"),
        ),
        (r"\b(?:this|next|the coming|coming) week-?end\b", _span(weekend_after, "the weekend after")),
        (r"\blast week\b|\bthe past week\b|\bthe other week\b|上周|上星期", _span(week_before, "the week before")),
        (r"\bnext week\b|\bthe coming week\b|下周|下星期", _span(week_after, "the week after")),
        (r"\bthis week\b|这周|本周", _span(week_of, "the week of")),
        (r"\bthe other day\b", _span(lambda day: shift(day, -3, "day", vague=True), "a few days before")),
        (r"\blast month\b|上个月", lambda day, _: _months(day, -1)),
        (r"\bnext month\b|下个月", lambda day, _: _months(day, 1)),
        (r"\bthis month\b|这个月", lambda day, _: _months(day, 0)),
        (r"\blast year\b|去年", lambda day, _: (year(day.year - 1), str(day.year - 1))),
        (r"\bnext year\b|明年", lambda day, _: (year(day.year + 1), str(day.year + 1))),
        (r"\bthis year\b|今年", lambda day, _: (year(day.year), str(day.year))),
        (rf"\b(last|this|next) ({_SEASON})\b", _past_season),
    )
)


def _nearest(period: Period, day: date) -> Period:
    """A period without a year, put into the year that brings it nearest to `day`."""
    options = []
    for number in (day.year - 1, day.year, day.year + 1):
        move = (number - NO_YEAR) * 12
        options.append(Period(months_on(period.first, move), months_on(period.last, move), period.loose))
    return min(options, key=lambda each: abs((each.first - day).days))


@lru_cache(maxsize=1 << 14)
def said(text: str, day: date | None) -> tuple[Said, ...]:
    """The dates of `text`, resolved against `day` (without it, only those that stand for themselves)."""
    dated, rest = extract(text)
    out: list[tuple[int, int, tuple[Period, str]]] = []
    for each in dated:
        period = each.period if each.period.has_year or day is None else _nearest(each.period, day)
        out.append((each.start, each.end, (period, write(period))))
    if day is not None:
        for pattern, rule in _RULES:
            rest = take(rest, pattern, partial(rule, day), out)
    return tuple(Said(start, end, *what) for start, end, what in sorted(out))
