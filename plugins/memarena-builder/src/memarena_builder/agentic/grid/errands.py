"""Errands: what the agent is told to do next, and what changes behind its back in between."""

# mypy: allow-untyped-calls
from __future__ import annotations

import random
from typing import Any, NamedTuple

from minigrid.core.world_object import Door, WorldObj
from minigrid.envs.babyai.core.verifier import (
    BeforeInstr,
    GoToInstr,
    Instr,
    OpenInstr,
    PickupInstr,
    PutNextInstr,
)

from memarena_builder.agentic.grid.house import COLOURS, Exactly, House
from memarena_builder.agentic.grid.words import ERRANDS

FAMILIAR = 0.6
"""Share of the errands about things that the agent has met."""
REVISED = 0.5
"""Share of the errands that lead to what is not any more as the agent knows it, where there is such a thing."""
SHUT_IN = 0.5
"""Share of the errands that lead behind a locked door, where there is something."""
SHUT = 0.7
"""How often a door that is open is shut between two errands."""
TRIES = 40


class Errand(NamedTuple):
    """One task."""

    instr: Instr
    text: str
    about: str
    """The name of the thing that it is about."""


class Errands:
    """Draws errands of some kinds."""

    def __init__(self, house: House, kinds: tuple[str, ...], chained: float) -> None:
        self._house = house
        self._kinds = kinds
        self._chained = chained
        self._done: set[str] = set()

    def draw(self, met: list[str], changed: list[str], rng: random.Random) -> Errand:
        """The next errand; `met`: names of what the agent knows, `changed`: of what it knows wrongly by now."""
        first = self._one(met, changed, rng)
        if rng.random() >= self._chained:
            return first
        second = self._one(met, changed, rng)
        if second.about == first.about:
            return first
        text = f"{first.text}, then {second.text}"
        return Errand(BeforeInstr(first.instr, second.instr), text, first.about)

    def _one(self, met: list[str], changed: list[str], rng: random.Random) -> Errand:
        for _ in range(TRIES):
            kind = rng.choice(self._kinds)
            pool: list[WorldObj] = list(self._house.doors if kind == "open" else self._house.things)
            pool = [each for each in pool if self._fits(kind, each)]
            known = [each for each in pool if self._house.name(each) in met]
            fresh = [each for each in pool if self._house.name(each) not in self._done]
            other_now = [each for each in pool if self._house.name(each) in changed]
            chosen = known if known and rng.random() < FAMILIAR else fresh or pool
            if other_now and rng.random() < REVISED:
                chosen = other_now
            shut_in = [each for each in pool if self._house.is_shut_in(each)]
            if shut_in and rng.random() < SHUT_IN:
                chosen = shut_in
            if not chosen:
                continue
            thing = rng.choice(chosen)
            other = rng.choice([each for each in self._house.things if each is not thing and each.type != "key"])
            if kind == "put" and self._beside(thing, other):
                continue
            self._done.add(self._house.name(thing))
            return self._made(kind, thing, other, rng)
        return self._made("goto", rng.choice(self._house.things), self._house.things[0], rng)

    def _made(self, kind: str, thing: WorldObj, other: WorldObj, rng: random.Random) -> Errand:
        text = rng.choice(ERRANDS[kind]).format(A=self._house.name(thing), B=self._house.name(other))
        made: dict[str, Any] = {
            "goto": lambda: GoToInstr(Exactly(thing)),
            "fetch": lambda: PickupInstr(Exactly(thing)),
            "put": lambda: PutNextInstr(Exactly(thing), Exactly(other)),
            "open": lambda: OpenInstr(Exactly(thing)),
        }
        return Errand(made[kind](), text, self._house.name(thing))

    def _fits(self, kind: str, thing: WorldObj) -> bool:
        if kind == "open":
            return isinstance(thing, Door) and not thing.is_open
        locked = {door.color for door in self._house.doors if door.is_locked}
        return kind == "goto" or not (thing.type == "key" and thing.color in locked)

    def _beside(self, one: WorldObj, other: WorldObj) -> bool:
        first, second = self._house.where(one), self._house.where(other)
        return first is None or second is None or abs(first[0] - second[0]) + abs(first[1] - second[1]) <= 1


def meddle(house: House, rng: random.Random, often: float) -> list[list[Any]]:
    """Change the house behind the agent's back: move a thing, paint one, shut a door, the first two as `often` as is
    said; returns the moves that do it again."""
    moves: list[list[Any]] = []
    loose = [each for each in house.things if each.type != "key" and each is not house.carrying]
    if rng.random() < often:
        thing = rng.choice(loose)
        now = house.where(thing)
        assert now is not None
        others = [each for each in house.free() if house.room_at(each) != house.room_at(now)]
        moves += [["shift", house.name(thing), list(rng.choice(others))]] if others else []
    if rng.random() < often:
        thing = rng.choice(loose)
        moves.append(["paint", house.name(thing), rng.choice([each for each in COLOURS if each != thing.color])])
    doors = [each for each in house.doors if each.is_open and house.where(each) != house.stand()]
    if doors and rng.random() < SHUT:
        moves.append(["shut", house.name(rng.choice(doors))])
    for move in moves:
        house.redo(move)
    return moves
