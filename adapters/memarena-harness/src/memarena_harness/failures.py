"""What can go wrong with an agent, told apart: each kind says who has to do something."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

Kind = Literal[
    "bad key",
    "rate limit",
    "server error",
    "refused connection",
    "hang",
    "cut stream",
    "over budget",
    "context too long",
    "reply too long",
    "model missing",
    "sandbox missing",
    "program missing",
    "wrong version",
    "wrong configuration",
    "memory limit",
    "disk limit",
    "process limit",
    "pictures lost",
    "junk answer",
    "failed",
]

FATAL: frozenset[Kind] = frozenset(
    {"bad key", "model missing", "sandbox missing", "program missing", "wrong version", "wrong configuration"}
)
"""Kinds that no later call gets past: a checkpoint fails as a whole, and the cell with it."""

OVER: Mapping[str, Kind] = {
    "time": "hang",
    "memory": "memory limit",
    "disk": "disk limit",
    "processes": "process limit",
    "refusals": "server error",
}
"""The kind that a limit stands for which an agent was killed for."""


class HarnessFailure(Exception):
    """A call of an agent came to nothing. `kind` says how; the message is one line with what is known of it."""

    def __init__(self, kind: Kind, problem: str) -> None:
        self.kind: Kind = kind
        self.problem = plain(problem)
        super().__init__(f"{kind}: {self.problem}" if problem else kind)


def plain(text: str) -> str:
    """`text` on one line, without what would steer the terminal that it is shown on."""
    return " ".join("".join(char if char.isprintable() else " " for char in text).split())


def of_status(status: int) -> Kind:
    """The kind that an HTTP status of the model's server stands for."""
    if status == 402:
        return "over budget"
    if status in (401, 403):
        return "bad key"
    if status == 404:
        return "model missing"
    if status == 429:
        return "rate limit"
    return "server error" if status >= 500 else "failed"
