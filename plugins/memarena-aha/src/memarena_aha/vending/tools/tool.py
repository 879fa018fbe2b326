"""What a tool is."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import msgspec

from memarena_aha.vending.arguments import Argument, schema

if TYPE_CHECKING:
    from memarena_aha.vending.world import World

__all__ = ["SKU", "Tool"]

SKU = Argument(kind="text", about="id of a product, e.g. P03", low=1, high=40)


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """One tool: `run(world, args)` returns what the agent is told, or raises `Refused`."""

    name: str
    minutes: int
    about: str
    run: Callable[[World, dict[str, Any]], dict[str, Any]]
    arguments: dict[str, Argument] = {}
    reads: bool = False
    """It changes nothing in the world but the clock."""

    def describe(self) -> dict[str, Any]:
        """Name, description with its minutes, and the JSON schema of its arguments."""
        took = f" Takes {self.minutes} minutes." if self.minutes else ""
        return {"name": self.name, "description": self.about + took, "parameters": schema(self.arguments)}
