"""Scripted policies as agents of an episode: references by which others are measured."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from memarena_aha.vending.episode import VendingEpisode
from memarena_aha.vending.policies import LADDER, Keeper, Play
from memarena_aha.vending.policies.oracle import Oracle
from memarena_aha.vending.world import Outcome

__all__ = ["PolicyPlayer"]


class PolicyPlayer:
    """Plays one episode by a policy of `policies.POLICIES`; the oracle is shown the episode, the others are not."""

    revision = 1

    def __init__(self, name: str, episode: VendingEpisode | None = None) -> None:
        self.name = name
        self._episode = episode
        self._play: Play | None = None

    def act(self, observation: Mapping[str, Any], tools: Sequence[Mapping[str, Any]]) -> Mapping[str, Any]:
        """The next call of the policy."""
        data = observation["data"]
        if self._play is None:
            self._play = self._keeper(data["days_in_all"]).play()
            tool, args = next(self._play)
        else:
            told = Outcome(data=data["result"], error=data["error"], message=data["message"])
            tool, args = self._play.send(told)
        return {"tool": tool, "args": args}

    def _keeper(self, days: int) -> Keeper:
        if self.name != "oracle":
            return Keeper(LADDER[self.name], days)
        assert self._episode is not None, "the oracle reads the episode"
        return Oracle(self._episode.world.hidden)
