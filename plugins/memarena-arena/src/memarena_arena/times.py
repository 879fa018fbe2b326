"""Reads the times of data sets: never with the machine's language, never made up."""

from __future__ import annotations

import re
from datetime import datetime

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WRITTEN = re.compile(r"([A-Z][a-z]{2}) (\d{1,2}), (\d{4}), (\d{2}):(\d{2}):(\d{2})", re.ASCII)


def parse(text: str) -> datetime | None:
    """`Jan 02, 2025, 09:00:00`, else ISO 8601; None where it is neither, or no day of the calendar."""
    found = _WRITTEN.fullmatch(text)
    try:
        if found is None:
            return datetime.fromisoformat(text)
        month, *numbers = found.groups()
        day, year, hour, minute, second = map(int, numbers)
        return datetime(year, _MONTHS.index(month.lower()) + 1, day, hour, minute, second)
    except ValueError:
        return None
