"""The valley: a world of Crafter that stays while tasks come and go, with names for places and for what is built.

Crafter keeps the creatures of a chunk in a set, whose order depends on addresses of memory, and draws random numbers
in that order: the same seed and actions lead to different worlds in different processes. Here chunks keep their order.
It is always day and no creature attacks, so that what the pictures show can be read and the agent lives.
"""

# mypy: allow-untyped-calls, disable-error-code="import-untyped, misc"
from __future__ import annotations

import hashlib
import random
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
from crafter import objects
from crafter.env import Env

from memarena.records import Record
from memarena_builder.agentic.names import NAMES

Cell = tuple[int, int]
SIZE = 64
"""Cells along each side."""
DISTRICT = 8
"""Cells along each side of a district."""
VIEW, PACK = (9, 9), 2
"""Cells of a picture; the lower rows that show the pack."""
PIXELS = 36
"""Of a cell."""
FIRST = ("Amber", "Briar", "Copper", "Dusky", "Elder", "Fallow", "Gilded", "Hoary", "Inner", "Jade", "Knotty", "Lower")
LAST = ("Hollow", "Ridge", "Glade", "Fen", "Heath", "Dell", "Spur", "Copse")
HEADINGS = {"east": (1, 0), "south": (0, 1), "west": (-1, 0), "north": (0, -1)}
MOVES = {(-1, 0): 1, (1, 0): 2, (0, -1): 3, (0, 1): 4}
"""By direction: the action of Crafter that turns there and goes if it can."""
OPEN = ("grass", "sand", "path")
BUILT = {"table": "table", "furnace": "furnace", "stone": "cairn"}
"""By what is placed: what it is called."""


class ValleySpec(Record, frozen=True, kw_only=True):
    """All that the first state of a valley depends on."""

    seed: int


class _Ordered(dict[Any, None]):
    """A set that keeps its order."""

    def add(self, item: Any) -> None:
        self[item] = None

    def remove(self, item: Any) -> None:
        del self[item]


class Valley(Env):
    """One world. After `reset` only `step`, `shift`, `turn` and `pack` change it."""

    def __init__(self, spec: ValleySpec) -> None:
        self.made_of = spec
        super().__init__(area=(SIZE, SIZE), view=VIEW, size=VIEW, length=0, seed=spec.seed % 2**31)
        rng = random.Random(spec.seed)
        names = [f"{one} {other}" for one in FIRST for other in LAST]
        self.districts = tuple(rng.sample(names, (SIZE // DISTRICT) ** 2))
        """Row by row."""
        self.tags = rng.sample(NAMES, len(NAMES))
        self.built: dict[str, Cell] = {}
        """Name of what was built -> where it is."""
        self._free_tags = iter(self.tags)
        self.reset()

    def reset(self) -> None:
        """The first state."""
        world = self._world
        whole = world.reset

        def ordered(seed: int) -> None:
            whole(seed)
            world._chunks = defaultdict(_Ordered)

        world.reset = ordered
        try:
            super().reset()
        finally:
            world.reset = whole
        for each in world.objects:
            if isinstance(each, (objects.Zombie, objects.Skeleton)):
                world.remove(each)

    def _update_time(self) -> None:
        self._world.daylight = 1.0

    def _obs(self) -> None:
        """Nothing is drawn but when a picture is wanted."""

    def _balance_object(self, chunk: Any, objs: Any, cls: Any, *rest: Any) -> None:
        if cls is objects.Cow:
            super()._balance_object(chunk, list(objs), cls, *rest)

    # -- what is where ------------------------------------------------------------------------

    @property
    def holds(self) -> dict[str, int]:
        """The pack and the levels of the agent, by Crafter's names."""
        return {name: int(number) for name, number in self._player.inventory.items()}

    def stand(self) -> Cell:
        """The cell of the agent."""
        column, row = self._player.pos
        return int(column), int(row)

    def facing(self) -> Cell:
        """The direction in which it looks."""
        column, row = self._player.facing
        return int(column), int(row)

    def face(self) -> Cell:
        """The cell before it."""
        (column, row), (across, along) = self.stand(), self.facing()
        return column + across, row + along

    def material(self, cell: Cell) -> str:
        """What a cell is made of; "" outside of the valley."""
        return self._world[cell][0] or ""

    def creature(self, cell: Cell) -> str:
        """The creature in a cell, in lower case; "" where there is none."""
        found = self._world[cell][1]
        return type(found).__name__.lower() if found is not None else ""

    def is_open(self, cell: Cell) -> bool:
        """Whether one can step into a cell."""
        return self.material(cell) in OPEN and not self.creature(cell)

    def is_dry(self, cell: Cell) -> bool:
        """Whether something could stand in a cell."""
        return self.is_open(cell) and cell != self.stand()

    def district(self, cell: Cell) -> str:
        """The name of the district of a cell."""
        return self.districts[cell[1] // DISTRICT * (SIZE // DISTRICT) + cell[0] // DISTRICT]

    def named(self, cell: Cell) -> str:
        """The name of what was built in a cell; "" where nothing was."""
        return next((name for name, place in self.built.items() if place == cell), "")

    def view(self) -> Iterator[Cell]:
        """The cells that a picture shows."""
        column, row = self.stand()
        for along in range(-(VIEW[1] - PACK) // 2 + 1, (VIEW[1] - PACK) // 2 + 1):
            for across in range(-(VIEW[0] // 2), VIEW[0] // 2 + 1):
                if 0 <= column + across < SIZE and 0 <= row + along < SIZE:
                    yield column + across, row + along

    def cells(self, *materials: str) -> list[Cell]:
        """All cells of some materials, row by row."""
        wanted = [self._world._mat_ids[each] for each in materials]
        columns, rows = np.nonzero(np.isin(self._world._mat_map, wanted).T)
        return [(int(column), int(row)) for row, column in zip(columns, rows, strict=True)]

    def picture(self, *, pack: bool = True) -> np.ndarray[Any, Any]:
        """What the agent sees, with its pack or without: height x width x 3."""
        whole = self.render((VIEW[0] * PIXELS, VIEW[1] * PIXELS))
        return np.ascontiguousarray(whole if pack else whole[: (VIEW[1] - PACK) * PIXELS])

    def state(self) -> str:
        """A hash of all that is in the valley, the agent and what it carries."""
        creatures = [(type(each).__name__, *map(int, each.pos)) for each in self._world.objects]
        whole = (self.stand(), self.facing(), sorted(self.holds.items()), creatures, sorted(self.built.items()))
        return hashlib.sha256(self._world._mat_map.tobytes() + repr(whole).encode()).hexdigest()[:16]

    # -- what changes -------------------------------------------------------------------------

    def christen(self, kind: str, cell: Cell) -> str:
        """Give what now stands in a cell a name."""
        name = f"the {BUILT[kind]} {next(self._free_tags)}"
        self.built[name] = cell
        return name

    def spare(self) -> list[str]:
        """Tags of nothing, so far."""
        return self.tags[len(self.built) :]

    def act(self, action: int) -> str:
        """One action of Crafter; returns the name of what was built with it, if anything was."""
        before, target = self.holds, self.face()
        self.step(action)
        kind = {7: "stone", 8: "table", 9: "furnace"}.get(action, "")
        if kind and self.material(target) == kind and self.holds[_cost(kind)] < before[_cost(kind)]:
            return self.christen(kind, target)
        return ""

    def shift(self, name: str, cell: Cell) -> None:
        """Move something that was built, behind the agent's back."""
        old = self.built[name]
        self._world[cell] = self.material(old)
        self._world[old] = "grass"
        self.built[name] = cell

    def turn(self, cell: Cell, material: str) -> None:
        """Make a cell of something else, behind the agent's back."""
        self._world[cell] = material

    def pack(self, item: str, number: int) -> None:
        """Leave so many of something in the pack, behind the agent's back."""
        self._player.inventory[item] = number

    def redo(self, move: Any) -> None:
        """Make one recorded move again: a number is an action, a list what happened behind the agent's back."""
        if isinstance(move, int):
            self.act(move)
        elif move[0] == "shift":
            self.shift(move[1], (move[2][0], move[2][1]))
        elif move[0] == "turn":
            self.turn((move[1][0], move[1][1]), move[2])
        else:
            self.pack(move[1], move[2])


def _cost(kind: str) -> str:
    return "wood" if kind == "table" else "stone"
