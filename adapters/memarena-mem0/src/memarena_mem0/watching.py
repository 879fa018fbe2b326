"""What happens inside mem0 while it works: its replies, and the errors that it swallows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

Redate = Callable[[Sequence[Mapping[str, Any]], str], list[dict[str, Any]]]
"""Gives prompts the time of the benchmark: (messages, time) -> messages."""


class Watch:
    """What was seen since the last `begin`."""

    def __init__(self) -> None:
        self.begin("")

    def begin(self, time: str) -> None:
        """Forget what was seen; from now on it is `time`."""
        self.time = time
        self.replies: list[object] = []
        """What the model replied where JSON was asked for."""
        self.outages: list[Exception] = []
        """What the model, the encoder and the store raised."""


class Watched:
    """An encoder or a store: its calls go through, and what they raise is noted, as mem0 swallows some of it."""

    def __init__(self, inner: Any, watch: Watch) -> None:
        self._inner = inner
        self._watch = watch

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._inner, name)
        if not callable(value) or isinstance(value, type):
            return value

        def call(*args: Any, **kwargs: Any) -> Any:
            try:
                return value(*args, **kwargs)
            except Exception as error:
                self._watch.outages.append(error)
                raise

        return call


class WatchedModel:
    """A model of mem0: prompts get the time of the benchmark, replies and errors are noted."""

    def __init__(self, inner: Any, watch: Watch, redate: Redate) -> None:
        self._inner = inner
        self._watch = watch
        self._redate = redate

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def generate_response(
        self, messages: Sequence[Mapping[str, Any]], response_format: Any = None, **more: Any
    ) -> object:
        """Ask the model; raises what it raises."""
        try:
            dated = self._redate(messages, self._watch.time) if response_format else messages
            reply: object = self._inner.generate_response(messages=dated, response_format=response_format, **more)
        except Exception as error:
            self._watch.outages.append(error)
            raise
        if response_format:
            self._watch.replies.append(reply)
        return reply


@dataclass
class Tally:
    """What became of everything that was handed over since `reset`."""

    adds: int = 0
    """Calls of `Memory.add`."""
    nothing: int = 0
    """Those of which the model found nothing to remember."""
    unreadable: int = 0
    """Those of which a reply of the model could not be read: what they said is lost."""
    lost: int = 0
    """Single memories that the model named and mem0 did not take, for want of a text or of an id that exists."""
    repeated: int = 0
    """Memories that mem0 left out since the same text is there already."""

    @property
    def failures(self) -> int:
        """What was lost without an error."""
        return self.unreadable + self.lost

    def row(self) -> dict[str, int]:
        """For the trace of a retrieval."""
        return {**asdict(self), "failures": self.failures}
