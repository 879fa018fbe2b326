"""Who and what there is in one sample."""

from __future__ import annotations

import random
from collections.abc import Iterator

from memarena.records import Record
from memarena_builder.packs.schema import Pack, SelfKind

MOST_PEOPLE = 12
"""Of those that the one who speaks knows."""
PROJECTS = 3


class Entity(Record, frozen=True, kw_only=True):
    """Somebody or something that facts are about."""

    name: str
    kind: str
    """`self`, `person`, `project`, `device`, or the kind that only the domain has."""
    role: str = ""
    """Of a person, e.g. `nurse`."""


class Cast(Record, frozen=True, kw_only=True):
    """The entities of one sample; names share no word."""

    entities: tuple[Entity, ...]
    namesakes: tuple[str, ...]
    """Full names of people outside: the first has the first name of the first of `persons`, and so on."""

    @property
    def protagonist(self) -> str:
        """The name of the one who speaks."""
        return next(each.name for each in self.entities if each.kind == SelfKind)

    @property
    def persons(self) -> tuple[str, ...]:
        """The names of all people but the one who speaks."""
        return tuple(each.name for each in self.entities if each.kind == "person")

    def namesake_of(self, person: str) -> str:
        """Who outside has the first name of one of `persons`; "" for nobody."""
        return dict(zip(self.persons, self.namesakes, strict=False)).get(person, "")

    def of(self, kind: str) -> tuple[Entity, ...]:
        """The entities of one kind."""
        return tuple(each for each in self.entities if each.kind == kind)


def short_name(pack: Pack, name: str) -> str:
    """The first name of a person; `name` itself where it has none, as of what is no person."""
    for first in pack.pools["first"]:
        before, found, after = name.partition(first)
        if found and pack.writing.name.format(first=first, last=(before or after).strip()) == name:
            return first
    return name


def names_of(pack: Pack, cast: Cast) -> Iterator[str]:
    """The names of all that may be spoken of, and of people each part of theirs: what no value of a fact can be."""
    yield from (each.name for each in cast.entities)
    for name in (cast.protagonist, *cast.persons, *cast.namesakes, *pack.pools["strangers"]):
        yield from (name, *name.split())


def make_cast(pack: Pack, rng: random.Random, sessions: int) -> Cast:
    """Draw the entities; the more sessions, the more people and things."""
    people = min(8 + sessions // 4, MOST_PEOPLE)
    first = rng.sample(pack.pools["first"], people + 1)
    last = rng.sample(pack.pools["last"], people + 4)
    full = pack.writing.name.format
    names = [full(first=one, last=other) for one, other in zip(first, last, strict=False)]
    entities = [Entity(name=names[0], kind=SelfKind)]
    entities += [Entity(name=name, kind="person", role=rng.choice(pack.roles)) for name in names[1:]]
    for kind, pool, count in (
        ("project", pack.project_names, PROJECTS),
        ("device", pack.device_names, 4 + sessions // 8),
        (pack.thing, pack.thing_names, 4 + sessions // 8),
    ):
        entities += [Entity(name=name, kind=kind) for name in rng.sample(pool, min(count, len(pool)))]
    namesakes = tuple(full(first=one, last=other) for one, other in zip(first[1:], last[people + 1 :], strict=False))
    return Cast(entities=tuple(entities), namesakes=namesakes)
