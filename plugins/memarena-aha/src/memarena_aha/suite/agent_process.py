"""Serves one agent from a process of its own: `python -m memarena_aha.suite.agent_process`.

Requests come in on standard input, replies go out on standard output; what the agent prints goes to standard error.
"""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Mapping
from typing import Any

import msgspec

from memarena import catalog, codec
from memarena.errors import message
from memarena.host import Channel
from memarena_aha.agents.context import PlayContext
from memarena_aha.suite.players import Reply
from memarena_aha.suite.rules import taken

__all__ = ["Server", "main"]


class Server:
    """Answers `begin` once, then `act`."""

    def __init__(self) -> None:
        self._agent: Any = None

    def answer(self, line: bytes) -> bytes:
        """The reply to one request; whatever is raised becomes its error."""
        request: Mapping[str, Any] = msgspec.json.decode(line)
        number, params = request["id"], request["params"]
        try:
            action = (self._begin if request["method"] == "begin" else self._act)(params)
            reply = Reply(id=number, action=action)
        except BaseException as error:
            reply = Reply(id=number, kind=type(error).__name__, message=message(error)[:2000])
        return codec.encode(reply) + b"\n"

    def _begin(self, params: Mapping[str, Any]) -> Any:
        entry = catalog.find("agents", params["target"])
        with contextlib.chdir(params["place"]):  # options may name files as they are called from there
            self._agent = catalog.make(entry.load(), params["options"], who=str(entry))
        if hasattr(self._agent, "begin"):
            self._agent.begin(msgspec.convert(params["context"], PlayContext))
        return None

    def _act(self, params: Mapping[str, Any]) -> Any:
        return taken(self._agent.act(params["observation"], params["tools"]))

    def close(self) -> None:
        """Let the agent close what it holds."""
        if hasattr(self._agent, "close"):
            self._agent.close()


def main() -> None:
    """Serve until standard input ends."""
    channel, server = Channel(), Server()
    while line := channel.read():
        channel.write(server.answer(line))
    server.close()


if __name__ == "__main__":
    main()
    sys.exit(0)
