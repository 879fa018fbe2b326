"""Vending for a person at a terminal: day by day, in short commands; it saves itself and goes on where it was left."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from memarena.errors import UsageError
from memarena_aha.keyboard import line_reader
from memarena_aha.vending.scenario import HORIZONS, Scenario
from memarena_aha.vending.world import World

if TYPE_CHECKING:
    from rich.console import Console

    from memarena_aha.vending.game import Game

__all__ = ["play_terminal", "save_file_of"]


def play_terminal(
    console: Console,
    source: TextIO | None = None,
    *,
    variant: str = "incidents",
    days: int = 30,
    seed: int = 0,
    save: Path | None = None,
) -> World:
    """Play `days` days; `source` gives the player's lines (by default the keyboard). Gives the world back.

    A game that is left is written to `save` (by default a file named after it in the current folder), and goes on from
    there; one that has ended removes it. Ctrl-C and the end of the input save and leave. The same lines lead to the
    same play. Raises UsageError for a variant or a number of days that cannot be played, DataError for a file that is
    no game.
    """
    from memarena_aha.vending.game import Game

    if not 1 <= days <= max(HORIZONS):
        raise UsageError(f"{days} days cannot be played; take 1 to {max(HORIZONS)}")
    scenario = Scenario(seed=seed, horizon=min(h for h in HORIZONS if h >= days), variant=variant)
    file = save or save_file_of(variant, days, seed)
    goes_on = file.is_file()
    world = World.load(file.read_bytes()) if goes_on else World(scenario)
    if world.scenario != scenario:
        raise UsageError(
            f"{file} holds another game (seed {world.scenario.seed}, {world.scenario.variant}); move it away"
        )
    game = Game(world, console, line_reader(console, source), days, file)
    _run(game, goes_on)
    return game.world


def save_file_of(variant: str, days: int, seed: int) -> Path:
    """Where a game is kept by default."""
    return Path(f"vending-{variant}-{days}-days-seed-{seed}.json")


def _run(game: Game, goes_on: bool) -> None:
    try:
        game.play(goes_on)
    except (EOFError, KeyboardInterrupt):
        game.leave()
