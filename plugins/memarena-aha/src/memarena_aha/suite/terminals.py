"""The parts at a terminal, for a person."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memarena.errors import UsageError

__all__ = ["play_part"]


def play_part(part: str, name: str, *, seed: int, days: int | None) -> None:
    """Play `part` here; `name` is that of a puzzle, a family or a variant, "" leaves the choice to `seed`.

    Raises UsageError for a name that is not known, and for days where there are none.
    """
    from rich.console import Console

    if days is not None and part != "vending":
        raise UsageError(f"--days: {part} has no days; leave it out")
    arguments: Mapping[str, Any] = {"seed": seed}
    console = Console(highlight=False)
    if part == "puzzle":
        from memarena_aha.puzzle.terminal import play_terminal as play_puzzle

        play_puzzle(console, puzzle_id=name, **arguments)
    elif part == "euler":
        from memarena_aha.euler.terminal import play_terminal as play_euler

        play_euler(console, family_id=name, **arguments)
    else:
        from memarena_aha.vending.terminal import play_terminal as play_vending

        play_vending(console, variant=name or "incidents", days=30 if days is None else days, **arguments)
