"""The words that drawers add around the fields of a picture, by language."""

from __future__ import annotations

import random
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from typing import Any

from memarena.errors import DataError


class Words:
    """The words of one language, chosen by a picture's own stream."""

    def __init__(self, raw: Mapping[str, Any], rng: random.Random) -> None:
        self._raw = raw
        self._rng = rng

    def one(self, name: str) -> str:
        """One of the words called `name`; raises KeyError."""
        found = self._raw[name]
        return found if isinstance(found, str) else self._rng.choice(found)

    def some(self, name: str, count: int) -> list[str]:
        """`count` different ones, fewer where there are not so many."""
        return self._rng.sample(self._raw[name], min(count, len(self._raw[name])))

    def all(self, name: str) -> list[str]:
        """All of them in order."""
        return list(self._raw[name])


def words(language: str, rng: random.Random) -> Words:
    """The words of a language; raises DataError where there are none."""
    return Words(_read(language), rng)


@cache
def _read(language: str) -> Mapping[str, Any]:
    place = files("memarena_builder.pictures.words") / f"{language}.toml"
    if not place.is_file():
        raise DataError("there are no words for pictures in this language", file=f"pictures/words/{language}.toml")
    return tomllib.loads(place.read_text(encoding="utf-8"))
