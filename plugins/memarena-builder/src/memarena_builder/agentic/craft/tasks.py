"""Tasks: what the agent is told to do next, and what changes behind its back in between."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any, NamedTuple

from memarena_builder.agentic.craft.expert import Expert
from memarena_builder.agentic.craft.valley import HEADINGS, MOVES, Cell, Valley
from memarena_builder.agentic.craft.words import STOCKS, TOOLS

SHARES = (("visit", 0.35), ("build", 0.15), ("gather", 0.2), ("make", 0.3))
"""How often a task is of which kind, where nothing is needed at once and such a task is there."""
NEEDS = (("drink", "drink", 4), ("eat", "food", 4), ("rest", "energy", 3))
"""Kind of task, level, and the number from which the level has to be mended first."""
MOST_BUILT = 9
FULL = 9
"""The most that the pack holds of something."""
FAR = 14
"""Cells from where it was to where something is moved, at most."""
PLACED = ("tree", "water", "sand", "path")
"""What is put beside something that was built."""


class Task(NamedTuple):
    """One task."""

    kind: str
    what: str
    """By Crafter's name, or the name of what was built."""
    about: str
    """What it is about, in words."""
    number: int = 1
    """How much to gather."""


class Tasks:
    """Draws tasks that can be done by now."""

    def __init__(self, valley: Valley, rng: random.Random) -> None:
        self._valley = valley
        self._rng = rng
        self.seen_at: dict[str, Cell] = {}
        """Where the agent saw what was built, the last time."""

    def draw(self) -> Task:
        """The next task."""
        holds = self._valley.holds
        for kind, level, least in NEEDS:
            if holds[level] <= least:
                return Task(kind, level, {"drink": "fresh water", "eat": "a meal", "rest": "a good rest"}[kind])
        possible = {kind: made for kind, made in self._possible(holds).items() if made}
        kinds = [(kind, share) for kind, share in SHARES if kind in possible]
        (kind,) = self._rng.choices([each for each, _ in kinds], [share for _, share in kinds])
        return self._rng.choice(possible[kind])

    def _possible(self, holds: dict[str, int]) -> dict[str, Sequence[Task]]:
        before = self._valley.named(self._valley.face())
        visits = [Task("visit", name, name) for name in self.seen_at if name != before]
        kinds = ["table", "cairn", "cairn"] + ["furnace"] * bool(holds["wood_pickaxe"])
        few = len(self._valley.built) < MOST_BUILT
        gathered = [item for item in STOCKS if item == "wood" or holds["wood_pickaxe"]]
        tool = next((each for each in TOOLS if not holds[each] and _is_near(each, holds)), "")
        return {
            "visit": visits,
            "build": [Task("build", kind, f"a {kind}") for kind in kinds] if few else [],
            "gather": [Task("gather", each, each, self._rng.randint(1, 3)) for each in gathered if holds[each] < FULL],
            "make": [Task("make", tool, TOOLS[tool])] if tool else [],
        }

    def look(self) -> None:
        """Remember where something is that is right before the agent."""
        name = self._valley.named(self._valley.face())
        if name:
            self.seen_at[name] = self._valley.face()


def _is_near(tool: str, holds: dict[str, int]) -> bool:
    """Whether a tool is the next of its kind: wood, then stone, then iron."""
    kind = tool.partition("_")[2]
    before = {"wood": "", "stone": f"wood_{kind}", "iron": f"stone_{kind}"}[tool.partition("_")[0]]
    return not before or bool(holds[before])


def meddle(valley: Valley, rng: random.Random, often: float) -> list[list[Any]]:
    """Change the valley behind the agent's back: move something that was built, change what is beside it, take from
    the pack or put into it, each as `often` as is said; returns the moves that do it again."""
    moves: list[list[Any]] = []
    ways = [_shifted, _turned, _packed]
    for way in ways:
        move = way(valley, rng) if rng.random() < often else None
        if move:
            valley.redo(move)
            moves.append(move)
    return moves


def _shifted(valley: Valley, rng: random.Random) -> list[Any] | None:
    names = [name for name, cell in valley.built.items() if cell != valley.face()]
    if not names:
        return None
    name = rng.choice(names)
    old = valley.built[name]
    expert = Expert(valley)
    near = [
        cell
        for cell in expert.near(valley.stand())
        if abs(cell[0] - old[0]) + abs(cell[1] - old[1]) <= FAR
        and valley.district(cell) != valley.district(old)
        and expert.is_spot(cell)
    ]
    return ["shift", name, list(rng.choice(near))] if near else None


def _turned(valley: Valley, rng: random.Random) -> list[Any] | None:
    beside = [
        (cell[0] + across, cell[1] + along)
        for cell in valley.built.values()
        for across, along in HEADINGS.values()
        if sum(valley.is_open((cell[0] + x, cell[1] + y)) for x, y in MOVES) > 2
    ]
    beside = [cell for cell in beside if valley.is_dry(cell)]
    if not beside:
        return None
    cell = rng.choice(beside)
    return ["turn", list(cell), rng.choice([each for each in PLACED if each != valley.material(cell)])]


def _packed(valley: Valley, rng: random.Random) -> list[Any] | None:
    held = [item for item in STOCKS if valley.holds[item]]
    if not held:
        return None
    item = rng.choice(held)
    return ["pack", item, rng.choice([number for number in range(1, FULL) if number != valley.holds[item]])]
