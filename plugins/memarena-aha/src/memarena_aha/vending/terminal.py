"""Vending for a person at a terminal: day by day, in short commands; it saves itself and goes on where it was left."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from memarena.errors import UsageError
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
    game = Game(world, console, _reader(console, source), days, file)
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


def _reader(console: Console, source: TextIO | None) -> Callable[[str], str]:
    """Asks for a line. With a keyboard the line can be edited; a stream's lines are shown as if typed."""

    def from_stream(prompt: str) -> str:
        assert source is not None
        line = source.readline()
        if not line:
            raise EOFError
        console.print(f"{prompt}{line.rstrip()}", markup=False, highlight=False)
        return line

    def from_keyboard(prompt: str) -> str:
        with contextlib.suppress(ImportError):  # not on every platform; with it, a line can be edited and called back
            import readline  # noqa: F401
        return input(prompt)

    return from_keyboard if source is None or (source is sys.stdin and sys.stdin.isatty()) else from_stream
