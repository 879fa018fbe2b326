"""How many tokens a call used, as its reply says; estimated where it does not say."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memarena.records import Record


class TokenCount(Record, frozen=True, kw_only=True):
    """Tokens of one call; `cached` is part of `tokens_in`, `reasoning` is part of `tokens_out`."""

    tokens_in: int = 0
    tokens_out: int = 0
    cached: int = 0
    reasoning: int = 0
    estimated: bool = False
    """The reply did not say: counted by `memarena.meter.estimate_tokens`."""


def stated(usage: object) -> TokenCount | None:
    """The tokens of a `usage` object of chat completions, responses or embeddings; None where it is missing or empty.

    A usage without one token in is no usage: some servers send zeros where they did not count.
    """
    if not isinstance(usage, Mapping):
        return None
    tokens_in = _number(usage, "prompt_tokens", "input_tokens")
    if not tokens_in:
        return None
    return TokenCount(
        tokens_in=tokens_in,
        tokens_out=_number(usage, "completion_tokens", "output_tokens"),
        cached=_number(_part(usage, "prompt_tokens_details", "input_tokens_details"), "cached_tokens"),
        reasoning=_number(_part(usage, "completion_tokens_details", "output_tokens_details"), "reasoning_tokens"),
    )


def _number(usage: Mapping[str, Any], *names: str) -> int:
    for name in names:
        value = usage.get(name)
        if isinstance(value, int | float) and value >= 0:
            return int(value)
    return 0


def _part(usage: Mapping[str, Any], *names: str) -> Mapping[str, Any]:
    return next((usage[name] for name in names if isinstance(usage.get(name), Mapping)), {})
