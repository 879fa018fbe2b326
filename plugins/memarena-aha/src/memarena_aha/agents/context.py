"""What an agent is told before it plays."""

from __future__ import annotations

from typing import Any

from memarena.records import Endpoint, Record

__all__ = ["PlayContext"]


class PlayContext(Record, frozen=True, kw_only=True):
    """What `begin` of an agent is given; one instance of an agent plays one episode.

    Nothing in it says which instance is played, whether it is an evaluation, or which memory system is at work.
    """

    part: str
    """`puzzle`, `euler` or `vending`."""
    seed: int = 0
    """For the agent's own choices; the same in all arms of a pair."""
    folder: str = ""
    """A fresh private folder (absolute path) that is emptied after the episode; "": there is none."""
    model: Endpoint | None = None
    """The model with which it plays; None where the run names none."""
    episode: Any = None
    """The `Episode` itself, hidden truth and all, for an agent that says `privileged = True` (the oracles, by which
    others are measured); None for every other."""
