"""A memory text as statements that can be searched: read once, kept for later questions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import date
from functools import cached_property, lru_cache
from typing import NamedTuple

from memarena_arena.language.dates import Period
from memarena_arena.language.lines import ROLES, lines
from memarena_arena.language.spoken import said
from memarena_arena.language.statements import Statement, statement
from memarena_arena.language.words import is_content, stem

KEPT = 1 << 14
"""Texts that are kept read; the sentences that they share are kept once."""

_NONE: frozenset[str] = frozenset()


class Spot(NamedTuple):
    """What some neighbouring statements say together, with the keys of whoever says them."""

    keys: frozenset[str]
    held: frozenset[str]
    denied: frozenset[str]
    hedged: frozenset[str]
    supposed: frozenset[str]
    retired: frozenset[str]
    counts: frozenset[tuple[str, str]]
    """Numbers with what they count."""
    periods: tuple[Period, ...]
    days: tuple[date, ...]
    """The days on which they were said."""
    personal: bool
    """They have a speaker or a pronoun that may stand for a subject."""
    relative: bool
    """They have a date that hangs on the day on which they were said."""
    subjects: tuple[frozenset[str], ...]
    """Names of two words or more that open them."""


class Document:
    """The statements of a text in order, with the keys of whoever says them."""

    def __init__(self, text: str) -> None:
        self.folded = " ".join(text.split()).casefold()
        self.statements: list[Statement] = []
        self.speakers: list[frozenset[str]] = []
        self.days: list[date | None] = []
        """The day on which each was said, where the text tells."""
        self.places: list[int] = []
        """The line in which each stands."""
        self.lines = lines(text)
        self.turns: list[int] = []
        """The number of the turn in which each stands."""
        self.attributed = False
        """Some line names its speaker, as a record of turns does."""
        for number, line in enumerate(self.lines):
            who = speaker_keys(line.speaker)
            self.attributed = self.attributed or bool(line.speaker)
            for sentence in line.sentences:
                self.statements.append(statement(sentence))
                self.speakers.append(who)
                self.days.append(line.day)
                self.places.append(number)
                self.turns.append(line.turn)
        self.known: frozenset[str] = _NONE.union(*set(self.speakers))
        """Keys of the names of all who speak."""
        self.keys: frozenset[str] = self.known.union(*(each.keys for each in self.statements))

    @cached_property
    def postings(self) -> dict[str, list[int]]:
        """By key: the places of the statements that have it."""
        out: dict[str, list[int]] = {}
        for place, each in enumerate(self.statements):
            for key in each.keys | self.speakers[place]:
                out.setdefault(key, []).append(place)
        return out

    def spot(self, span: range) -> Spot:
        """What the statements of `span` say together."""
        parts = [self.statements[place] for place in span]
        who = _NONE.union(*(self.speakers[place] for place in span))
        return Spot(
            keys=who.union(*(each.keys for each in parts)),
            held=who.union(*(each.held for each in parts)),
            denied=_NONE.union(*(each.denied for each in parts)),
            hedged=_NONE.union(*(each.hedged for each in parts)),
            supposed=_NONE.union(*(each.supposed for each in parts)),
            counts=frozenset().union(*(each.counts for each in parts)),
            retired=_NONE.union(*(each.retired for each in parts)),
            periods=tuple(period for each in parts for period in each.periods),
            days=tuple(day for place in span if (day := self.days[place])),
            personal=bool(who) or any(each.personal for each in parts),
            relative=any(each.relative for each in parts),
            subjects=tuple(each.subject for each in parts if len(each.subject) > 1),
        )

    def periods(self, span: range) -> list[Period]:
        """The dates that the statements of `span` tell, those that hang on the day of their line resolved, and those
        days."""
        out: list[Period] = []
        for place in span:
            day = self.days[place]
            out += self.statements[place].periods
            if day is not None:
                out += (each.period for each in said(self.statements[place].text, day))
                out.append(Period(day, day))
        return out

    @cached_property
    def said_keys(self) -> frozenset[str]:
        """Keys of all that is said, without the names of the speakers."""
        return _NONE.union(*(each.keys for each in self.statements))

    @cached_property
    def users(self) -> frozenset[str]:
        """Keys of the names that `user` gives as their own or is called by."""
        out = _NONE
        for place, each in enumerate(self.statements):
            role = self.lines[self.places[place]].speaker.lower()
            out |= each.called if role == "assistant" else each.introduced if role == "user" else _NONE
        return out

    def richest(self, keys: Iterable[str], most: int) -> list[int]:
        """The places of at most `most` statements that have the most of `keys`; ties by place."""
        if len(self.statements) <= most:
            return list(range(len(self.statements)))
        counts: dict[int, int] = {}
        for key in keys:
            for place in self.postings.get(key, ()):
                counts[place] = counts.get(place, 0) + 1
        return sorted(counts, key=lambda place: (-counts[place], place))[:most]

    def spans(self, keys: Iterable[str], width: int, most: int = 12) -> Iterator[range]:
        """Neighbouring statements, up to `width` of them, around those that have the most of `keys`; short first."""
        seen = set()
        total = len(self.statements)
        centres = self.richest(keys, most)
        for size in range(1, min(width, total) + 1):
            for centre in centres:
                for first in range(max(centre - size + 1, 0), min(centre, total - size) + 1):
                    if (first, size) not in seen:
                        seen.add((first, size))
                        yield range(first, first + size)


@lru_cache(maxsize=1024)
def speaker_keys(name: str) -> frozenset[str]:
    """The keys of a speaker's name; none for a role."""
    if not name or name.lower() in ROLES:
        return frozenset()
    return frozenset(stem(word) for word in name.lower().split() if is_content(word))


@lru_cache(maxsize=KEPT)
def document(text: str) -> Document:
    """The text, read."""
    return Document(text)
