"""A whole reply of either API as the stream of events that a server would have sent."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

DONE = b"data: [DONE]\n\n"
PIECE = 24
"""Characters in one delta."""


def stream_of(endpoint: str, reply: Mapping[str, Any]) -> Iterator[bytes]:
    """The events of `reply`, its usage among them."""
    return chat_stream(reply) if endpoint == "chat" else responses_stream(reply)


def chat_stream(completion: Mapping[str, Any]) -> Iterator[bytes]:
    """A chat completion as the stream that a server would have sent to a client that asks for usage."""
    shared = {key: completion.get(key) for key in ("id", "created", "model")}
    shared["object"] = "chat.completion.chunk"

    def chunk(choices: list[dict[str, Any]], **more: Any) -> bytes:
        return b"data: " + msgspec.json.encode({**shared, "choices": choices, **more}) + b"\n\n"

    for choice in completion.get("choices", ()):
        index, message = choice.get("index", 0), choice.get("message") or {}
        yield chunk([{"index": index, "delta": {"role": "assistant", "content": ""}, "finish_reason": None}])
        for piece in _pieces(message.get("content") or ""):
            yield chunk([{"index": index, "delta": {"content": piece}, "finish_reason": None}])
        calls = [{"index": place, **call} for place, call in enumerate(message.get("tool_calls") or ())]
        if calls:
            yield chunk([{"index": index, "delta": {"tool_calls": calls}, "finish_reason": None}])
        yield chunk([{"index": index, "delta": {}, "finish_reason": choice.get("finish_reason") or "stop"}])
    if completion.get("usage"):
        yield chunk([], usage=completion["usage"])
    yield DONE


def responses_stream(response: Mapping[str, Any]) -> Iterator[bytes]:
    """A response as the stream that a server would have sent."""
    number = 0

    def event(kind: str, **fields: Any) -> bytes:
        nonlocal number
        data = msgspec.json.encode({"type": kind, "sequence_number": number, **fields})
        number += 1
        return f"event: {kind}\ndata: ".encode() + data + b"\n\n"

    begun = {**response, "status": "in_progress", "output": [], "usage": None}
    yield event("response.created", response=begun)
    yield event("response.in_progress", response=begun)
    for place, item in enumerate(response.get("output", ())):
        where = {"output_index": place, "item_id": item.get("id", "")}
        opened = {**item, "status": "in_progress"}
        if item.get("type") == "message":
            yield event("response.output_item.added", output_index=place, item={**opened, "content": []})
            for index, part in enumerate(item.get("content", ())):
                yield from _part_events(event, {**where, "content_index": index}, part)
        elif item.get("type") == "function_call":
            arguments = item.get("arguments", "")
            yield event("response.output_item.added", output_index=place, item={**opened, "arguments": ""})
            yield event("response.function_call_arguments.delta", **where, delta=arguments)
            named = {"name": item.get("name", ""), "arguments": arguments}
            yield event("response.function_call_arguments.done", **where, **named)
        else:
            yield event("response.output_item.added", output_index=place, item=opened)
        yield event("response.output_item.done", output_index=place, item=item)
    yield event("response.completed", response=response)


def _part_events(event: Any, where: Mapping[str, Any], part: Mapping[str, Any]) -> Iterator[bytes]:
    if part.get("type") != "output_text":
        yield event("response.content_part.added", **where, part=part)
        yield event("response.content_part.done", **where, part=part)
        return
    text = part.get("text", "")
    yield event("response.content_part.added", **where, part={**part, "text": ""})
    for piece in _pieces(text):
        yield event("response.output_text.delta", **where, delta=piece, logprobs=[])
    yield event("response.output_text.done", **where, text=text, logprobs=[])
    yield event("response.content_part.done", **where, part=part)


def _pieces(text: str) -> Iterator[str]:
    return (text[start : start + PIECE] for start in range(0, len(text), PIECE))
