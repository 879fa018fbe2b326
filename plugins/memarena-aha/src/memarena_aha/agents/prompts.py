"""The prompts and budgets of agents that are models, from the data file `prompts.toml`."""

from __future__ import annotations

from functools import cache
from hashlib import sha256
from importlib.resources import files

import msgspec

__all__ = ["Budgets", "Prompts", "prompt_hash", "prompts"]


class Budgets(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How much of a conversation is kept, and how long a reply may be, in tokens."""

    conversation: int
    reply: int


class Prompts(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The texts of `prompts.toml`; what each is for stands there."""

    revision: int
    system: str
    memory: str
    nothing_known: str
    reflect: str
    session: str
    budgets: Budgets

    def memory_block(self, text: str) -> str:
        """The block in which the memory is shown; the only words of a request that differ between arms."""
        return self.memory.strip().replace("{memory}", text.strip() or self.nothing_known)


def _source() -> bytes:
    return (files("memarena_aha.agents") / "data" / "prompts.toml").read_bytes()


@cache
def prompts() -> Prompts:
    """The prompts, read once."""
    return msgspec.toml.decode(_source(), type=Prompts)


@cache
def prompt_hash() -> str:
    """The first 12 hex digits of the SHA-256 of the file: other prompts, other results."""
    return sha256(_source()).hexdigest()[:12]
