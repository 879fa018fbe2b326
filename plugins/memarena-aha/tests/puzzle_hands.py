"""Plays puzzles by hand: what the tests of the part share."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from memarena_aha.agents.context import PlayContext
from memarena_aha.parts import Episode, EpisodeScore
from memarena_aha.puzzle.freehost import FreeHost
from memarena_aha.puzzle.graph import Graph
from memarena_aha.puzzle.loader import read_puzzle


def play(episode: Episode, agent: Any, memory: str = "", seed: int = 0) -> EpisodeScore:
    """Play `episode` to its end with `memory` shown to `agent`."""
    privileged = getattr(agent, "privileged", False)
    agent.begin(PlayContext(part="puzzle", seed=seed, episode=episode if privileged else None))
    for _ in range(60):
        if episode.ended:
            return episode.score()
        episode.act(agent.act({**episode.observe(), "memory": memory}, episode.tools()))
    raise AssertionError("the episode does not end")


SMALL = (Path(__file__).parent / "puzzle_small.toml").read_text(encoding="utf-8")
"""A small puzzle whose answers can be worked out by hand."""


def small_host(folder: Path, skin: int = 0) -> FreeHost:
    """The host of `SMALL`, read from a file in `folder`."""
    file = folder / "T01.toml"
    file.write_text(SMALL, encoding="utf-8")
    return FreeHost(Graph(read_puzzle(file, skin)))
