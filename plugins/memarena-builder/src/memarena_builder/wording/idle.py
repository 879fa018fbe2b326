"""Exchanges that tell nothing: in which session which of them comes, so that none comes twice before all have come."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence

from memarena_builder.packs.schema import Pack
from memarena_builder.world.cast import Cast, Entity, short_name

OWN = 0.5
"""Share of the exchanges that only the domain of the sample has, where there are such left. Of a register of its own
all come before any other."""
PERSON = "person"

Exchange = tuple[str, ...]
"""Turns of the user and of the assistant, in turns."""


class Idle:
    """Deals the exchanges of one sample."""

    def __init__(self, pack: Pack, cast: Cast, rng: random.Random) -> None:
        self._pack = pack
        self._cast = cast
        self._rng = rng
        self._all = (pack.own_chat, pack.chat)
        self._decks: list[list[Exchange]] = [self._shuffled(each) for each in self._all]

    def deal(self, rounds: int) -> tuple[Exchange, ...]:
        """Exchanges of `rounds` rounds together."""
        dealt = []
        while rounds > 0:
            exchange = self._next(rounds)
            dealt.append(tuple(self._named(exchange)))
            rounds -= len(exchange) // 2
        return tuple(dealt)

    def _next(self, rounds: int) -> Exchange:
        """The next exchange that is not longer."""
        own = bool(self._pack.register) or self._rng.random() < OWN
        decks = self._decks if own else self._decks[::-1]
        for deck in decks:
            fitting = next((each for each in deck if len(each) // 2 <= rounds), None)
            if fitting is not None:
                deck.remove(fitting)
                return fitting
        for deck, every in zip(self._decks, self._all, strict=True):
            deck += self._shuffled(each for each in every if each not in deck)
        return self._next(rounds)

    def _shuffled(self, exchanges: Sequence[Exchange] | Iterator[Exchange]) -> list[Exchange]:
        deck = list(exchanges)
        self._rng.shuffle(deck)
        return deck

    def _named(self, exchange: Exchange) -> Iterator[str]:
        """The turns with names of the sample in their blanks."""
        kinds = {PERSON: PERSON, "project": "project", "device": "device", "thing": self._pack.thing}
        names = {blank: self._called(self._rng.choice(self._cast.of(kind))) for blank, kind in kinds.items()}
        for number, text in enumerate(exchange):
            by_given = self._pack.writing.by_given
            if by_given and (number == 1 or self._rng.random() < by_given):
                names[PERSON] = short_name(self._pack, names[PERSON])
            said = text.format(**names)
            yield said[:1].upper() + said[1:]

    def _called(self, entity: Entity) -> str:
        return self._pack.writing.articles.get(entity.kind, "{name}").format(name=entity.name)
