"""What the model says in these tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any


def say(text: str) -> dict[str, Any]:
    """A message in words."""
    return {"role": "assistant", "content": text}


def note(*keywords: str, context: str = "", tags: Sequence[str] = ("tag",)) -> dict[str, Any]:
    """A message that analyses a note."""
    return say(json.dumps({"keywords": keywords, "context": context or f"About {keywords[0]}.", "tags": tags}))


def stay() -> dict[str, Any]:
    """A message that changes nothing."""
    return evolve(should_evolve=False)


def evolve(
    *,
    should_evolve: bool = True,
    actions: Sequence[str] = (),
    links: Sequence[int] = (),
    tags: Sequence[str] = (),
    contexts: Sequence[str] = (),
    neighbour_tags: Sequence[Sequence[str]] = (),
) -> dict[str, Any]:
    """A message that says what evolves."""
    told = {
        "should_evolve": should_evolve,
        "actions": actions,
        "suggested_connections": links,
        "tags_to_update": tags,
        "new_context_neighborhood": contexts,
        "new_tags_neighborhood": neighbour_tags,
    }
    return say(json.dumps(told))


def by_default(body: Mapping[str, Any]) -> dict[str, Any]:
    """A note on nothing, which changes nothing."""
    return note("thing") if body["response_format"]["json_schema"]["name"] == "analysis" else stay()
