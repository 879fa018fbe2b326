"""What the agent observes, and what it knows from that: the words leave out what only its picture shows."""

# mypy: allow-untyped-calls
from __future__ import annotations

import io
from collections.abc import Iterator

from minigrid.core.world_object import Door, WorldObj

from memarena_builder.agentic.attributes import HEADINGS
from memarena_builder.agentic.grid.house import House
from memarena_builder.agentic.grid.words import COUNT, IN_HAND, NOTHING
from memarena_builder.agentic.trajectory import Learnt
from memarena_builder.world.values import COUNTS

TILE = 24
"""Pixels of a cell in pictures."""
TASK, BYSTANDER, CARRIED, TRIED = 0.6, 0.4, 0.7, 1.0
"""Importance of what is seen of the thing of an errand, of anything else, of what is carried, of a lesson."""


class Senses:
    """The eyes of the agent in a house."""

    def __init__(self, house: House) -> None:
        self._house = house
        self.entered = ""
        """The room that the last step led into; "" where it stayed in one."""
        self.looked_at: dict[tuple[str, str], None] = {}
        """Things, and the sides of them on which the agent saw what there is."""
        self._room = self.room()

    def room(self) -> str:
        """Where the agent is, in words."""
        house = self._house
        for door in house.doors:
            if house.where(door) == house.stand():
                return f"the doorway of {house.name(door)}"
        return house.room_at(house.stand())

    def front(self) -> WorldObj | None:
        """The named thing or door before the agent."""
        cell = self._house.grid.get(*self._house.face())
        return cell if cell is not None and cell.type != "wall" else None

    def look(self) -> str:
        """The observation in words."""
        house, front = self._house, self.front()
        room = self.room()
        column, row = house.stand()
        if front is None:
            before = "a wall" if house.grid.get(*house.face()) is not None else "nothing"
        elif isinstance(front, Door):
            before = f"{house.name(front)} between {house.joins[id(front)]}, {door_state(front)}"
        else:
            where = house.room_at(house.face())
            before = house.name(front) if where == room else f"{house.name(front)} in {where}"
        carried = house.name(house.carrying) if house.carrying else "nothing"
        return (
            f"You are in {room} (column {column}, row {row}), facing {HEADINGS[int(house.agent_dir)]}. "
            f"Right before you: {before}. Carried: {carried}."
        )

    def arrive(self) -> None:
        """Notice whether another room was entered."""
        room = self.room()
        self.entered = room if room != self._room and not room.startswith("the doorway") else ""
        self._room = room

    def seen(self, about: str) -> tuple[Learnt, ...]:
        """What is known from a look: `about` is the thing of the errand."""
        return (*self._before(about), *self._count())

    def _before(self, about: str) -> Iterator[Learnt]:
        house, front = self._house, self.front()
        if front is None:
            return
        name = house.name(front)
        weight = TASK if name == about else BYSTANDER
        if isinstance(front, Door):
            yield Learnt(subject=name, attribute="joins", value=house.joins[id(front)], importance=weight)
            yield Learnt(subject=name, attribute="state", value=door_state(front), importance=weight)
        else:
            room = house.room_at(house.face())
            yield Learnt(subject=name, attribute="place", value=f"in {room}", importance=weight)
            yield from self._beside(name)
        yield Learnt(subject=name, attribute="colour", value=front.color, visual=True, importance=weight)

    def _beside(self, name: str) -> Iterator[Learnt]:
        """What stands in the cells around the one before the agent, if they are in view."""
        column, row = self._house.face()
        view = self._house.view()
        for heading, (across, along) in zip(HEADINGS, ((1, 0), (0, 1), (-1, 0), (0, -1)), strict=True):
            cell = (column + across, row + along)
            if cell in view:
                other = view[cell]
                value = f"a {other.color} {other.type}" if other is not None and is_loose(other) else NOTHING
                self.looked_at[name, heading] = None
                yield Learnt(subject=name, attribute=heading, value=value, visual=True, importance=BYSTANDER)

    def _count(self) -> Iterator[Learnt]:
        if self.entered:
            loose = sum(each is not None and is_loose(each) for each in self._house.view().values())
            value = COUNTS[loose] if loose < len(COUNTS) else f"more than {COUNTS[-1]}"
            yield Learnt(subject=self.entered, attribute=COUNT, value=value, visual=True, importance=BYSTANDER)

    def picture(self) -> bytes:
        """The agent's view as PNG."""
        from PIL import Image

        out = io.BytesIO()
        Image.fromarray(self._house.get_pov_render(TILE)).save(out, "PNG", optimize=False)
        return out.getvalue()


def is_loose(thing: WorldObj) -> bool:
    """Whether it is neither a wall nor a door."""
    return thing.type not in ("wall", "door")


def door_state(door: Door) -> str:
    """`open`, `closed` or `locked`."""
    return "open" if door.is_open else "locked" if door.is_locked else "closed"


def outcome(house: House, action: int, before: WorldObj | None, carried: WorldObj | None) -> tuple[str, list[Learnt]]:
    """The feedback on an action, and what is known from it. `before`, `carried`: what was before the agent and in its
    hands when it began."""
    actions = house.actions
    if action == actions.pickup and before is not None and house.carrying is before:
        name = house.name(before)
        known = Learnt(subject=name, attribute="place", value=IN_HAND, importance=CARRIED)
        return f"Action succeeded: {name} is now {IN_HAND}.", [known]
    if action == actions.drop and carried is not None and house.carrying is None:
        name, place = house.name(carried), f"in {house.room_at(house.face())}"
        return f"Action succeeded: {name} is now {place}.", [Learnt(subject=name, attribute="place", value=place)]
    if action == actions.toggle and isinstance(before, Door):
        name, state = house.name(before), door_state(before)
        known_state = Learnt(subject=name, attribute="state", value=state)
        return f"Action succeeded: {name} is now {state}.", [known_state]
    return "", []


def unlocked(house: House, door: Door, key: WorldObj) -> tuple[str, list[Learnt]]:
    """The feedback where a key has opened a locked door."""
    name, tool = house.name(door), house.name(key)
    state = Learnt(subject=name, attribute="state", value="open")
    lesson = Learnt(subject=name, attribute="opens with", value=tool, importance=TRIED)
    return f"Action succeeded: {tool} fits, {name} is now open.", [state, lesson]


def failure(house: House, action: int, before: WorldObj | None) -> tuple[str, list[Learnt]]:
    """The feedback where an action has had no effect."""
    actions = house.actions
    if action == actions.toggle and isinstance(before, Door) and before.is_locked:
        name = house.name(before)
        known = Learnt(subject=name, attribute="state", value="locked")
        return f"Action failed: {name} is locked.", [known]
    reason = {
        int(actions.forward): "the way is blocked",
        int(actions.pickup): "the hands are full" if house.carrying else "there is nothing to take",
        int(actions.drop): "there is no room to put anything down",
    }.get(action, "nothing happens")
    return f"Action failed: {reason}.", []
