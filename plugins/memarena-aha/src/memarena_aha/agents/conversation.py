"""What a model has said and seen so far in an episode, within a budget."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memarena.meter import estimate_tokens

__all__ = ["Conversation"]

Message = dict[str, Any]


class Conversation:
    """The first observation, then pairs of an action and what came of it; the oldest pairs go where it gets too long.

    The block of memory is not part of it: it is shown anew in each request and then forgotten.
    """

    def __init__(self, budget: int) -> None:
        self._budget = budget
        self._first: Message | None = None
        self._rounds: list[tuple[Message, Message | None, int]] = []
        self._count = 0

    @property
    def begun(self) -> bool:
        """Whether anything was seen."""
        return self._first is not None

    def see(self, text: str) -> None:
        """Take in an observation: the answer to the last action, or the beginning."""
        if self._first is None:
            self._first = {"role": "user", "content": text}
            return
        said, _, _ = self._rounds[-1]
        calls = said.get("tool_calls")
        if calls:
            answer: Message = {"role": "tool", "tool_call_id": calls[0]["id"], "content": text}
        else:
            answer = {"role": "user", "content": text}
        self._rounds[-1] = (said, answer, estimate_tokens(text) + _tokens(said))
        self._cut()

    def call(self, name: str, arguments: str) -> None:
        """Keep a call of a tool, as the model wrote it. Its id is our own, so that the same play asks the same."""
        self._count += 1
        function = {"name": name, "arguments": arguments}
        call = {"id": f"call_{self._count}", "type": "function", "function": function}
        self._rounds.append(({"role": "assistant", "content": None, "tool_calls": [call]}, None, 0))

    def say(self, text: str) -> None:
        """Keep words in place of a call."""
        self._rounds.append(({"role": "assistant", "content": text}, None, 0))

    def messages(self) -> list[Message]:
        """All messages that are kept, in order; the last is an observation."""
        assert self._first is not None, "an observation comes first"
        answered = [message for said, answer, _ in self._rounds if answer is not None for message in (said, answer)]
        return [self._first, *answered]

    def _cut(self) -> None:
        """Drop the oldest rounds; the newest always stays."""
        while len(self._rounds) > 1 and sum(tokens for _, _, tokens in self._rounds) > self._budget:
            del self._rounds[0]


def _tokens(said: Mapping[str, Any]) -> int:
    calls = said.get("tool_calls")
    return estimate_tokens(calls[0]["function"]["arguments"] if calls else str(said["content"]))
