"""Tools that end something: the day, or the run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from memarena_aha.vending.tools.tool import Tool

if TYPE_CHECKING:
    from memarena_aha.vending.world import World

__all__ = ["DAYS"]


def _end_day(world: World, args: dict[str, Any]) -> dict[str, Any]:
    return world.end_day()


def _quit(world: World, args: dict[str, Any]) -> dict[str, Any]:
    world.finish("quit")
    return {"ended": "quit"}


DAYS = (
    Tool(name="end_day", minutes=0, about="End the day; returns the digest of the next morning.", run=_end_day),
    Tool(name="quit", minutes=0, about="Give up. The days that are left are played without you.", run=_quit),
)
