"""An episode behind a counter: calls go in, words come out, and everything is written down."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

from memarena_aha.parts import Episode, EpisodeScore

__all__ = ["OVER", "Desk", "EpisodeDesk", "Log", "replay"]

OVER = "It is over. Do not call any more tools."
"""What a call is answered with once the episode has ended."""


class Desk(Protocol):
    """What a server plays for its client. No method tells a score."""

    def briefing(self) -> str:
        """What a player is told first."""
        ...

    def tools(self) -> Sequence[Mapping[str, Any]]:
        """What can be called now: name, description, parameters."""
        ...

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        """Do a call and say what came of it. Never raises for what is sent."""
        ...


class Log:
    """A file of what was played: a line with the instance, then a line an action, written at once."""

    def __init__(self, file: Path, instance: Mapping[str, Any]) -> None:
        self._file = file
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"instance": instance}) + "\n", encoding="utf-8")

    def action(self, action: Mapping[str, Any]) -> None:
        """Add an action."""
        with self._file.open("a", encoding="utf-8") as stream:
            stream.write(json.dumps({"action": action}) + "\n")


class EpisodeDesk:
    """Plays an episode; its score stays here, and goes to whoever has the log or the episode."""

    def __init__(self, episode: Episode, log: Log | None = None) -> None:
        self._episode = episode
        self._log = log

    def briefing(self) -> str:
        return str(self._episode.observe()["text"])

    def tools(self) -> Sequence[Mapping[str, Any]]:
        return self._episode.tools()

    def call(self, name: str, arguments: Mapping[str, Any]) -> str:
        if self._over():
            return OVER
        action = {"tool": name, "args": dict(arguments)}
        if self._log is not None:
            self._log.action(action)
        step = self._episode.act(action)
        if self._over():
            return "\n\n".join([*(said.text for said in step.said if said.role == "environment"), OVER])
        return str(self._episode.observe()["text"])

    def _over(self) -> bool:
        return bool(self._episode.ended)


def replay(file: Path, episode: Episode) -> EpisodeScore:
    """The score of what a log holds, played again on a fresh `episode`; one that was left has quit."""
    for line in file.read_text(encoding="utf-8").splitlines()[1:]:
        if not episode.ended:
            episode.act(json.loads(line)["action"])
    if not episode.ended:
        episode.finish("quit")
    return episode.score()
