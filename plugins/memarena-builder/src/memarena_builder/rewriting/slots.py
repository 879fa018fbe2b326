"""Turns with blanks: whatever a fact can rest on becomes a mark that a model can only carry along."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

_SIGN = "[A-Za-z0-9]"
_NUMBER = re.compile(rf"(?<!{_SIGN})(?=(?:{_SIGN}|[-./:,](?={_SIGN}))*\d){_SIGN}+(?:[-./:,]{_SIGN}+)*")
"""Letters and digits without a blank between, a digit among them."""
MARK = re.compile(r"<V\d+>")


class Masked(NamedTuple):
    """A turn whose names, values and numbers are marks."""

    text: str
    values: dict[str, str]
    """By mark: what stands there. Every place has a mark of its own."""

    def filled(self, text: str) -> str:
        """`text` with what its marks stand for."""
        return MARK.sub(lambda mark: self.values[mark[0]], text)

    def has_all(self, text: str) -> bool:
        """Whether `text` has every mark as often as this turn, and no other."""
        return Counter(MARK.findall(text)) == Counter(list(self.values))


def masked(text: str, kept: Iterable[str]) -> Masked:
    """`text` with a mark for each of `kept` and for every number that is left."""
    words = sorted({each for each in kept if each}, key=lambda each: (-len(each), each))
    pattern = "|".join(map(re.escape, words))
    whole = f"(?<![A-Za-z0-9])(?i:{pattern})(?![A-Za-z0-9])"
    found = re.compile(f"{whole}|{_NUMBER.pattern}" if words else _NUMBER.pattern)
    values: dict[str, str] = {}

    def mark(place: re.Match[str]) -> str:
        name = f"<V{len(values) + 1}>"
        values[name] = place[0]
        return name

    return Masked(found.sub(mark, text), values)
