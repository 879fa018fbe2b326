"""Function calls as JSON in the text of a reply: how they are asked for, read, and shown to the model again."""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from typing import Any

from memarena.modelclient import Chat, ToolUse
from memarena.replies import list_in
from memarena_memgpt.functions import FUNCTIONS, SILENT, Parameter, parameters_of

MOST = 5
"""Calls in one reply, at most."""
RESULT = "Result of your call:"
"""Heads what a function gave back."""


@cache
def response_format(names: tuple[str, ...]) -> dict[str, Any]:
    """What makes a server reply with calls of the functions `names` and nothing else.

    All arguments are required, as strict schemas want it. The format is not to be changed.
    """
    calls = {"type": "array", "minItems": 1, "maxItems": MOST, "items": {"anyOf": [_schema(name) for name in names]}}
    schema = _object({"calls": calls})
    return {"type": "json_schema", "json_schema": {"name": "calls", "strict": True, "schema": schema}}


@cache
def manual(names: tuple[str, ...]) -> str:
    """What the model is told of the functions `names` and of the form of its reply."""
    lines = [f"{name}({', '.join(map(_told, parameters_of(name).items()))}): {FUNCTIONS[name].about}" for name in names]
    example = json.dumps({"calls": [{"name": SILENT, "arguments": {"message": "Done."}}]})
    return "\n".join(
        (
            f"Reply with JSON alone: one to {MOST} calls, executed in order, each with all its arguments.",
            f"For example: {example}",
            "Functions:",
            *lines,
        )
    )


def calls_in(text: str) -> tuple[ToolUse, ...]:
    """The calls that a reply holds, unchecked; of one that was cut off, those that came whole."""
    try:
        rows, _ = list_in(text, "calls")
    except ValueError:
        return ()
    found: list[ToolUse] = []
    for row in rows[:MOST]:
        try:
            arguments = json.dumps(row["arguments"], ensure_ascii=False)
            found.append(ToolUse(call_id=f"call_{len(found)}", name=str(row["name"]), arguments=arguments))
        except (KeyError, TypeError):
            break
    return tuple(found)


def as_text(messages: Sequence[Chat]) -> list[dict[str, str]]:
    """A conversation with calls and results as one of texts.

    Neighbours of one role become one message: templates of chats without tools often want roles in turn.
    """
    return [
        {"role": role, "content": "\n\n".join(map(_text, neighbours))} for role, neighbours in groupby(messages, _role)
    ]


def _role(message: Chat) -> str:
    return "user" if message["role"] == "tool" else str(message["role"])


def _text(message: Chat) -> str:
    if message["role"] == "tool":
        return f"{RESULT}\n{message['content']}"
    calls = [
        f'{{"name": {json.dumps(call["name"])}, "arguments": {call["arguments"]}}}'
        for call in (use["function"] for use in message.get("tool_calls") or ())
    ]
    return f'{{"calls": [{", ".join(calls)}]}}' if calls else message["content"] or ""


def _schema(name: str) -> dict[str, Any]:
    arguments = {key: parameter.schema for key, parameter in parameters_of(name).items()}
    return _object({"name": {"type": "string", "enum": [name]}, "arguments": _object(arguments)})


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _told(parameter: tuple[str, Parameter]) -> str:
    name, what = parameter
    return f"{name}: {' | '.join(map(json.dumps, what.choices)) or what.type}"
