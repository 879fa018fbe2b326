"""Reads the times of data sets: whatever the machine's language, and never made up."""

from __future__ import annotations

import re
from datetime import UTC, datetime

MONTH_NAMES = (
    "january", "february", "march", "april", "may", "june",
    "july", "august", "september", "october", "november", "december",
)  # fmt: skip
MONTHS = tuple(name[:3] for name in MONTH_NAMES)

DAY = 14
"""Characters of `Jan 02, 2025, `, before the clock."""

_WRITTEN = re.compile(r"([A-Za-z]{3}) (\d{1,2}), (\d{4}), (\d{2}):(\d{2}):(\d{2})", re.ASCII)
_SPOKEN = re.compile(r"(\d{1,2}):(\d{2}) ([ap])m on (\d{1,2}) ([A-Za-z]+), (\d{4})", re.ASCII)
_EPOCH = re.compile(r"\d{10}(\d{3})?", re.ASCII)
_SURE = re.compile(
    r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec) (?:0[1-9]|1\d|2[0-8]), "
    r"(?:19|2\d)\d\d, (?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d",
    re.ASCII,
)
_NUMBERS = {name.title(): f"{number:02}" for number, name in enumerate(MONTHS, 1)}


def parse(text: str) -> datetime | None:
    """`Jan 02, 2025, 09:00:00`, `1:56 pm on 8 May, 2023`, ISO 8601 or seconds or milliseconds since 1970 (UTC); None
    where it is none of these, or no day of the calendar."""
    found = _WRITTEN.fullmatch(text)
    try:
        if found is None:
            return _spoken(text) or _epoch(text) or datetime.fromisoformat(text)
        month, *numbers = found.groups()
        day, year, hour, minute, second = map(int, numbers)
        return datetime(year, MONTHS.index(month.lower()) + 1, day, hour, minute, second)
    except ValueError:
        return None


def _spoken(text: str) -> datetime | None:
    found = _SPOKEN.fullmatch(text)
    if found is None or found[5].lower() not in MONTH_NAMES:
        return None
    hour, minute, day, year = map(int, found.group(1, 2, 4, 6))
    if not 1 <= hour <= 12:
        return None
    month = MONTH_NAMES.index(found[5].lower()) + 1
    return datetime(year, month, day, hour % 12 + 12 * (found[3] == "p"), minute)


def _epoch(text: str) -> datetime | None:
    found = _EPOCH.fullmatch(text)
    return datetime.fromtimestamp(int(text[:10]), UTC) if found else None


class KnownTimes:
    """Tells quickly that a time is one: most share their day or their clock with an earlier one."""

    def __init__(self) -> None:
        self.days: dict[str, str] = {}
        """Beginnings of `DAY` characters that are right with any of `clocks` behind them, each as a sortable text."""
        self.clocks: set[str] = set()

    def check(self, text: str) -> bool:
        """Whether `parse` can read `text`."""
        if _SURE.fullmatch(text):
            self.days[text[:DAY]] = f"{text[8:12]}{_NUMBERS[text[:3]]}{text[4:6]}"
            self.clocks.add(text[DAY:])
            return True
        return parse(text) is not None

    def sort_key(self, text: str) -> str | None:
        """A text that sorts as the time does (UTC where it has an offset); None where `parse` cannot read it."""
        day, clock = self.days.get(text[:DAY]), text[DAY:]
        if day is not None and clock in self.clocks:
            return day + clock
        when = parse(text)
        try:
            when = when and (when.astimezone(UTC) if when.tzinfo else when)
        except OverflowError:
            return None
        return None if when is None else f"{when.year:04}{when:%m%d%H:%M:%S}"
