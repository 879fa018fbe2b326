"""A model server in a process of its own that costs next to nothing, and the plainest client for it.

Chat: it calls functions, fills the shapes that the adapters ask for, or names a route. Embeddings: one of 256 vectors.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from http.client import HTTPConnection
from typing import Any
from zlib import crc32

from stub_server import running, serve

DIMENSIONS = 384
FACT = {"content": "The desk of Ana stands in room 14 since Tuesday."}
SHAPES: Mapping[str, Mapping[str, Any]] = {
    "analysis": {"keywords": ["desk", "Ana"], "context": "Where a desk stands.", "tags": ["office"]},
    "evolution": {
        "should_evolve": True,
        "actions": ["strengthen"],
        "suggested_connections": [0],
        "tags_to_update": ["office"],
        "new_context_neighborhood": [],
        "new_tags_neighborhood": [],
    },
}


class Client:
    """What one writes by hand to call a model."""

    def __init__(self, port: int) -> None:
        self._connection = HTTPConnection("127.0.0.1", port)

    def post(self, path: str, body: Mapping[str, Any]) -> Any:
        headers = {"content-type": "application/json", "authorization": "Bearer key"}
        self._connection.request("POST", path, json.dumps(body).encode(), headers)
        return json.loads(self._connection.getresponse().read())


@contextmanager
def serving() -> Iterator[int]:
    """The port of a stub that serves until the end."""
    with running(__file__) as port:
        yield port


def chat(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message for a request."""
    shape = body.get("response_format", {}).get("json_schema", {}).get("name")
    if shape in SHAPES:
        return {"role": "assistant", "content": json.dumps(SHAPES[shape])}
    if '"facts"' in str(body["messages"][0]["content"]):
        return {"role": "assistant", "content": json.dumps({"facts": [fact(str(body["messages"][1]["content"]))]})}
    if "tools" not in body:
        return {"role": "assistant", "content": "turn"}
    last = body["messages"][-1]
    if last["role"] == "tool":
        return called("send_message", {"message": "Done."})
    if last["content"].startswith("Question:"):
        return called("archival_memory_search", {"query": last["content"]})
    return called("archival_memory_insert", FACT)


def fact(text: str) -> Mapping[str, Any]:
    """A fact for a graph: one of 400 people has one of 5,000 desks, of which many may be true at once."""
    mark = crc32(text.encode())
    who, desk = f"Ana {mark % 400}", f"desk {mark % 5003}"
    told = {"subject": who, "relation": "has", "object": desk, "text": f"{who} has the {desk}."}
    return {**told, "single": False, "since": "", "replaces": []}


def called(name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
    """A message that calls a function."""
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": "1", "type": "function", "function": function}]}


@cache
def vectors() -> list[Any]:
    """Vectors as bytes of single precision."""
    import numpy as np

    rows = np.random.default_rng(0).standard_normal((256, DIMENSIONS)).astype("<f4")
    return [row.tobytes() for row in rows]


@cache
def embedding(number: int, form: str) -> str:
    """A vector as JSON, in the form that a request asks for."""
    import numpy as np

    raw = vectors()[number]
    return json.dumps(base64.b64encode(raw).decode() if form == "base64" else np.frombuffer(raw, "<f4").tolist())


def embeddings(body: Mapping[str, Any]) -> bytes:
    """The reply to a request for embeddings."""
    form = body.get("encoding_format", "float")
    texts = body["input"] if "input" in body else [json.dumps(body["messages"])]
    rows = (
        f'{{"index": {place}, "embedding": {embedding(crc32(text.encode()) % 256, form)}}}'
        for place, text in enumerate(texts)
    )
    return f'{{"data": [{", ".join(rows)}]}}'.encode()


def answer(path: str, body: Mapping[str, Any]) -> bytes:
    """The reply to a request."""
    if path.endswith("/embeddings"):
        return embeddings(body)
    return json.dumps({"choices": [{"index": 0, "message": chat(body), "finish_reason": "stop"}]}).encode()


if __name__ == "__main__":
    serve(answer)
