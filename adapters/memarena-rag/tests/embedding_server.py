"""An OpenAI-compatible server on the loopback: real HTTP, vectors by hashed words, and ways to fail."""

from __future__ import annotations

import base64
import json
import struct
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any

from memarena.records import Endpoint
from memarena.testing.loopback import Reply, Request, serving

KEY = "key-of-this-cell"
DIMENSIONS = 64


def vector_of(text: str) -> list[float]:
    """Each word adds 1 or -1 at the place that its hash names."""
    vector = [0.0] * DIMENSIONS
    for word in "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split():
        number = int.from_bytes(blake2b(word.encode("utf-8", "replace"), digest_size=4).digest(), "big")
        vector[(number >> 1) % DIMENSIONS] += 1.0 if number & 1 else -1.0
    return vector


class StandIn:
    """What the server was asked, and how it is to answer."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.failure: Callable[[Mapping[str, Any]], tuple[int, bytes]] | None = None
        self.as_numbers = False
        self.said = "turn"
        """What the chat model replies."""
        self.base_url = ""

    def endpoint(self, model: str = "stand-in") -> Endpoint:
        return Endpoint(base_url=self.base_url, model=model, api_key=KEY)

    def texts(self) -> list[str]:
        """All texts that it embedded, in order."""
        return [text for body in self.bodies for text in body.get("input", ())]

    def chats(self) -> list[dict[str, Any]]:
        return [body for body in self.bodies if "messages" in body]

    def fail(self, status: int, content: object = None) -> None:
        """Answer everything with `status` from now on."""
        data = content if isinstance(content, bytes) else json.dumps(content).encode()
        self.failure = lambda body: (status, data)

    def reply(self, body: dict[str, Any]) -> tuple[int, bytes]:
        self.bodies.append(body)
        if self.failure is not None:
            return self.failure(body)
        if "messages" in body:
            return 200, json.dumps({"choices": [{"message": {"content": self.said}}]}).encode()
        vectors = [vector_of(text) for text in body["input"]]
        shown = vectors if self.as_numbers else [_packed(vector) for vector in vectors]
        rows = [{"index": place, "embedding": vector} for place, vector in enumerate(shown)]
        return 200, json.dumps({"data": rows[::-1]}).encode()


def _packed(vector: list[float]) -> str:
    return base64.b64encode(struct.pack(f"<{len(vector)}f", *vector)).decode("ascii")


@contextmanager
def standing_in() -> Iterator[StandIn]:
    """A server that runs in threads of this process."""
    stand_in = StandIn()

    def answer(request: Request) -> Reply:
        if request.authorization != f"Bearer {KEY}":
            return Reply.of({"error": {"message": "wrong key"}}, 401)
        status, data = stand_in.reply(request.body)
        return Reply(data, status)

    with serving(answer) as address:
        stand_in.base_url = f"{address}/v1"
        yield stand_in
