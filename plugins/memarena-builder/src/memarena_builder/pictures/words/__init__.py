"""The words that drawers add around the fields of a picture, and its decoys, by language."""

from __future__ import annotations

import random
import re
import string
import tomllib
from collections.abc import Collection, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from memarena.errors import DataError

OTHER = "other"
"""The entry of a table for all that have none of their own."""
LETTERS = "BCDFGHJKLMNPRTVWXZ"
"""No vowels, so that no code spells a word."""


class Decoy(NamedTuple):
    """An entry that no fact stands behind."""

    label: str
    value: str


class Words:
    """The words of one language, chosen by a picture's own stream. In each, `#` stands for a digit from 1 to 9 and `@`
    for a letter. A table has entries by the name of the attribute that a picture is about, and one for all others."""

    def __init__(self, raw: Mapping[str, Any], rng: random.Random) -> None:
        self._raw = raw
        self._rng = rng

    def one(self, name: str, about: str = "") -> str:
        """One of the words called `name`, for a picture about `about`; raises KeyError."""
        found = self._found(name, about)
        return self._coined(found if isinstance(found, str) else self._rng.choice(found))

    def some(self, name: str, count: int, about: str = "") -> list[str]:
        """`count` different ones, fewer where there are not so many."""
        found: Sequence[str] = self._found(name, about)
        return [self._coined(text) for text in self._rng.sample(found, min(count, len(found)))]

    def drawn(self, name: str, count: int) -> list[list[Any]]:
        """`count` different ones of the lists called `name`, as they are in the file."""
        return self._rng.sample(self._raw[name], count)

    def all(self, name: str, about: str = "") -> list[Any]:
        """All of them in order, as they are in the file."""
        return list(self._found(name, about))

    def row(self, name: str, about: str = "") -> list[str]:
        """One of the lists called `name`, for a picture about `about`; raises KeyError."""
        return [self._coined(text) for text in self._rng.choice(self._found(name, about))]

    def decoys(self, kind: str, about: str, count: int, without: Collection[str] = ()) -> list[Decoy]:
        """`count` entries as pictures of a kind have them beside the attribute `about`; none is called as one of
        `without`. Fewer where there are not so many; raises KeyError for a kind that has none."""
        table = self._raw["decoys"][kind]
        entries = {name: ways for name, ways in table.get(about, table[OTHER]).items() if name not in without}
        chosen = self._rng.sample(sorted(entries), min(count, len(entries)))
        return [Decoy(name, self._coined(_one(entries[name], self._rng))) for name in chosen]

    def _found(self, name: str, about: str) -> Any:
        found = self._raw[name]
        return found.get(about, found[OTHER]) if isinstance(found, Mapping) else found

    def _coined(self, text: str) -> str:
        """`text` with a digit for each `#` and a letter for each `@`."""
        return re.sub("[#@]", lambda mark: self._rng.choice(string.digits[1:] if mark[0] == "#" else LETTERS), text)


def _one(ways: str | Sequence[str], rng: random.Random) -> str:
    return ways if isinstance(ways, str) else rng.choice(ways)


def words(language: str, rng: random.Random) -> Words:
    """The words of a language; raises DataError where there are none."""
    return Words(read(language), rng)


@cache
def read(language: str) -> Mapping[str, Any]:
    """The file of a language; raises DataError where there is none."""
    place = files("memarena_builder.pictures.words") / f"{language}.toml"
    if not place.is_file():
        raise DataError("there are no words for pictures in this language", file=f"pictures/words/{language}.toml")
    return tomllib.loads(place.read_text(encoding="utf-8"))
