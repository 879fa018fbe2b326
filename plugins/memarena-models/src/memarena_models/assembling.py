"""The whole reply that a stream of events amounts to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from memarena_models.sse import EventSplitter, payload

RESPONSE_ENDS = ("response.completed", "response.incomplete", "response.failed")
"""The events of the Responses API that end a stream and hold the whole response."""


def assembled(endpoint: str, stream: bytes) -> dict[str, Any] | None:
    """The whole reply of a stream that was recorded; None where it has none."""
    splitter = EventSplitter()
    events = [payload(event) for event in splitter.feed(stream)]
    parts = [event for event in events if isinstance(event, dict)]
    if endpoint == "responses":
        last = next((part for part in reversed(parts) if part.get("type") in RESPONSE_ENDS), None)
        return None if last is None else last.get("response")
    chunks = [part for part in parts if isinstance(part.get("choices"), list)]
    if not chunks:
        return None
    choices: dict[int, dict[str, Any]] = {}
    for chunk in chunks:
        for choice in chunk["choices"]:
            _add_choice(choices, choice)
    whole: dict[str, Any] = {key: chunks[0].get(key) for key in ("id", "created", "model")}
    whole |= {"object": "chat.completion", "choices": [choices[index] for index in sorted(choices)]}
    usage = next((chunk["usage"] for chunk in reversed(chunks) if chunk.get("usage")), None)
    return whole if usage is None else {**whole, "usage": usage}


def _add_choice(choices: dict[int, dict[str, Any]], choice: Mapping[str, Any]) -> None:
    index = choice.get("index", 0)
    blank = {"index": index, "message": {"role": "assistant", "content": None}, "finish_reason": None}
    whole = choices.setdefault(index, blank)
    delta, message = choice.get("delta") or {}, whole["message"]
    for name in ("content", "reasoning_content", "refusal"):
        if delta.get(name):
            message[name] = (message.get(name) or "") + delta[name]
    for call in delta.get("tool_calls") or ():
        _add_tool_call(message.setdefault("tool_calls", []), call)
    whole["finish_reason"] = choice.get("finish_reason") or whole["finish_reason"]


def _add_tool_call(calls: list[dict[str, Any]], piece: Mapping[str, Any]) -> None:
    place = piece.get("index", len(calls))
    while len(calls) <= place:
        calls.append({"id": "", "type": "function", "function": {"name": "", "arguments": ""}})
    call, function = calls[place], piece.get("function") or {}
    call["id"] = piece.get("id") or call["id"]
    call["function"]["name"] += function.get("name") or ""
    call["function"]["arguments"] += function.get("arguments") or ""
