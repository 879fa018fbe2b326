"""The notebook of the world; it is off where a memory system carries the experience."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memarena_aha.vending.arguments import Argument
from memarena_aha.vending.refusal import Refused
from memarena_aha.vending.tools.tool import Tool

if TYPE_CHECKING:
    from memarena_aha.vending.world import World

__all__ = ["NOTEBOOK"]

_SHOWN, _MOST = 20, 1_000


def _write_note(world: World, args: dict[str, Any]) -> dict[str, Any]:
    if len(world.state.notes) >= _MOST:
        raise Refused("notebook_full", f"the notebook holds {_MOST} notes")
    world.state.notes.append(args["text"])
    return {"notes": len(world.state.notes)}


def _read_notes(world: World, args: dict[str, Any]) -> dict[str, Any]:
    words = args["query"].lower()
    return {"notes": [note for note in world.state.notes if words in note.lower()][-_SHOWN:]}


def _set_reminder(world: World, args: dict[str, Any]) -> dict[str, Any]:
    if args["day"] <= world.state.day or args["day"] >= world.scenario.horizon:
        raise Refused("bad_args", f"a reminder is for a day from {world.state.day + 1} to {world.scenario.horizon - 1}")
    alarms = world.state.alarms.setdefault(args["day"], [])
    if len(alarms) >= _SHOWN:
        raise Refused("notebook_full", f"a day holds {_SHOWN} reminders")
    alarms.append(args["text"])
    return {"day": args["day"]}


NOTEBOOK = (
    Tool(
        name="write_note",
        minutes=5,
        about="Write a note.",
        run=_write_note,
        arguments={"text": Argument(kind="text", about="the note", low=1, high=1000)},
    ),
    Tool(
        name="read_notes",
        minutes=5,
        about=f"The last {_SHOWN} notes that hold a text.",
        run=_read_notes,
        arguments={"query": Argument(kind="text", about="text to look for; empty: all", high=100, default="")},
        reads=True,
    ),
    Tool(
        name="set_reminder",
        minutes=5,
        about="Be reminded by the notices of a later day.",
        run=_set_reminder,
        arguments={
            "day": Argument(kind="int", about="day", low=0, high=365),
            "text": Argument(kind="text", about="text", low=1, high=200),
        },
    ),
)
