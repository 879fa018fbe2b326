"""Asks the model for a JSON object of a certain shape, and again where it is none."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from memarena.modelclient import ModelClient
from memarena.records import Record
from memarena.replies import object_in

R = TypeVar("R", bound=Record)

SHOWN = 400
"""Characters of an unusable reply that the model is shown again: a small model has little room."""


class UnusableReply(Exception):
    """The model gave no usable reply, however often it was asked."""


class Asker:
    """Asks up to `attempts` times.

    `unusable` counts replies that were none, `given_up` the requests without one; `cut` counts the usable ones that
    ended before their end: of these what was complete is taken.
    """

    def __init__(self, client: ModelClient, attempts: int) -> None:
        self.unusable = 0
        self.given_up = 0
        self.cut = 0
        self._client = client
        self._attempts = attempts

    def ask(
        self,
        messages: Sequence[Mapping[str, str]],
        kind: type[R],
        form: Mapping[str, Any],
        problem_of: Callable[[R], str] = lambda reply: "",
    ) -> R:
        """The reply as a `kind`, asked for with the `response_format` `form`; `problem_of` says what is wrong with one
        that has the right shape, "" for nothing.

        Raises UnusableReply, and ModelCallFailed where a call fails.
        """
        said, problem = list(messages), ""
        for _ in range(self._attempts):
            text = self._client.chat(said, response_format=form).text
            cut = False
            try:
                found = object_in(text)
                cut = found.cut
                reply = msgspec.json.decode(found.text, type=kind)
                problem = problem_of(reply)
            except (msgspec.MsgspecError, ValueError) as error:
                problem = str(error)
            else:
                if not problem:
                    self.cut += cut
                    return reply
            self.unusable += 1
            shorter = "It was cut off: be much shorter. " if cut else ""
            again = f"That cannot be used: {problem}. {shorter}Reply with the JSON object alone."
            said = [*messages, {"role": "assistant", "content": text[:SHOWN]}, {"role": "user", "content": again}]
        self.given_up += 1
        raise UnusableReply(
            f"no {kind.__name__.lower()} in {self._attempts} replies; the last: {problem}: {text[:200]!r}"
        )
