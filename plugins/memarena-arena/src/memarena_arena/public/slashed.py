"""The times of LongMemEval, `2023/05/30 (Tue) 23:40`, as ISO 8601, which everything here understands."""

from __future__ import annotations

import re
from datetime import datetime

from memarena_arena.faults import Faults, kind_of, quoted

_SLASHED = re.compile(r"(\d{4})/(\d{1,2})/(\d{1,2})(?: \(([A-Za-z]{3})\))?(?: (\d{1,2}):(\d{2}))?", re.ASCII)
_DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")


def iso(given: object, path: str, faults: Faults) -> tuple[str | None, datetime | None]:
    """`2023-05-30T23:40` and what it means; without a clock `2023-05-30`. No time zone is said, and none is added.

    None for an absent time. One in another form is kept as it is and reported, and so is a wrong day of the week.
    """
    if given is None or given == "":
        return None, None
    if not isinstance(given, str):
        faults.warn("odd_time", f"a time is a text, not {kind_of(given)}; left out", path)
        return None, None
    found = _SLASHED.fullmatch(given.strip())
    try:
        when = datetime(*(int(part or 0) for part in found.group(1, 2, 3, 5, 6))) if found else None  # type: ignore[arg-type]
    except ValueError:
        when = None
    if found is None or when is None:
        faults.warn("odd_time", f"{quoted(given)} is kept as it is", path)
        return given, None
    if found[4] and found[4].lower() != _DAYS[when.weekday()]:
        faults.warn("odd_weekday", f"{quoted(given)} is no {found[4]}; the date counts", path)
    return f"{when:%Y-%m-%dT%H:%M}" if found[5] else f"{when:%Y-%m-%d}", when
