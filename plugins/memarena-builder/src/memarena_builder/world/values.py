"""Draws values, each at most once a sample, so that no value of one fact can be read off another."""

from __future__ import annotations

import random
import re
import string
from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from memarena_arena.language.words import SINGLE
from memarena_builder.packs.load import languages, writing
from memarena_builder.packs.schema import Slot

TRIES = 400
MONTHS = writing("en").months
COUNTS = writing("en").counts
LETTERS = "BCDFGHJKLMNPRTVWXZ"
"""No vowels, so that no code spells a word, and none that is easily misread."""

WORKING_DAYS = 5
"""Days of a week on which people work, from its first."""
_CLOCK_HOURS = range(8, 19)
_CLOCK_MINUTES = range(0, 60, 5)
_AMOUNT = re.compile(r"([\d,]*\d) ?(.*)")
_MEASURED = re.compile(rf"\d+(?: .+|[{SINGLE}]*)")
"""A bare number or one with its unit."""
_DAY = re.compile("|".join(writing(language).day_regex() for language in languages()))
_PARTS = re.compile(r"\d+|[A-Za-z]+")


class NoValueLeftError(Exception):
    """A pool or a range has no value that this sample has not used; the planner then asks for another attribute."""


def write_day(day: date, language: str = "en") -> str:
    """`June 12, 2026`, as the language writes it."""
    return writing(language).write(day)


def read_day(text: str) -> date:
    """The day of `June 12, 2026`, in any language that has schema packs; raises ValueError for anything else."""
    found = next(filter(None, (writing(language).read(text) for language in languages())), None)
    if found is None:
        raise ValueError(f"{text!r} is no day")
    return found


def write_day_like(day: date, text: str) -> str:
    """A day, in the language in which `text` writes one."""
    return next(writing(language).write(day) for language in languages() if writing(language).read(text))


def read_count(text: str) -> int:
    """The number of a count in words, in any language that has schema packs; raises ValueError for anything else."""
    for language in languages():
        if text in writing(language).counts:
            return writing(language).counts.index(text)
    raise ValueError(f"{text!r} is no count")


def working_day(day: date) -> date:
    """A day, or the Monday after it where it is on a weekend."""
    return day + timedelta(days=7 - day.weekday()) if day.weekday() >= WORKING_DAYS else day


def number_of(text: str) -> int:
    """The number that a value begins with: 4200 for `4,200 euros`. Raises ValueError where it begins with none."""
    found = _AMOUNT.match(text)
    return int(found[1].replace(",", "") if found else text)


def unit_of(text: str) -> str:
    """What a value counts: `euros` for `4,200 euros`, "" for a bare number."""
    found = _AMOUNT.match(text)
    return found[2] if found else ""


class Values:
    """The values of one sample. What was drawn is never drawn again, persons excepted."""

    def __init__(self, pools: Mapping[str, Sequence[str]], start: date, language: str = "en") -> None:
        self._pools = pools
        self._writing = writing(language)
        self.today = start
        """Days that are drawn are counted from here."""
        self._taken: set[str] = set()

    def reserve(self, *texts: str) -> None:
        """Keep `texts` (and the numbers in them) from being drawn."""
        for text in texts:
            self._taken |= _marks(text)

    def draw(self, slot: Slot, rng: random.Random, persons: Sequence[str] = ()) -> str:
        """A new value for `slot`; raises NoValueLeftError where there is none. `persons`: whom to choose among."""
        if slot.kind == "person":
            if not persons:
                raise NoValueLeftError
            return rng.choice(persons)
        if slot.kind == "count":
            return self._writing.counts[rng.randint(slot.low, slot.high)]
        if slot.kind == "pool":
            left = [text for text in self._pools[slot.pool] if not self._taken & _marks(text)]
            return self._take(rng.choice(left)) if left else self._none()
        for _ in range(TRIES):
            text = self._make(slot, rng)
            if not self._taken & _marks(text):
                return self._take(text)
        return self._none()

    def _none(self) -> str:
        raise NoValueLeftError

    def _take(self, text: str) -> str:
        self._taken |= _marks(text)
        return text

    def _make(self, slot: Slot, rng: random.Random) -> str:
        if slot.kind == "code":
            kinds = {"A": LETTERS, "9": string.digits[1:]}
            return "".join(rng.choice(kinds[mark]) if mark in kinds else mark for mark in slot.pattern)
        if slot.kind == "date":
            return self._writing.write(working_day(self.today + timedelta(days=rng.randint(slot.low, slot.high))))
        if slot.kind == "clock":
            weekday, time = rng.choice(self._writing.weekdays[:WORKING_DAYS]), f"{rng.choice(_CLOCK_HOURS)}"
            return self._writing.clock.format(weekday=weekday, time=f"{time}:{rng.choice(_CLOCK_MINUTES):02}")
        number = rng.randrange(slot.low, slot.high + 1, slot.step)
        return self._writing.amount.format(number=number, unit=slot.unit) if slot.kind == "money" else str(number)


def _marks(text: str) -> set[str]:
    """What makes two values clash: the text itself, a time of day, a number, a piece of a code such as `C4`."""
    plain = text.lower().replace(",", "")
    parts = {part for part in _PARTS.findall(plain) if part.isdigit() and len(part) > 1 and ":" not in plain}
    if _DAY.fullmatch(text):
        return {plain}
    clocks = set(re.findall(r"\d+:\d\d", plain))
    clocks |= {part for part in plain.split("-") if part[:1].isalpha() and part[-1:].isdigit()}
    return {plain} | clocks | (parts if _MEASURED.fullmatch(plain) else set())
