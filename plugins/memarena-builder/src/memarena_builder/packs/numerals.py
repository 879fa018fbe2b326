"""Numbers as people write them: in words, and with other names for their units; and back to how gold writes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from memarena_arena.language import han
from memarena_arena.language.spelled import HINT, NUMBER, number

_TEENS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_HAN_DIGITS, _HAN_UNITS = "零一二三四五六七八九", ("", "十", "百", "千")
_DIGITS = r"\d[\d,]*"

Spelling = Literal["", "en", "zh"]
"""The language in whose words numbers are written; "": in none."""


def spelled(value: int, spelling: Spelling) -> str:
    """A number below a million in words; "" for one that has a single word."""
    if not spelling:
        return ""
    write, several = _SPELLED[spelling]
    words = write(value)
    return words if several.fullmatch(words) else ""


def _in_words(value: int) -> str:
    if value < len(_TEENS):
        return _TEENS[value]
    if value < 100:
        tens, rest = divmod(value, 10)
        return _TENS[tens - 2] + (f"-{_TEENS[rest]}" if rest else "")
    if value < 1000:
        hundreds, rest = divmod(value, 100)
        return f"{_TEENS[hundreds]} hundred" + (f" and {_in_words(rest)}" if rest else "")
    thousands, rest = divmod(value, 1000)
    joint = " and " if 0 < rest < 100 else " "
    return f"{_in_words(thousands)} thousand" + (f"{joint}{_in_words(rest)}" if rest else "")


def _in_han(value: int) -> str:
    high, low = divmod(value, 10_000)
    if high:
        gap = "零" if 0 < low < 1000 else ""
        return f"{_two(_in_han(high))}万" + gap + (_in_han(low) if low else "")
    said = ""
    for place, digit in zip(range(len(str(low)) - 1, -1, -1), map(int, str(low)), strict=True):
        if digit:
            said += _two(_HAN_DIGITS[digit]) if place > 1 else _HAN_DIGITS[digit]
            said += _HAN_UNITS[place]
        elif said and not said.endswith("零"):
            said += "零"
    said = said.rstrip("零") or "零"
    return said.removeprefix("一") if 10 <= value < 20 else said


def _two(said: str) -> str:
    """`两` for a lone two before a large unit."""
    return "两" if said == "二" else said


_SPELLED: Mapping[str, tuple[Callable[[int], str], re.Pattern[str]]] = {
    "en": (_in_words, NUMBER), "zh": (_in_han, han.NUMBER),
}  # fmt: skip
"""By language: what writes a number, and what several words of one are found by."""


class Numerals:
    """Reads what is written otherwise; `units`: by unit as gold has it, its other names."""

    def __init__(self, units: Mapping[str, tuple[str, ...]]) -> None:
        self._units = {other.lower(): unit for unit, others in units.items() for other in others}
        names = "|".join(sorted(map(re.escape, self._units), key=len, reverse=True))
        self._amount = (
            re.compile(rf"(?<![A-Za-z0-9.,-])({_DIGITS})( ?)({names})(?![A-Za-z0-9])", re.IGNORECASE) if names else None
        )

    def as_gold(self, text: str) -> str:
        """`text` with all numbers in digits and all units by their usual names."""
        if HINT.search(text):
            text = NUMBER.sub(_digits, text)
        text = han.in_digits(text)
        return self._amount.sub(self._named, text) if self._amount else text

    def others(self, text: str) -> Iterator[str]:
        """What in `text` is a number in words, or an amount by another name of its unit."""
        for regex in (NUMBER, han.NUMBER, self._amount):
            yield from (found[0] for found in regex.finditer(text)) if regex else ()

    def _named(self, found: re.Match[str]) -> str:
        unit = self._units[found[3].lower()]
        return f"{found[1]}{' ' if unit.isascii() else ''}{unit}"


def _digits(found: re.Match[str]) -> str:
    value = number(found[0])
    return found[0] if value is None else str(value)
