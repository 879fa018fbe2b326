"""A model on the loopback: `offline`, or what a script says; and a way to play an episode with an agent."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from memarena.records import Endpoint
from memarena.testing import loopback
from memarena.testing.loopback import Reply, Request

Script = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""A message of the model (content, tool_calls), by the body of a request."""


class Model:
    """Replies as the model `offline`, or by `script`; keeps what it was asked."""

    def __init__(self) -> None:
        self.bodies: list[Mapping[str, Any]] = []
        self.script: Script | None = None
        self.endpoint = Endpoint(base_url="", model="offline", api_key="mem-key")

    def reply(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The whole reply to a request."""
        from memarena_models import offline

        if self.script is not None:
            return {"choices": [{"index": 0, "finish_reason": "stop", "message": self.script(body)}]}
        return offline.chat(body) if path.endswith("completions") else namespaced(body)


def namespaced(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A reply of `offline` to responses whose tools stand in namespaces, as Codex sends those of its servers."""
    from memarena_models import offline

    inner = [(space, tool) for space in body["tools"] if space["type"] == "namespace" for tool in space["tools"]]
    plain = [tool for tool in body["tools"] if tool["type"] != "namespace"]
    reply = offline.responses({**body, "tools": [*plain, *(tool for _, tool in inner)]})
    spaces = {tool["name"]: space["name"] for space, tool in inner}
    for item in reply["output"]:
        if item.get("name") in spaces:
            item["namespace"] = spaces[item["name"]]
    return reply


def says(name: str, arguments: str) -> Mapping[str, Any]:
    """A message that calls a tool."""
    return {"content": None, "tool_calls": [{"id": "x", "function": {"name": name, "arguments": arguments}}]}


@contextlib.contextmanager
def serving() -> Iterator[Model]:
    """A model that serves as long as this is open."""
    model = Model()

    def answer(request: Request) -> Reply:
        model.bodies.append(request.body)
        reply = model.reply(request.path, request.body)
        if not request.body.get("stream"):
            return Reply.of(reply)
        from memarena_models.streaming import stream_of

        kind = "chat" if request.path.endswith("completions") else "responses"
        return Reply(b"".join(stream_of(kind, reply)), kind="text/event-stream")

    with loopback.serving(answer) as address:
        model.endpoint = Endpoint(base_url=f"{address}/v1", model="offline", api_key="mem-key")
        yield model


def play(agent: Any, episode: Any, memory: str = "", most: int = 10_000) -> list[Any]:
    """Play to the end, or for so many actions; gives the actions."""
    actions: list[Any] = []
    while not episode.ended and len(actions) < most:
        actions.append(agent.act({**episode.observe(), "memory": memory}, episode.tools()))
        episode.act(actions[-1])
    return actions
