"""Values in text: numbers, times of day and ids, whatever way they are written.

A value is a key that compares equal for equal values: `#1240` for `1,240`, `$1,240` and `1240.0`; `t15:30` for
`3:30 pm`; `@s04_img_1` for an id. Dates are periods (`dates.py`). Percent signs, currencies and units are not
part of a number: their words are compared as words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import NamedTuple, TypeVar

from memarena_arena.language import spelled
from memarena_arena.language.words import SINGLE

T = TypeVar("T")


NUMBER, TIME, ID = "#", "t", "@"
"""First character of a key, by kind."""

_DIGIT = re.compile(r"\d")
_SCALES = {"k": 3, "thousand": 3, "m": 6, "mn": 6, "million": 6, "b": 9, "bn": 9, "billion": 9, "万": 4, "亿": 8}
_TIME = re.compile(
    r"(?<![\d:.,])(\d{1,2})(?::(\d\d)(?::\d\d)?)?\s?([ap])\.?m\b\.?"
    r"|(?<![\d:.,])(\d{1,2}):(\d\d)(?::\d\d)?(?![\d:])",
    re.I,
)
_ID = re.compile(r"[A-Za-z0-9]+(?:[_\-./][A-Za-z0-9]+)*")
_MEASURED = re.compile(r"\d+(?:[.,]\d+)*[A-Za-z]{1,6}(?:/[A-Za-z]+)?")
_NUMBER = re.compile(
    r"(?:(?<![\w)])(-))?(?:([$€£¥])\s?)?" + rf"(?<![^\W{SINGLE}])" + r"(?<!\.)(\d{1,3}(?:,\d{3})+(?!\d)|\d+)(\.\d+)?"
    r"(?:(?:st|nd|rd|th)\b|\s?(k|m|mn|bn|million|billion|thousand|[万亿])(?![A-Za-z]))?",
    re.I,
)


class Value(NamedTuple):
    """A value where it stands in a text."""

    start: int
    end: int
    key: str


def is_value(key: str) -> bool:
    """Whether a key is that of a number, a time or an id, not of a word."""
    return key[0] in NUMBER + ID or (key[0] == TIME and ":" in key)


def number_key(digits: str, scale: int = 0) -> str:
    """The key of a decimal number written without separators, times ten to the `scale`."""
    if len(digits) > 40:
        return NUMBER + digits
    plain = format(Decimal(digits).scaleb(scale), "f")
    whole, _, part = plain.partition(".")
    part = part.rstrip("0")
    sign, whole = ("-", whole[1:]) if whole.startswith("-") else ("", whole)
    return f"{NUMBER}{sign}{whole.lstrip('0') or '0'}{'.' if part else ''}{part}"


def _time(found: re.Match[str]) -> str | None:
    hour, minute = (found[1], found[2] or "0") if found[1] else (found[4], found[5])
    number = int(hour)
    if found[3]:
        if not 1 <= number <= 12:
            return None
        number = number % 12 + (12 if found[3].lower() == "p" else 0)
    if number > 23 or int(minute) > 59:
        return None
    return f"{TIME}{number:02}:{int(minute):02}"


def is_id(token: str) -> bool:
    """Whether a token is an id: letters and digits mixed, but no number with its unit (`3.5mg`)."""
    if token.isalpha() or token.isdigit():
        return False
    mixed = any(each.isdigit() for each in token) and any(each.isalpha() for each in token)
    return mixed and ("_" in token or _MEASURED.fullmatch(token) is None)


def _spelled_time(found: re.Match[str]) -> str | None:
    at = spelled.time_of_day(found)
    return f"{TIME}{at[0]:02}:{at[1]:02}" if at else None


def _spelled_number(found: re.Match[str]) -> str | None:
    number = spelled.number(found[0])
    return None if number is None else number_key(str(number))


def _id(found: re.Match[str]) -> str | None:
    return ID + found[0].lower() if is_id(found[0]) else None


def _number(found: re.Match[str]) -> str:
    scale = (found[5] or "").lower()
    if len(scale) == 1 and scale.isalpha() and scale.isascii() and not found[2]:
        scale = ""
    return number_key((found[1] or "") + found[3].replace(",", "") + (found[4] or ""), _SCALES.get(scale, 0))


def take(
    text: str, pattern: re.Pattern[str], read: Callable[[re.Match[str]], T | None], out: list[tuple[int, int, T]]
) -> str:
    """Put (start, end, what was read) of each match into `out`; the text with what was taken blanked out."""

    def blank(found: re.Match[str]) -> str:
        value = read(found)
        if value is None:
            return found[0]
        out.append((found.start(), found.end(), value))
        return "\0" * len(found[0])

    return pattern.sub(blank, text)


def extract(text: str) -> tuple[list[Value], str]:
    """The times, ids and numbers in `text` from left to right, and the text with them blanked out.

    Dates are to be blanked out before.
    """
    digits, words = _DIGIT.search(text), spelled.HINT.search(text)
    if not digits and not words:
        return [], text
    out: list[tuple[int, int, str]] = []
    if words:
        text = take(text, spelled.TIME, _spelled_time, out)
        text = take(text, spelled.NUMBER, _spelled_number, out)
    for pattern, read in ((_TIME, _time), (_ID, _id), (_NUMBER, _number)):
        text = take(text, pattern, read, out)
    return sorted(Value(*each) for each in out), text
