"""What the model says in these tests, and what it was told."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from memarena.testing.model_server import ModelServer


def fact(
    subject: str,
    relation: str,
    value: str,
    text: str = "",
    *,
    single: bool = False,
    since: str = "",
    replaces: Sequence[int] = (),
) -> dict[str, Any]:
    """A fact as the model gives it."""
    return {
        "subject": subject,
        "relation": relation,
        "object": value,
        "text": text or f"{subject} {relation} {value}.",
        "single": single,
        "since": since,
        "replaces": list(replaces),
    }


def facts(*rows: dict[str, Any]) -> str:
    """A reply with these facts."""
    return json.dumps({"facts": rows})


def asked(model: ModelServer, chat: int = -1) -> dict[str, Any]:
    """What the model was told in a chat: its time, the messages, what is known."""
    found: dict[str, Any] = json.loads(model.chats[chat]["messages"][1]["content"])
    return found


def by_default(body: Mapping[str, Any]) -> str:
    """It finds no facts."""
    return facts()
