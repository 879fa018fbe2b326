"""The FIFO queue of messages, whose first place holds a summary of all that was evicted."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from memarena.meter import estimate_tokens
from memarena.modelclient import Chat

KEPT = 3
"""Exchanges that are never evicted: the newest (that of MemGPT's released code)."""
SUMMARY_HEAD = "Summary of earlier messages, which are no longer in view:"


@dataclass(slots=True, eq=False)
class Exchange:
    """An event and what the model did about it; evicted as a whole, so that no result loses its call."""

    event: str
    turn_ids: tuple[str, ...] = ()
    answers: list[Chat] = field(default_factory=list)
    tokens: int = 0

    def __post_init__(self) -> None:
        self.tokens += estimate_tokens(self.event)

    def add(self, *messages: Chat) -> None:
        """Add messages: a reply, or the result of a function."""
        self.answers.extend(messages)
        self.tokens += sum(map(_tokens, messages))

    @property
    def messages(self) -> list[Chat]:
        """The event as the user's message, then the rest."""
        return [{"role": "user", "content": self.event}, *self.answers]


class MessageQueue:
    """Exchanges in order, and the summary of those that are gone."""

    def __init__(self) -> None:
        self.summary = ""
        self._summary_tokens = 0
        self._exchanges: deque[Exchange] = deque()

    def __iter__(self) -> Iterator[Exchange]:
        return iter(self._exchanges)

    def __contains__(self, exchange: Exchange) -> bool:
        return exchange in self._exchanges

    def push(self, exchange: Exchange) -> None:
        """Add the newest exchange; it may still grow."""
        self._exchanges.append(exchange)

    @property
    def tokens(self) -> int:
        """Estimated tokens of the summary and all exchanges."""
        return self._summary_tokens + sum(exchange.tokens for exchange in self._exchanges)

    @property
    def messages(self) -> list[Chat]:
        """What of the queue stands in the prompt."""
        first = [{"role": "user", "content": f"{SUMMARY_HEAD}\n{self.summary}"}] if self.summary else []
        return [*first, *(message for exchange in self._exchanges for message in exchange.messages)]

    def oldest(self, tokens: int) -> list[Exchange]:
        """The oldest exchanges that hold at least so many tokens together; the newest KEPT are never among them."""
        found: list[Exchange] = []
        for exchange in list(self._exchanges)[: max(len(self._exchanges) - KEPT, 0)]:
            if tokens <= 0:
                break
            found.append(exchange)
            tokens -= exchange.tokens
        return found

    def drop(self, exchanges: Sequence[Exchange], summary: str) -> None:
        """Evict the oldest exchanges, which `summary` now stands for."""
        for _ in exchanges:
            self._exchanges.popleft()
        self.summary = summary
        self._summary_tokens = estimate_tokens(summary)


def _tokens(message: Chat) -> int:
    used = estimate_tokens(str(message.get("content") or ""))
    calls: Sequence[Any] = message.get("tool_calls") or ()
    return used + sum(estimate_tokens(f"{call['function']['name']} {call['function']['arguments']}") for call in calls)
