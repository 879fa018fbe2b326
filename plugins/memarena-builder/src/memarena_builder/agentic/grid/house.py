"""The house: a BabyAI level whose world stays while errands come and go, with names for all that is in it."""

# mypy: allow-untyped-calls
from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator, Mapping
from typing import Any

from minigrid.core.world_object import Door, WorldObj
from minigrid.envs.babyai.core.roomgrid_level import RoomGridLevel
from minigrid.envs.babyai.core.verifier import GoToInstr, Instr, ObjDesc

from memarena.records import Record
from memarena_builder.agentic.names import NAMES

ROOMS = (
    "pantry", "atelier", "attic", "cellar", "library", "nursery", "parlour", "larder", "workshop", "conservatory",
    "laundry", "archive", "gallery", "foundry", "dormitory", "chapel", "armoury", "orangery", "scullery", "vestry",
)  # fmt: skip
COLOURS = ("blue", "green", "grey", "purple", "red", "yellow")
CORNERS = ((0, 0), (2, 0), (0, 2), (2, 2))
SIDES = 3
"""Rooms along each side."""


class HouseSpec(Record, frozen=True, kw_only=True):
    """All that the first state of a house depends on."""

    seed: int
    room_size: int = 6
    things: int = 15
    locked: int = 2
    """Locked corner rooms, each with a key somewhere."""


class Exactly(ObjDesc):
    """A description that only one thing matches."""

    def __init__(self, thing: WorldObj) -> None:
        super().__init__(thing.type, thing.color)
        self.thing = thing

    def find_matching_objs(self, env: Any, use_location: bool = True) -> tuple[list[WorldObj], list[tuple[int, int]]]:
        """The thing, and where it is; nowhere while it is carried."""
        house = env.unwrapped
        self.obj_set = [self.thing]
        place = house.where(self.thing)
        self.obj_poss = [place] if place else []
        return self.obj_set, self.obj_poss


class House(RoomGridLevel):
    """Nine rooms, doors, things. Built by `reset(seed=spec.seed)`; afterwards only `step`, `shift`, `paint` and
    `shut` change it."""

    carrying: WorldObj | None  # type: ignore[assignment]
    instrs: Instr

    def __init__(self, spec: HouseSpec) -> None:
        self.made_of = spec
        self.things: list[WorldObj] = []
        self.doors: list[Door] = []
        self.names: dict[int, str] = {}
        """By `id` of the thing or door."""
        self.joins: dict[int, str] = {}
        """By `id` of a door: the two rooms."""
        self.rooms: tuple[str, ...] = ()
        """Row by row."""
        self.spare: tuple[str, ...] = ()
        """Tags of no thing."""
        super().__init__(room_size=spec.room_size, num_rows=SIDES, num_cols=SIDES, max_steps=10**9)

    def gen_mission(self) -> None:
        """Fill the house."""
        rng = random.Random(self.made_of.seed)
        self.names.clear()
        self.rooms = tuple(f"the {name}" for name in rng.sample(ROOMS, SIDES * SIDES))
        tags = rng.sample(NAMES, len(NAMES))
        kinds = [(kind, colour) for kind in ("ball", "box") for colour in COLOURS]
        chosen = [("key", colour) for colour in rng.sample(COLOURS, 4)]
        chosen += rng.sample(kinds, min(len(kinds), self.made_of.things - len(chosen)))
        corners = rng.sample(CORNERS, self.made_of.locked)
        for (column, row), (_, colour) in zip(corners, chosen, strict=False):
            side = rng.choice([number for number, room in enumerate(self.get_room(column, row).neighbors) if room])
            self.add_door(column, row, side, colour, locked=True)
        self.connect_all()
        open_rooms = [(c, r) for r in range(SIDES) for c in range(SIDES) if (c, r) not in corners]
        everywhere = [(c, r) for r in range(SIDES) for c in range(SIDES)]
        self.things = []
        for number, (kind, colour) in enumerate(chosen):
            column, row = rng.choice(open_rooms if kind == "key" else everywhere)
            thing, _ = self.add_object(column, row, kind, colour)
            self.things.append(thing)
            self.names[id(thing)] = f"the {kind} {tags[number]}"
        self.doors = list(self._doors())
        free = iter(tags[len(chosen) :])
        for door in self.doors:
            self.names[id(door)] = f"the door {next(free)}"
        self.spare = tuple(free)
        column, row = rng.choice(open_rooms)
        self.place_agent(column, row)
        self.instrs = GoToInstr(Exactly(self.things[0]))

    def _doors(self) -> Iterator[Door]:
        for row in range(SIDES):
            for column in range(SIDES):
                for side, other in ((0, (column + 1, row)), (1, (column, row + 1))):
                    door = self.get_room(column, row).doors[side]
                    if isinstance(door, Door):
                        self.joins[id(door)] = f"{self._room_name(column, row)} and {self._room_name(*other)}"
                        yield door

    def _room_name(self, column: int, row: int) -> str:
        return self.rooms[row * SIDES + column]

    def room_at(self, place: tuple[int, int]) -> str:
        """The name of the room of a cell that is not a doorway."""
        column, row = (int(each) // (self.made_of.room_size - 1) for each in place)
        return self._room_name(min(column, SIDES - 1), min(row, SIDES - 1))

    def is_shut_in(self, thing: WorldObj) -> bool:
        """Whether only locked doors lead to a thing, or it is such a door."""
        if isinstance(thing, Door):
            return bool(thing.is_locked)
        place = self.where(thing)
        around = [door for door in self.doors if place and self.room_at(place) in self.joins[id(door)].split(" and ")]
        return bool(around) and all(door.is_locked for door in around)

    def name(self, thing: WorldObj) -> str:
        """What a thing or a door is called."""
        return self.names[id(thing)]

    def named(self, name: str) -> WorldObj:
        """The thing or door of a name."""
        return next(each for each in (*self.things, *self.doors) if self.name(each) == name)

    def where(self, thing: WorldObj) -> tuple[int, int] | None:
        """The cell of a thing or door; None while it is carried."""
        if thing is self.carrying:
            return None
        assert thing.cur_pos is not None
        column, row = thing.cur_pos
        return int(column), int(row)

    def face(self) -> tuple[int, int]:
        """The cell before the agent."""
        column, row = self.front_pos
        return int(column), int(row)

    def stand(self) -> tuple[int, int]:
        """The cell of the agent."""
        column, row = self.agent_pos
        return int(column), int(row)

    def view(self) -> Mapping[tuple[int, int], WorldObj | None]:
        """What is in each cell in view: a thing, a door, a wall or nothing, which the agent's own cell counts for."""
        grid, mask = self.gen_obs_grid()
        size: int = self.agent_view_size
        out: dict[tuple[int, int], WorldObj | None] = {}
        top = self.agent_pos + self.dir_vec * (size - 1) - self.right_vec * (size // 2)
        for across in range(size):
            for along in range(size):
                cell = grid.get(across, along)
                if mask[across, along]:
                    column, row = top - self.dir_vec * along + self.right_vec * across
                    out[int(column), int(row)] = None if cell is self.carrying else cell
        return out

    def order(self, instr: Instr) -> None:
        """Give the agent another errand; the world stays as it is."""
        self.instrs = instr
        self.instrs.reset_verifier(self)

    def shift(self, name: str, place: tuple[int, int]) -> None:
        """Move a thing behind the agent's back."""
        thing = self.named(name)
        before = self.where(thing)
        assert before is not None
        self.grid.set(*before, None)
        self.grid.set(*place, thing)
        thing.cur_pos = place

    def paint(self, name: str, colour: str) -> None:
        """Give a thing another colour behind the agent's back."""
        self.named(name).color = colour

    def shut(self, name: str) -> None:
        """Close a door behind the agent's back."""
        door = self.named(name)
        assert isinstance(door, Door)
        door.is_open = False

    def free(self) -> list[tuple[int, int]]:
        """Empty cells that block no doorway and are not the agent's, row by row."""
        beside = {
            (column + across, row + along)
            for column, row in (self.where(door) or (0, 0) for door in self.doors)
            for across, along in ((0, 1), (1, 0), (0, -1), (-1, 0))
        }
        cells = ((column, row) for row in range(self.height) for column in range(self.width))
        return [
            cell for cell in cells if self.grid.get(*cell) is None and cell not in beside and cell != self.stand()
        ]  # fmt: skip

    def state(self) -> str:
        """A hash of all that is in the house, the agent and what it carries."""
        carried = self.name(self.carrying) if self.carrying else ""
        whole = (self.grid.encode().tolist(), self.stand(), int(self.agent_dir), carried)
        return hashlib.sha256(repr(whole).encode()).hexdigest()[:16]

    def redo(self, move: Any) -> None:
        """Make one recorded move again: a number is an action, a list what happened behind the agent's back."""
        if isinstance(move, int):
            self.step(move)
        elif move[0] == "shift":
            self.shift(move[1], (move[2][0], move[2][1]))
        elif move[0] == "paint":
            self.paint(move[1], move[2])
        else:
            self.shut(move[1])


def build(spec: HouseSpec) -> House:
    """A house in its first state."""
    house = House(spec)
    house.reset(seed=spec.seed % 2**31)
    return house
