"""Models for tests: one that says what a script holds, and the embedded one without a server between."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from memarena import meter
from memarena.records import Endpoint
from memarena_models import offline
from memarena_models.client import Reply


@pytest.fixture
def at_hand() -> Iterator[None]:
    """A cell is at work, and a model can be reached for every role."""

    def endpoint(cell_id: str, role: str) -> Endpoint:
        return Endpoint(base_url="http://127.0.0.1:9/v1", model=f"model-of-{role}", api_key=f"key-of-{cell_id}")

    undo = meter.register(lambda cell_id: {}, endpoints=endpoint)
    try:
        with meter.stage("cell", "answer"):
            yield
    finally:
        undo()


class Script:
    """Says the lines of a script, one a call, and keeps what it was asked; an exception is raised."""

    def __init__(self, *lines: object) -> None:
        self._lines = list(lines)
        self.endpoints: list[Endpoint] = []
        self.messages: list[Sequence[Mapping[str, Any]]] = []
        self.decoding: list[Mapping[str, Any]] = []

    def __call__(self, endpoint: Endpoint, messages: Sequence[Mapping[str, Any]], **decoding: Any) -> Reply:
        self.endpoints.append(endpoint)
        self.messages.append(messages)
        self.decoding.append(decoding)
        line = self._lines.pop(0)
        if isinstance(line, Exception):
            raise line
        finish = "stop"
        if isinstance(line, Cut):
            line, finish = line.text, "length"
        raw = {"choices": [{"message": {"content": line}, "finish_reason": finish}]}
        return Reply(text=line if isinstance(line, str) else "", usage=None, finish=finish, raw=raw)

    @property
    def calls(self) -> int:
        return len(self.messages)

    @property
    def user(self) -> str:
        """The text of the first message of the user in the last call."""
        content = self.messages[-1][1]["content"]
        return content if isinstance(content, str) else content[0]["text"]


class Cut:
    """A line that ended for want of tokens."""

    def __init__(self, text: str) -> None:
        self.text = text


def offline_chat(endpoint: Endpoint, messages: Sequence[Mapping[str, Any]], **decoding: Any) -> Reply:
    """The model `offline`, called as through a gateway: what is sent and what comes back is JSON."""
    body = json.loads(json.dumps({"model": "offline", "messages": messages, **decoding}))
    raw = offline.chat(body)
    choice = raw["choices"][0]
    return Reply(text=choice["message"]["content"], usage=None, finish=choice["finish_reason"], raw=raw)


def verdicts(*words: str, first: int = 1) -> str:
    """A reply with a verdict for each number from `first`."""
    entries = [{"number": number, "verdict": word} for number, word in enumerate(words, first)]
    return json.dumps({"verdicts": entries})
