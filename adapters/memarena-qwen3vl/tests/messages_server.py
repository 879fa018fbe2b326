"""An endpoint on the loopback that embeds `messages` as vLLM does: words by hash, pictures by their mean colour."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from io import BytesIO
from typing import Any

from PIL import Image

from memarena.records import Endpoint
from memarena.testing.loopback import Reply, Request, serving

KEY = "key-of-this-cell"
WORDS = 61
"""Dimensions for words; three more are for red, green and blue."""


def vector_of(text: str) -> list[float]:
    """Each word adds 1 at the place that its hash names."""
    vector = [0.0] * (WORDS + 3)
    for word in "".join(letter if letter.isalnum() else " " for letter in text.casefold()).split():
        digest = blake2b(word.encode("utf-8", "replace"), digest_size=4).digest()
        vector[int.from_bytes(digest, "big") % WORDS] += 1.0
    return vector


def pixel_vector(url: str) -> list[float]:
    """The mean colour, each channel from -1 to 1."""
    picture = Image.open(BytesIO(base64.b64decode(url.partition(",")[2]))).convert("RGB")
    mean = picture.resize((1, 1), Image.Resampling.BOX).getpixel((0, 0))
    assert isinstance(mean, tuple)
    return [0.0] * WORDS + [value / 127.5 - 1 for value in mean]


class VllmStandIn:
    """What the server was asked, and how it is to answer."""

    def __init__(self) -> None:
        self.bodies: list[dict[str, Any]] = []
        self.failure: tuple[int, object] | None = None
        self.base_url = ""

    def endpoint(self, model: str = "qwen3-vl-embedding") -> Endpoint:
        return Endpoint(base_url=self.base_url, model=model, api_key=KEY)

    def contents(self) -> list[list[dict[str, Any]]]:
        """What the user said and showed in each request, in order of the words."""
        return [body["messages"][1]["content"] for body in self.bodies]

    def texts(self) -> list[str]:
        """All texts that it embedded, sorted: requests come side by side."""
        return sorted(part["text"] for content in self.contents() for part in content if part["type"] == "text")

    def reply(self, body: dict[str, Any]) -> tuple[int, bytes]:
        self.bodies.append(body)
        if self.failure is not None:
            status, content = self.failure
            return status, content if isinstance(content, bytes) else json.dumps(content).encode()
        total = [0.0] * (WORDS + 3)
        for part in body["messages"][1]["content"]:
            shown = part["type"] == "image_url"
            row = pixel_vector(part["image_url"]["url"]) if shown else vector_of(part["text"])
            total = [one + other for one, other in zip(total, row, strict=True)]
        return 200, json.dumps({"data": [{"index": 0, "embedding": total}]}).encode()


@contextmanager
def serving_messages() -> Iterator[VllmStandIn]:
    """A server that runs in threads of this process."""
    stand_in = VllmStandIn()

    def answer(request: Request) -> Reply:
        if request.authorization != f"Bearer {KEY}" or request.path != "/v1/embeddings":
            return Reply.of({"error": {"message": "wrong key"}}, 401)
        status, data = stand_in.reply(request.body)
        return Reply(data, status)

    with serving(answer) as address:
        stand_in.base_url = f"{address}/v1"
        yield stand_in
