"""What can be set of `graphiti`."""

from __future__ import annotations

from typing import Literal

from memarena.records import Record


class GraphitiOptions(Record, frozen=True, kw_only=True):
    """Settings of `graphiti`."""

    url: str = ""
    """A running server: `redis://127.0.0.1:6379` FalkorDB, `bolt://127.0.0.1:7687` Neo4j; "": a FalkorDB of its own."""
    user: str = ""
    """Who logs in to a Neo4j server."""
    password: str = ""
    closed: bool = False
    """Retrieve facts too that have been contradicted, as the library does by itself."""
    time_in_text: bool = True
    """Retrieved texts begin with `[time]`, since when the fact holds; what is kept does not."""
    longest: int = 20_000
    """Characters of a turn above which it is handed over in pieces, each an episode."""
    dimensions: int = 1024
    """Numbers of a vector that are kept; the rest is cut off, as the library does."""
    output: Literal["json_schema", "json_object"] = "json_schema"
    """How replies in JSON are asked for: by a schema that the server enforces, or by words in the prompt."""
    max_tokens: int = 16_384
    """Tokens that the model may say in a reply; a reply that is cut off cannot be read."""
    tries: int = 4
    """Times that a prompt is asked whose reply cannot be read."""
