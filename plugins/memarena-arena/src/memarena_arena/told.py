"""An answer, a reference or the evidence of a question, as sets over all its sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from memarena_arena.language.dates import Period
from memarena_arena.language.lexicon import NUMBERS, WEAK_NUMBERS
from memarena_arena.language.lines import sentences
from memarena_arena.language.statements import statement
from memarena_arena.language.terms import terms
from memarena_arena.language.values import is_value
from memarena_arena.language.words import alike, fold

_NONE: frozenset[str] = frozenset()
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)?")
_PARTS = re.compile(r"\s*(?:[,;](?=\s|$)|[\n•&、，；和]|\band\b)\s*")


class Told(NamedTuple):
    """A text as sets of keys."""

    text: str
    keys: frozenset[str]
    held: frozenset[str]
    """What it says is so; what it tells as a condition included."""
    denied: frozenset[str]
    retired: frozenset[str]
    """What it says was so before."""
    names: frozenset[str]
    periods: tuple[Period, ...]

    @classmethod
    def of(cls, text: str) -> Told:
        """Read `text`."""
        parts = [statement(each) for each in sentences(text)]
        return cls(
            text=fold(text),
            keys=_NONE.union(*(each.keys for each in parts)),
            held=_NONE.union(*(each.held | each.hedged for each in parts)),
            denied=_NONE.union(*(each.denied for each in parts)),
            retired=_NONE.union(*(each.retired for each in parts)),
            names=_NONE.union(*(each.names for each in parts)),
            periods=tuple(period for each in parts for period in each.periods),
        )

    @property
    def words(self) -> list[str]:
        """Its words in lower case, as written."""
        return _WORD.findall(self.text.lower())

    @property
    def sequence(self) -> list[str]:
        """Its keys in order."""
        return [term.key for each in sentences(self.text) for term in terms(fold(each))[0] if term.key]

    @property
    def pieces(self) -> list[str]:
        """What stands between its commas, semicolons, line ends and `and`s."""
        return [piece for piece in _PARTS.split(self.text) if piece.strip()]

    def with_weak_numbers(self) -> Told:
        """The same with `one`, `once` and their like taken for numbers."""
        more = frozenset("#" + NUMBERS[word] for word in self.words if word in WEAK_NUMBERS)
        return self._replace(keys=self.keys | more, held=self.held | more)

    def with_words_of_dates(self) -> Told:
        """The same with the words of its dates, for a reference that has them without a date (`a few years ago`)."""
        more = _NONE.union(*(statement(word).keys for word in self.words))
        return self._replace(keys=self.keys | more, held=self.held | more)


def values_of(keys: Iterable[str]) -> frozenset[str]:
    """The numbers, times and ids among `keys`."""
    return frozenset(filter(is_value, keys))


def found(key: str, keys: frozenset[str]) -> bool:
    """Whether `keys` has the key or a word that begins like it."""
    return key in keys or any(alike(key, other) for other in keys)


def share(wanted: frozenset[str], keys: frozenset[str]) -> float:
    """The share of `wanted` that `keys` has; 0 where nothing is wanted."""
    return sum(found(key, keys) for key in wanted) / len(wanted) if wanted else 0.0
