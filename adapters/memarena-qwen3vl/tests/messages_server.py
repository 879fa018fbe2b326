"""An endpoint on the loopback that embeds `messages` as vLLM does: words by hash, pictures by their mean colour."""

from __future__ import annotations

import base64
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from io import BytesIO
from typing import Any

from PIL import Image

from memarena.records import Endpoint

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

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            known = self.headers["Authorization"] == f"Bearer {KEY}" and self.path == "/v1/embeddings"
            status, data = stand_in.reply(body) if known else (401, b'{"error": {"message": "wrong key"}}')
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, *args: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    stand_in.base_url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield stand_in
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
