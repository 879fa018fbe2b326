"""A model server in a process of its own that replies to the prompts of mem0 at once, with a new fact each round."""

from __future__ import annotations

import base64
import json
import random
import re
import struct
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import Any
from zlib import crc32

from stub_server import running, serve

DIMENSIONS = 384
_NUMBER = re.compile(r"project (\d+)")


def fact_of(body: Mapping[str, Any]) -> str:
    """A fact about the last project that a prompt speaks of."""
    numbers = _NUMBER.findall(body["messages"][-1]["content"])
    return f"The budget of project {numbers[-1] if numbers else 0} is large."


def chat(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """What mem0ai 2.x asks for, and what 1.0.11 asks for in its first call and in its second."""
    prompt = body["messages"][-1]["content"]
    if prompt.startswith("You are a smart memory manager"):
        return {"memory": [{"id": "1000", "text": fact_of(body), "event": "ADD"}]}
    if prompt.startswith("Input:\n"):
        return {"facts": [fact_of(body)]}
    return {"memory": [{"id": "0", "text": fact_of(body), "attributed_to": "user"}]}


@cache
def vector(number: int) -> list[float]:
    """One of 256 vectors, the same in each run."""
    source = random.Random(number)
    return [round(source.gauss(0, 1), 6) for _ in range(DIMENSIONS)]


@cache
def embedding(number: int, form: str) -> str:
    """A vector as JSON, in the form that a request asks for."""
    raw = struct.pack(f"<{DIMENSIONS}f", *vector(number))
    return json.dumps(base64.b64encode(raw).decode() if form == "base64" else vector(number))


def embeddings(body: Mapping[str, Any]) -> bytes:
    """The reply to a request for vectors."""
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    form = body.get("encoding_format", "float")
    rows = (
        f'{{"object": "embedding", "index": {place}, "embedding": {embedding(crc32(text.encode()) % 256, form)}}}'
        for place, text in enumerate(texts)
    )
    usage = '{"prompt_tokens": 1, "total_tokens": 1}'
    return f'{{"object": "list", "model": "stub", "data": [{", ".join(rows)}], "usage": {usage}}}'.encode()


def completion(body: Mapping[str, Any]) -> bytes:
    """The reply to a request for a chat completion."""
    message = {"role": "assistant", "content": json.dumps(chat(body))}
    choice = {"index": 0, "message": message, "finish_reason": "stop"}
    whole = {"id": "c", "object": "chat.completion", "created": 0, "model": "stub", "choices": [choice]}
    return json.dumps(whole).encode()


def answer(path: str, body: Mapping[str, Any]) -> bytes:
    """The reply to a request."""
    return embeddings(body) if path.endswith("/embeddings") else completion(body)


@contextmanager
def serving() -> Iterator[str]:
    """The URL of a stub that serves until the end."""
    with running(__file__) as port:
        yield f"http://127.0.0.1:{port}/v1"


if __name__ == "__main__":
    serve(answer)
