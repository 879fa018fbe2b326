"""Settings of `letta`."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

from memarena.records import Record


class LettaOptions(Record, frozen=True, kw_only=True):
    """Settings of `letta`."""

    url: str = "http://127.0.0.1:8283"
    """Address of the Letta server; it must run on this machine, as it calls the models through the loopback."""
    key_variable: str = ""
    """Name of the environment variable that holds the server's key; "": the server asks for none."""
    window: Annotated[int, Meta(ge=8192)] = 32_000
    """Tokens of the agent's context."""
    block_limit: Annotated[int, Meta(ge=100)] = 20_000
    """Characters of each block; both stand in every prompt, and must leave room in the window."""
    steps: Annotated[int, Meta(ge=1)] = 10
    """Replies of the model to one message, at most."""
    reply_tokens: Annotated[int, Meta(ge=64)] = 4096
    """Tokens of a reply of the model, at most."""
    longest: Annotated[int, Meta(ge=1000)] = 20_000
    """Characters of a turn above which it is handed over in pieces."""
    dimensions: Annotated[int, Meta(ge=0)] = 0
    """Length of the vectors; 0: the embedding model is asked at reset."""
    searched: Annotated[int, Meta(ge=0)] = 5
    """Results that each search, of archival and of recall memory, gives to a question, at most."""
