"""The words that drawers add around the fields of a picture, and its decoys, by language."""

from __future__ import annotations

import random
import re
import string
import tomllib
from collections.abc import Callable, Collection, Mapping, Sequence
from datetime import date, timedelta
from functools import cache
from importlib.resources import files
from typing import Any, NamedTuple

from memarena.errors import DataError

OTHER = "other"
"""The entry of a table for all that have none of their own."""
WORK, FRIDAY = "work_", 4
"""Before the name of an entry of `dates`: no day of a weekend, but the Monday after it, of the past the Friday."""
LETTERS = "BCDFGHJKLMNPRTVWXZ"
"""No vowels, so that no code spells a word."""
_DATED = re.compile(r"\{(\w+) ([+-]?\d+)\.\.([+-]?\d+)\}")


class Decoy(NamedTuple):
    """An entry that no fact stands behind."""

    label: str
    value: str


class Words:
    """The words of one language, chosen by a picture's own stream. In each, `#` stands for a digit from 1 to 9, `@` for
    a letter, and `{full -9..0}` for a date of the last nine days before the picture was sent, or that day, as the entry
    `full` of `dates` writes it (`work_full`: a working day). A table has entries by the name of the attribute that a
    picture is about, and one for all others."""

    def __init__(self, raw: Mapping[str, Any], rng: random.Random, day: date) -> None:
        self._raw = raw
        self._rng = rng
        self._day = day

    def one(self, name: str, about: str = "") -> str:
        """One of the words called `name`, for a picture about `about`; raises KeyError."""
        found = self._found(name, about)
        return self._coined(found if isinstance(found, str) else self._rng.choice(found))

    def some(self, name: str, count: int, about: str = "") -> list[str]:
        """`count` different ones, fewer where there are not so many."""
        found: Sequence[str] = self._found(name, about)
        return [self._coined(text) for text in self._rng.sample(found, min(count, len(found)))]

    def drawn(self, name: str, count: int, about: str = "") -> list[list[Any]]:
        """`count` different ones of the lists called `name`, as they are in the file."""
        return self._rng.sample(self._found(name, about), count)

    def all(self, name: str, about: str = "") -> list[Any]:
        """All of them in order, as they are in the file."""
        return list(self._found(name, about))

    def number(self, name: str) -> int:
        """The number called `name`; raises KeyError."""
        return int(self._raw[name])

    def row(self, name: str, about: str = "") -> list[str]:
        """One of the lists called `name`, for a picture about `about`; raises KeyError."""
        return [self._coined(text) for text in self._rng.choice(self._found(name, about))]

    def is_shared(self, kind: str, label: str) -> bool:
        """Whether an entry of pictures of a kind is the same for whatever they are about."""
        return label in self._raw["shared"].get(kind, ())

    def about(self, kind: str, names: Sequence[str]) -> str:
        """Which of the attributes called `names` a picture of a kind that shows them all is about: the first that
        pictures of that kind have decoys for, where there is one."""
        return next((name for name in names if name in self._raw["decoys"][kind]), names[0])

    def decoys(
        self, kind: str, about: str, without: Collection[str] = (), lasting: Callable[[str], Words] | None = None
    ) -> list[Decoy]:
        """All entries that pictures of a kind have beside the attribute `about`, in any order; none is called as one of
        `without`. What stays as it is from picture to picture is chosen by `lasting`, where given: the words of an
        entry. Raises KeyError for a kind that has none."""
        table, stays = self._raw["decoys"][kind], self._raw["lasting"].get(kind, ()) if lasting else ()
        entries = {name: ways for name, ways in table.get(about, table[OTHER]).items() if name not in without}
        chosen = self._rng.sample(sorted(entries), len(entries))
        return [
            Decoy(name, (lasting(name) if lasting and name in stays else self)._any(entries[name])) for name in chosen
        ]

    def _any(self, ways: str | Sequence[str]) -> str:
        return self._coined(ways if isinstance(ways, str) else self._rng.choice(ways))

    def _found(self, name: str, about: str) -> Any:
        found = self._raw[name]
        return found.get(about, found[OTHER]) if isinstance(found, Mapping) else found

    def _coined(self, text: str) -> str:
        """`text` with a digit for each `#`, a letter for each `@` and a date for each name of one."""
        text = re.sub("[#@]", lambda mark: self._rng.choice(string.digits[1:] if mark[0] == "#" else LETTERS), text)
        return _DATED.sub(lambda mark: self._date(mark[1], int(mark[2]), int(mark[3])), text)

    def _date(self, style: str, first: int, last: int) -> str:
        """A date `first` to `last` days after the picture was sent."""
        day = self._day + timedelta(days=self._rng.randint(first, last))
        if style.startswith(WORK) and day.weekday() > FRIDAY:
            day += timedelta(days=7 - day.weekday() if last > 0 else FRIDAY - day.weekday())
        written: str = self._raw["dates"][style.removeprefix(WORK)]
        return written.format(
            d=day.day, dd=f"{day.day:02}", m=day.month, mm=f"{day.month:02}", yy=f"{day.year % 100:02}",
            month=self._raw["months"][day.month - 1], weekday=self._raw["weekdays"][day.weekday()],
        )  # fmt: skip


def words(language: str, rng: random.Random, day: date) -> Words:
    """The words of a language for a picture that was sent on `day`; raises DataError where there are none."""
    return Words(read(language), rng, day)


@cache
def read(language: str) -> Mapping[str, Any]:
    """The file of a language; raises DataError where there is none."""
    place = files("memarena_builder.pictures.words") / f"{language}.toml"
    if not place.is_file():
        raise DataError("there are no words for pictures in this language", file=f"pictures/words/{language}.toml")
    return tomllib.loads(place.read_text(encoding="utf-8"))
