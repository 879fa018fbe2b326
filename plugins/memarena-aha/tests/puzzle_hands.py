"""Plays puzzles by hand: what the tests of the part share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from memarena_aha.agents.context import PlayContext
from memarena_aha.parts import Episode, EpisodeScore, Pair
from memarena_aha.puzzle.freehost import FreeHost
from memarena_aha.puzzle.graph import Graph
from memarena_aha.puzzle.loader import read_puzzle
from memarena_aha.puzzle.reader import LessonReader


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


def course_of(pair: Pair, keep: Callable[[int], bool] = lambda number: True) -> str:
    """What a memory that keeps some sessions of the course holds, word for word, the agent being a lesson reader."""
    kept: list[str] = []
    for number, unit in enumerate(pair.plans["course"]):
        heard = [said.text for said in unit.told]
        assert unit.play is not None
        assert unit.after is not None
        episode = unit.play()
        play(episode, LessonReader(), "\n".join(kept), seed=number)
        heard += [said.text for said in unit.after(episode)]
        if keep(number):
            kept += heard
    return "\n".join(kept)


def interval(values: Sequence[float]) -> tuple[float, float]:
    """The 95 % interval of a mean, by the normal approximation."""
    centre, spread = fmean(values), stdev(values) if len(set(values)) > 1 else 0.0
    half = 1.96 * spread / len(values) ** 0.5
    return centre - half, centre + half
