"""What a validator finds."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from typing import Self

from msgspec.structs import replace

from memarena.records import Record
from memarena_arena.language.words import SINGLE
from memarena_builder.packs.numerals import Numerals

_SINGLE = re.compile(f"[{SINGLE}]")
_SEPARATOR = re.compile(r"(?<=\d),(?=\d{3})")


class Problem(Record, frozen=True, kw_only=True):
    """Something that is wrong with one unit of a sample."""

    validator: str
    """`V1` to `V11`."""
    unit: str
    """The session, question, picture or point."""
    message: str
    about: tuple[str, ...] = ()
    """Ids of the facts or events without which the problem would not be; () where that is no matter of gold."""
    repaired: bool = False
    """The unit was made again and the sample does not have the problem."""
    dropped: bool = False
    """The unit left the sample, after it could not be made right."""

    @property
    def left(self) -> bool:
        """The sample still has it."""
        return not (self.repaired or self.dropped)

    def mended(self) -> Self:
        """The same, after the unit was made again."""
        return replace(self, repaired=True)

    def gone(self) -> Self:
        """The same, after the unit left the sample."""
        return replace(self, dropped=True)


@lru_cache(maxsize=1 << 14)
def plain(text: str) -> str:
    """`text` as it is searched: lower case, numbers in digits without separators, units by their usual names."""
    return _SEPARATOR.sub("", numerals().as_gold(text).lower())


@cache
def numerals() -> Numerals:
    """How all languages that have schema packs write numbers."""
    from memarena_builder.packs.load import languages, writing

    return Numerals({unit: names for language in languages() for unit, names in writing(language).units.items()})


def _joined(beside: str, edge: str) -> bool:
    """Whether the letter beside a value makes it part of a longer word; in a script without blanks none does."""
    return beside.isalnum() and not (_SINGLE.match(beside) or _SINGLE.match(edge))


def says(text: str, value: str) -> bool:
    """Whether `value` stands in `text` as a whole; both as `plain` has made them."""
    at = text.find(value)
    while at >= 0:
        end = at + len(value)
        if not (_joined(text[at - 1 : at], value[:1]) or _joined(text[end : end + 1], value[-1:])):
            return True
        at = text.find(value, at + 1)
    return False
