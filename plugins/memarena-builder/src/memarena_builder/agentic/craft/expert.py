"""The expert: knows the whole valley, and finds the actions that reach a goal, prerequisites first."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from memarena_builder.agentic.craft.valley import MOVES, Cell, Valley

DO, SLEEP = 5, 6
PLACE = {"stone": 7, "table": 8, "furnace": 9}
MAKE = {
    "wood_pickaxe": 11, "stone_pickaxe": 12, "iron_pickaxe": 13, "wood_sword": 14, "stone_sword": 15, "iron_sword": 16,
}  # fmt: skip
"""Actions of Crafter by name."""
SOURCES = {"wood": "tree", "stone": "stone", "coal": "coal", "iron": "iron", "drink": "water"}
"""By what is gathered: the material that gives it."""
TOOLS = {"stone": "wood_pickaxe", "coal": "wood_pickaxe", "iron": "stone_pickaxe"}
"""By what is gathered: the tool that it takes."""
COSTS = {
    "table": {"wood": 2}, "furnace": {"stone": 4}, "cairn": {"stone": 1},
    "wood_pickaxe": {"wood": 1}, "wood_sword": {"wood": 1},
    "stone_pickaxe": {"wood": 1, "stone": 1}, "stone_sword": {"wood": 1, "stone": 1},
    "iron_pickaxe": {"wood": 1, "coal": 1, "iron": 1}, "iron_sword": {"wood": 1, "coal": 1, "iron": 1},
}  # fmt: skip
"""What it takes to build or make something."""
RESTED = 8
"""Energy at which a rest ends."""
NEARBY = 60
"""Spots that are looked at for one to build on."""
CHASE = 60
"""Actions after which a meal that runs away is given up."""


class LostError(Exception):
    """There is no way to the goal."""


class Intent(NamedTuple):
    """An action, and what it is for."""

    action: int
    why: str
    """A key of the thoughts: `walk`, `gather`, `build`, `make`, `rest`, `try`."""
    aim: str = ""
    """What it is about, by Crafter's name or that of something built."""


class Plan:
    """Intents as they are followed: the present one, until there is none."""

    def __init__(self, intents: Iterator[Intent]) -> None:
        self._intents = intents
        self.now: Intent | None = None
        self.lost = False
        """It ended because there was no way on."""
        self.advance()

    def advance(self) -> None:
        """Go on to the next intent, after the present one was made in the valley."""
        try:
            self.now = next(self._intents, None)
        except LostError:
            self.now, self.lost = None, True


class Expert:
    """Yields actions one by one; each is made in the valley before the next is asked for."""

    def __init__(self, valley: Valley) -> None:
        self._valley = valley

    def gather(self, item: str, number: int) -> Iterator[Intent]:
        """Until the pack holds `number` of something, or the agent has drunk enough."""
        tool = TOOLS.get(item)
        if tool and not self._valley.holds[tool]:
            yield from self.make(tool)
        while self._valley.holds[item] < number:
            yield from self.reach(self._valley.cells(SOURCES[item]), item)
            yield Intent(DO, "gather", item)

    def eat(self) -> Iterator[Intent]:
        """Until a cow is eaten."""
        before = self._valley.holds["food"]
        for _ in range(CHASE):
            if self._valley.holds["food"] > before:
                return
            cows = [cell for cell in self.near(self._valley.stand()) if self._valley.creature(cell) == "cow"]
            if self._valley.face() in cows:
                yield Intent(DO, "gather", "a meal")
                continue
            way = self._way(cows)
            if not way:
                raise LostError("no cow can be reached")
            yield Intent(way[0], "walk", "a meal")
        raise LostError("the cow runs away")

    def rest(self) -> Iterator[Intent]:
        """Until the agent is awake and rested."""
        while self._valley.holds["energy"] < RESTED:
            yield Intent(SLEEP, "rest")

    def build(self, kind: str, beside: Cell | None = None) -> Iterator[Intent]:
        """Place a table, a furnace or a cairn on the next free spot; `beside`: what it has to be near."""
        yield from self._supply(kind)
        spots = [cell for cell in self.near(self._valley.stand()) if self.is_spot(cell)]
        if beside is not None:
            spots = [cell for cell in spots if max(abs(cell[0] - beside[0]), abs(cell[1] - beside[1])) <= 1]
        yield from self._turn_to([cell for cell in spots[:NEARBY] if self._is_marked(cell)] or spots, kind)
        yield Intent(PLACE["stone" if kind == "cairn" else kind], "build", kind)

    def make(self, tool: str) -> Iterator[Intent]:
        """Make a tool beside a table, and a furnace where it takes one."""
        kinds = ("table", "furnace") if tool.startswith("iron") else ("table",)
        yield from self._supply(tool, *(() if self._benches(kinds) else kinds))
        if not self._benches(kinds):
            first: Cell | None = None
            for kind in kinds:
                yield from self.build(kind, first)
                first = self._valley.face()
        yield from self._stand(kinds)
        yield Intent(MAKE[tool], "make", tool)

    def reach(self, cells: Iterable[Cell], aim: str = "") -> Iterator[Intent]:
        """Until one of the cells is right before the agent."""
        wanted = set(cells)
        while self._valley.face() not in wanted:
            way = self._way(wanted)
            if not way:
                raise LostError(f"no way to {aim or 'the place'}")
            yield Intent(way[0], "walk", aim)

    def _turn_to(self, spots: Sequence[Cell], aim: str) -> Iterator[Intent]:
        """Until a free spot is right before the agent: who turns to a free cell steps into it, so a spot is come up to
        in a straight line."""
        stand = self._valley.stand()
        starts: dict[Cell, int] = {}
        for column, row in spots:
            for (across, along), action in MOVES.items():
                cells = [(column - across * far, row - along * far) for far in (1, 2)]
                if all(cell == stand or self._valley.is_open(cell) for cell in cells):
                    starts.setdefault(cells[1], action)
        while self._valley.face() not in spots:
            if self._valley.stand() in starts:
                yield Intent(starts[self._valley.stand()], "walk", aim)
                continue
            way = self._way(starts)
            if not way:
                raise LostError(f"no spot for {aim}")
            yield Intent(way[0], "walk", aim)

    def _supply(self, *things: str) -> Iterator[Intent]:
        """Until the pack holds what all the things take together; another tool may be needed on the way."""
        needed: dict[str, int] = {}
        for thing in things:
            for item, number in COSTS[thing].items():
                needed[item] = needed.get(item, 0) + number
        while short := [item for item, number in needed.items() if self._valley.holds[item] < number]:
            yield from self.gather(short[-1], needed[short[-1]])

    def _benches(self, kinds: Sequence[str]) -> list[Cell]:
        """The cells that can be reached and have one of each kind around them."""
        start = self._valley.stand()
        near = [start, *(cell for cell in self.near(start) if self._valley.is_open(cell))]
        return [cell for cell in near if set(kinds) <= {self._valley.material(each) for each in _around(cell)}]

    def _stand(self, kinds: Sequence[str]) -> Iterator[Intent]:
        """Until the agent stands where one of each kind is around it."""
        cells = self._benches(kinds)
        while self._valley.stand() not in cells:
            way = self._way(cells)
            if not way:
                raise LostError(f"no place beside {' and '.join(kinds)}")
            yield Intent(way[0], "walk", kinds[0])

    def is_spot(self, cell: Cell) -> bool:
        """Whether something built in a cell leaves ways around it."""
        around = [(cell[0] + across, cell[1] + along) for across, along in MOVES]
        return self._valley.is_dry(cell) and sum(map(self._valley.is_open, around)) >= len(around) - 1

    def _is_marked(self, cell: Cell) -> bool:
        """Whether something else than grass is beside a cell, by which one knows it again."""
        around = {self._valley.material((cell[0] + across, cell[1] + along)) for across, along in MOVES}
        return around != {"grass"}

    def near(self, start: Cell) -> Iterator[Cell]:
        """All cells that can be reached or touched, the nearest first."""
        seen, queue = {start}, deque([start])
        while queue:
            cell = queue.popleft()
            for across, along in MOVES:
                other = (cell[0] + across, cell[1] + along)
                if other not in seen and self._valley.material(other):
                    seen.add(other)
                    yield other
                    if self._valley.is_open(other):
                        queue.append(other)

    def _way(self, wanted: Iterable[Cell]) -> list[int]:
        """The actions that lead to the nearest of the cells, the last one turning to it; [] where there is no way."""
        goals, start = set(wanted), self._valley.stand()
        came: dict[Cell, tuple[Cell, int]] = {}
        queue = deque([start])
        while queue:
            cell = queue.popleft()
            for (across, along), action in MOVES.items():
                other = (cell[0] + across, cell[1] + along)
                if other in goals and other != start:
                    return [*self._back(came, start, cell), action]
                if other not in came and other != start and self._valley.is_open(other):
                    came[other] = (cell, action)
                    queue.append(other)
        return []

    def _back(self, came: dict[Cell, tuple[Cell, int]], start: Cell, cell: Cell) -> list[int]:
        out: list[int] = []
        while cell != start:
            cell, action = came[cell]
            out.append(action)
        return out[::-1]


def _around(cell: Cell) -> list[Cell]:
    return [(cell[0] + across, cell[1] + along) for across in (-1, 0, 1) for along in (-1, 0, 1)]
