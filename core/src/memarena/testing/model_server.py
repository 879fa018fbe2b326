"""A model on the loopback for tests of adapters: it says what a test scripts, counts, and fails as it is told."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import blake2b
from typing import Any, Protocol

from memarena.records import Endpoint
from memarena.testing.loopback import Reply, Request, serving

Body = Mapping[str, Any]
"""A request, decoded."""
Entry = str | Mapping[str, Any] | int | bytes
"""What a chat is answered with: a text, a message, the HTTP status of a failure, or the bytes of the whole reply."""
SIZE = 64
"""Dimensions of the plain embeddings."""


class Rules(Protocol):
    """What answers where no test says how; the module `memarena_models.offline` is one."""

    def chat(self, body: Body, /) -> Mapping[str, Any]:
        """A whole chat completion."""
        ...

    def embeddings(self, body: Body, /) -> Mapping[str, Any]:
        """A whole reply with the embeddings of `body["input"]`."""
        ...


class Plain:
    """Says OK to everything; texts that share words have embeddings that are near."""

    def chat(self, body: Body, /) -> Mapping[str, Any]:
        return _completion({"role": "assistant", "content": "OK"})

    def embeddings(self, body: Body, /) -> Mapping[str, Any]:
        texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
        return {"data": [{"index": place, "embedding": _by_words(text)} for place, text in enumerate(texts)]}


def _no_failure(kind: str, body: Body) -> int:
    return 0


class ModelServer:
    """An OpenAI-compatible server of chat completions and embeddings.

    Attributes:
        script: one entry a chat, in this order, before anything else is asked.
        reply: gives an entry for a chat; None, or where it gives None: `rules` shall.
        refuse: (`chat` or `embeddings`, request) -> HTTP status of a failure, 0 for none; asked first.
        rules: what answers everything else.
        asked: (`chat` or `embeddings`, request), in the order in which they came.
    """

    def __init__(self, url: str, rules: Rules | None = None) -> None:
        self.url = url
        self.rules: Rules = rules or Plain()
        self.script: list[Entry] = []
        self.reply: Callable[[Body], Entry | None] | None = None
        self.refuse: Callable[[str, Body], int] = _no_failure
        self.asked: list[tuple[str, Body]] = []

    @property
    def endpoint(self) -> Endpoint:
        """Where an adapter finds it."""
        return Endpoint(base_url=self.url, model="offline", api_key="test-key")

    @property
    def chats(self) -> list[Body]:
        """The chats that were asked for."""
        return [body for kind, body in self.asked if kind == "chat"]

    @property
    def embeddings(self) -> list[Body]:
        """The requests for embeddings."""
        return [body for kind, body in self.asked if kind == "embeddings"]

    def counts(self) -> tuple[int, int]:
        """(chats, requests for embeddings) since the last time."""
        found = len(self.chats), len(self.embeddings)
        self.asked.clear()
        return found

    def prompts(self) -> str:
        """All that was said to the model."""
        return "\n".join(str(body.get("messages", "")) for body in self.chats)

    def answer(self, kind: str, body: Body) -> tuple[int, bytes]:
        """Status and bytes of the reply to one request."""
        self.asked.append((kind, body))
        status = self.refuse(kind, body)
        if status:
            return status, _failure(status)
        if kind == "embeddings":
            return 200, json.dumps(self.rules.embeddings(body)).encode()
        entry = self.script.pop(0) if self.script else self.reply(body) if self.reply else None
        if entry is None:
            return 200, json.dumps(self.rules.chat(body)).encode()
        if isinstance(entry, int):
            return entry, _failure(entry)
        if isinstance(entry, bytes):
            return 200, entry
        message = {"role": "assistant", "content": entry} if isinstance(entry, str) else entry
        return 200, json.dumps(_completion(message)).encode()


@contextmanager
def serving_model(rules: Rules | None = None) -> Iterator[ModelServer]:
    """A model server that answers as long as this is open."""

    def answer(request: Request) -> Reply:
        if request.method == "GET":
            return Reply.of({}, 404)
        status, data = model.answer("embeddings" if "input" in request.body else "chat", request.body)
        return Reply(data, status, headers={"Retry-After": "0"})

    model = ModelServer("", rules)
    with serving(answer) as address:
        model.url = f"{address}/v1"
        yield model


def _completion(message: Mapping[str, Any]) -> dict[str, Any]:
    return {"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}


def _failure(status: int) -> bytes:
    return json.dumps({"error": {"message": f"planted {status}", "type": "planted", "code": "planted"}}).encode()


def _by_words(text: str) -> list[float]:
    """Words by their hash; never all zero, which no cosine can be taken of."""
    vector = [0.0] * SIZE
    vector[0] = 0.01
    for word, times in Counter(text.casefold().replace(".", " ").replace("?", " ").split()).items():
        vector[blake2b(word.encode("utf-8", "replace"), digest_size=2).digest()[0] % SIZE] += times
    return vector
