"""Facts on two time axes: when they are true, and when they were told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import date
from typing import Literal, NamedTuple

from memarena.records import Record

EventKind = Literal[
    "E1", "E2", "E3", "E4", "E5", "E6", "E7", "E8", "E9", "E10", "E11", "E12", "E13", "E14", "E15", "E16", "E17", "E18",
    "E19",
]  # fmt: skip
"""What happens: E1 introduced in text, E2 natural change, E3 correction, E4 expiry, E5 open disagreement, E6 settled by
authority, E7 cascade, E8 plan, E9 lesson from a failure, E10 rule taught, E11 revealed by a picture, E12 newer version
of a picture, E13 picture against text, E14 schedule, E15 mentioned again, E16 reversion, E17 late report, E18 set
changed, E19 chit-chat."""

Source = Literal["user", "assistant", "picture", "hearsay"]

HEARSAY, SAID, OFFICIAL = 0, 1, 2
"""Authority of a source: a rumour, the user, an official paper."""


class Key(NamedTuple):
    """What a fact is about."""

    subject: str
    """Name of the entity."""
    attribute: str
    element: str = ""
    """For a set: the member; for an exception: its case."""


class Told(NamedTuple):
    """When something was told: places compare in order of time."""

    session: int
    """Zero-based place of the session."""
    order: int
    """Place of the event within the session."""


class Fact(Record, frozen=True, kw_only=True):
    """One version of a fact, as it was told."""

    fact_id: str
    """Unique within the sample, e.g. `F012`."""
    key: Key
    value: str | None
    """As it is written; None: it holds no more."""
    slots: Mapping[str, str] = {}
    """The values of its blanks; `V` alone for most."""
    since: date
    """True from this day on, in the world."""
    told: Told
    day: date
    """The day on which it was told."""
    source: Source = "user"
    authority: int = SAID
    visual: bool = False
    """Only a picture has the value."""
    image_id: str = ""
    """The picture that shows the value; where `visual` is False, it stands in the text too."""
    kind: EventKind

    @property
    def rank(self) -> tuple[date, int, Told]:
        """The order of the versions of one key: the last of those that have begun holds."""
        return self.since, self.authority, self.told


def versions(facts: Iterable[Fact], key: Key) -> list[Fact]:
    """The told versions of a key, the one that holds last. Those with the same `since` correct each other."""
    return sorted((fact for fact in facts if fact.key == key), key=lambda fact: fact.rank)


def chain(facts: Iterable[Fact], key: Key) -> list[Fact]:
    """The versions that ever held, in the order of the world's time: of those with one `since` only the last."""
    by_day = {fact.since: fact for fact in versions(facts, key)}
    return [by_day[day] for day in sorted(by_day)]


def current(facts: Iterable[Fact], key: Key) -> Fact | None:
    """The version that holds after all that was told; None where the key was never told."""
    return max((fact for fact in facts if fact.key == key), key=lambda fact: fact.rank, default=None)


def value_on(facts: Iterable[Fact], key: Key, day: date) -> Fact | None:
    """The version that held on a day, by all that was told; None where none is known to have held."""
    known = (fact for fact in facts if fact.key == key and fact.since <= day)
    return max(known, key=lambda fact: fact.rank, default=None)
