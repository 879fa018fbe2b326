"""The settings of `graph`."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from memarena.records import Record


class GraphOptions(Record, frozen=True, kw_only=True):
    """Settings of `graph`."""

    url: str = ""
    """Where a Neo4j server answers, e.g. `bolt://localhost:7687`; "": a server of its own on this machine."""
    user: str = "neo4j"
    """Who logs in there; "": nobody, the server asks for no login."""
    password_env: str = "NEO4J_PASSWORD"
    """Environment variable with the password for it."""
    database: str = "neo4j"
    """Database there; the cells keep apart in it."""
    heap_mib: Annotated[int, Meta(ge=128)] = 512
    """MiB of heap of its own server, which the cells of a process share."""
    unit: Literal["round", "turn"] = "round"
    """Of what the model is asked for facts: a user's turn with the reply to it, or each turn alone."""
    known: Annotated[int, Meta(ge=0)] = 12
    """Known facts that the model is shown with it, at most, so that it can say which are not true any more."""
    hop: Annotated[int, Meta(ge=0)] = 3
    """From how many of the best facts their neighbours in the graph are found too; 0: no hop."""
    history: bool = False
    """Find closed facts too; the text of one says until when it was true."""
    attempts: Annotated[int, Meta(ge=1)] = 3
    """How often the model is asked for a reply that can be used, before the cell fails."""
    reply_tokens: Annotated[int, Meta(ge=64)] = 2048
    """Tokens of a reply of the model, at most."""
    longest: Annotated[int, Meta(ge=500)] = 12_000
    """Characters of which the model is asked at once; a longer text is asked of in pieces."""
