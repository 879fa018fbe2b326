"""Asks the model for a JSON object of a certain shape, and again where it is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

import msgspec

from memarena.modelclient import ModelClient
from memarena.records import Record
from memarena_amem.prompts import schema

R = TypeVar("R", bound=Record)


class UnusableReply(Exception):
    """The model gave no usable reply, however often it was asked."""


class Asker:
    """Asks up to `attempts` times. `unusable` counts replies that were none, `given_up` the requests without one."""

    def __init__(self, client: ModelClient, attempts: int) -> None:
        self.unusable = 0
        self.given_up = 0
        self._client = client
        self._attempts = attempts

    def ask(
        self, messages: Sequence[Mapping[str, str]], kind: type[R], problem_of: Callable[[R], str] = lambda reply: ""
    ) -> R:
        """The reply as a `kind`; `problem_of` says what is wrong with one that has the right shape, "" for nothing.

        Raises UnusableReply, and ModelCallFailed where a call fails.
        """
        said, problem = list(messages), ""
        for _ in range(self._attempts):
            text = self._client.chat(said, response_format=schema(kind)).text
            try:
                reply = msgspec.json.decode(_object(text), type=kind)
                problem = problem_of(reply)
            except (msgspec.MsgspecError, ValueError, RecursionError) as error:
                problem = str(error)
            else:
                if not problem:
                    return reply
            self.unusable += 1
            again = f"That cannot be used: {problem}. Reply with the JSON object alone."
            said = [*messages, {"role": "assistant", "content": text[:2000]}, {"role": "user", "content": again}]
        self.given_up += 1
        raise UnusableReply(
            f"no {kind.__name__.lower()} in {self._attempts} replies; the last: {problem}: {text[:200]!r}"
        )


def _object(text: str) -> str:
    """What stands between the first and the last brace: models like to wrap JSON in words and fences."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or end < start:
        raise ValueError("there is no JSON object")
    return text[start : end + 1]
