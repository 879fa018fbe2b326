"""What the model says in these tests."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any


def use(*calls: tuple[str, Any]) -> dict[str, Any]:
    """A message that calls functions; arguments that are a text are sent as they are."""
    return {
        "role": "assistant",
        "content": None,
        "tool_calls": [
            {
                "id": f"c{place}",
                "type": "function",
                "function": {"name": name, "arguments": given if isinstance(given, str) else json.dumps(given)},
            }
            for place, (name, given) in enumerate(calls)
        ],
    }


def say(text: str) -> dict[str, Any]:
    """A message in words."""
    return {"role": "assistant", "content": text}


QUIET = use(("send_message", {"message": "Done."}))
QUIET_JSON = say(json.dumps({"calls": [{"name": "send_message", "arguments": {"message": "Done."}}]}))


def by_default(body: Mapping[str, Any]) -> dict[str, Any]:
    """It does nothing."""
    if "tools" in body:
        return QUIET
    return QUIET_JSON if "response_format" in body else say("They talked.")
