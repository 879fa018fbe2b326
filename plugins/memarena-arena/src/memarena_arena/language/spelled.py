"""Numbers and times of day written out in words: `twenty-three`, `half past five`, `six in the evening`."""

from __future__ import annotations

import re

from memarena_arena.language.lexicon import NUMBERS

_SIMPLE = {word: int(digits) for word, digits in NUMBERS.items() if word not in ("once", "single", "twice", "thrice")}
_UNITS = {
    word: number for word, number in _SIMPLE.items() if 0 < number < 100 and word not in ("couple", "pair", "dozen")
}
_SCALES = {"hundred": 100, "thousand": 1000, "million": 1_000_000}
_WORD = "|".join(sorted((*_UNITS, *_SCALES), key=len, reverse=True))
_HOUR = "|".join(sorted((word for word, number in _UNITS.items() if number <= 12), key=len, reverse=True))
_DAYTIME = r"in the (morning|afternoon|evening)|at (night)"

HINT = re.compile(r"ty[\s-]|hundred|thousand|million|o'clock|past|quarter|noon|midnight|in the|at night", re.I)
"""A text without any of these has nothing for this module."""

NUMBER = re.compile(rf"\b(?:{_WORD})(?:[\s-]+(?:and\s+)?(?:{_WORD}))+\b", re.I)
"""Two number words or more, side by side."""

TIME = re.compile(
    rf"\b(?:(half past|(?:a\s+)?quarter past|(?:a\s+)?quarter to)\s+)?(\d{{1,2}}|{_HOUR})(?:\s+(o'clock))?"
    rf"(?:\s+(?:{_DAYTIME}))?(?![\w:])|\b(noon|midday|midnight)\b",
    re.I,
)
"""A time of day in words; a bare hour is none."""


def number(words: str) -> int | None:
    """The number that number words make together; None where they do not (`two three`)."""
    total, group, last = 0, 0, 0
    for word in re.findall(r"[a-z]+", words.lower()):
        if word == "and":
            continue
        if word in _SCALES:
            scale = _SCALES[word]
            if scale == 100:
                if not 0 < group < 10:
                    return None
                group, last = group * 100, 100
            else:
                total, group, last = total + (group or 1) * scale, 0, 0
            continue
        value = _UNITS[word]
        if group and not (last == 100 or (last >= 20 and value < 10)):
            return None
        group, last = group + value, value
    return total + group


def time_of_day(found: re.Match[str]) -> tuple[int, int] | None:
    """Hour and minute of a match of `TIME`; None where it names an hour without saying that it is one."""
    side, hour, clock, part, night, named = found.groups()
    if named:
        return (0, 0) if named.lower() == "midnight" else (12, 0)
    if not (side or clock or part or night):
        return None
    at = int(hour) if hour.isdigit() else _UNITS[hour.lower()]
    if not 1 <= at <= 12:
        return None
    if (part or "").lower() in ("afternoon", "evening") or (night and at >= 6):
        at = at % 12 + 12
    minute = 30 if side and side.lower().startswith("half") else 15 if side else 0
    if side and side.lower().endswith("to"):
        at, minute = (at - 1) % 24, 45
    return at % 24, minute
