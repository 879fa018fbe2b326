"""What can be set for the suite with `-o aha.key=value`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from memarena.records import Record

__all__ = ["PARTS", "PART_OPTIONS", "PROFILE", "SuiteOptions"]

PARTS: dict[str, str] = {
    "puzzle": "memarena_aha.puzzle",
    "euler": "memarena_aha.euler",
    "vending": "memarena_aha.vending",
}
"""The parts, and the module that has each as `PART`."""
PROFILE: dict[str, int] = {"puzzle": 40, "euler": 120, "vending": 10}
"""Pairs of a part where nothing else is asked."""
PART_OPTIONS: dict[str, dict[str, str]] = {
    "euler": {"conditions": "full,partial,wrong_family,full+3,full+10,full+30"},
}
"""Options of a part where nobody sets them. A memory can only carry a method that was taught: so P is measured after
`full`, and `partial`, after which the paper measures it, stands beside and on the paper's own card."""


class SuiteOptions(Record, frozen=True, kw_only=True):
    """Options of `aha`."""

    parts: tuple[Literal["puzzle", "euler", "vending"], ...] = ("puzzle", "euler", "vending")
    """The parts that are played."""
    pairs: Annotated[int, Meta(ge=0, le=100_000)] = 0
    """Pairs of each part; 0: 40 of puzzle, 120 of euler, 10 of vending."""
    controls: tuple[str, ...] = ("null", "window", "long-context")
    """Arms beside the systems under test; `lossy` drops every second session."""
    extras: tuple[Literal["poisoned", "foreign"], ...] = ("poisoned", "foreign")
    """After the first plan: what a false lesson does to a memory, and what experience of something else is worth."""
    restart: bool = False
    """Stop each memory system after every session and start it again (needs `--isolate process`)."""
    agent_process: Literal["auto", "on", "off"] = "auto"
    """Give each agent a process of its own; auto: unless it says that it never hangs."""
    step_seconds: Annotated[float, Meta(gt=0)] = 300.0
    """For one action of the agent."""
    episode_seconds: Annotated[float, Meta(gt=0)] = 21_600.0
    """For all actions of an episode."""
