"""The models of one cell, called as any OpenAI-compatible endpoint, counted, and never replaced where they fail."""

from __future__ import annotations

import json
import weakref
from collections.abc import Mapping, Sequence
from typing import Any

from memarena.errors import ModelError
from memarena.records import Endpoint, Record, RunContext

TIMEOUT = 3600.0
"""Seconds; the gateway has the real time limits, and may keep a call waiting for longer than any of them."""
SHOWN = 300
"""Characters of a server's words that an error repeats."""

Chat = Mapping[str, Any]
"""One message as the API of chat completions has it."""


class ModelCallFailed(Exception):
    """One call of a model failed; `status` is the HTTP status, 0 where there was no answer at all."""

    def __init__(self, problem: str, status: int = 0) -> None:
        super().__init__(problem)
        self.status = status


class ToolUse(Record, frozen=True, kw_only=True):
    """A call of a function, as the model wrote it: nothing of it is checked."""

    call_id: str
    name: str
    arguments: str


class Reply(Record, frozen=True, kw_only=True):
    """What the model said."""

    text: str = ""
    uses: tuple[ToolUse, ...] = ()


class ModelClient:
    """Chat completions and embeddings over one connection pool; for one thread at a time.

    `counts`: `chats` and `embeddings` that were asked for, `failed_chats` and `failed_embeddings` among them. Nothing
    is tried again here: the gateway has done so.
    """

    def __init__(self, model: Endpoint, embedding: Endpoint, *, seed: int, reply_tokens: int) -> None:
        self.counts = {"chats": 0, "failed_chats": 0, "embeddings": 0, "failed_embeddings": 0}
        self._model = model
        self._embedding = embedding
        self._decoding = {"temperature": 0, "seed": seed, "max_tokens": reply_tokens}
        self._http: Any = None

    @classmethod
    def of(cls, context: RunContext, who: str, reply_tokens: int) -> ModelClient:
        """The client of a cell. Raises ModelError that names the missing flag."""
        if context.model is None:
            raise ModelError(f"{who} works with a model: name one with --model inner=NAME (e.g. --model offline)")
        if context.embedding is None:
            raise ModelError(
                f"{who} needs embeddings: name a model with --model embed=NAME (e.g. --model embed=offline)"
            )
        return cls(context.model, context.embedding, seed=context.seed, reply_tokens=reply_tokens)

    def chat(self, messages: Sequence[Chat], tools: Sequence[Chat] = (), **more: Any) -> Reply:
        """One completion; where there are `tools`, the model must use one. Raises ModelCallFailed."""
        body: dict[str, Any] = {"messages": list(messages), **self._decoding, **more}
        if tools:
            body |= {"tools": list(tools), "tool_choice": "required"}
        self.counts["chats"] += 1
        try:
            return _reply(self._post(self._model, "chat/completions", body))
        except ModelCallFailed:
            self.counts["failed_chats"] += 1
            raise

    def embed(self, texts: Sequence[str]) -> list[list[float]]:
        """A vector a text, in order. Raises ModelCallFailed."""
        self.counts["embeddings"] += 1
        try:
            body = {"input": list(texts), "encoding_format": "float"}
            return _vectors(self._post(self._embedding, "embeddings", body), len(texts))
        except ModelCallFailed:
            self.counts["failed_embeddings"] += 1
            raise

    def close(self) -> None:
        """Close the connections."""
        if self._http is not None:
            self._http.close()
            self._http = None

    def _post(self, endpoint: Endpoint, path: str, body: Mapping[str, Any]) -> Any:
        import httpx

        if self._http is None:
            # No proxy of the environment: the gateway stands on the loopback.
            self._http = httpx.Client(timeout=TIMEOUT, trust_env=False)
            weakref.finalize(self, self._http.close)
        data = json.dumps({"model": endpoint.model, **body}, ensure_ascii=False).encode("utf-8", "replace")
        headers = {"authorization": f"Bearer {endpoint.api_key}", "content-type": "application/json"}
        try:
            answer = self._http.post(f"{endpoint.base_url}/{path}", content=data, headers=headers)
        except httpx.HTTPError as error:
            raise ModelCallFailed(f"{endpoint.model}: {path}: no answer ({error!r})") from error
        if answer.status_code != 200:
            told = " ".join(answer.text.split())[:SHOWN]
            raise ModelCallFailed(f"{endpoint.model}: {path}: status {answer.status_code}: {told}", answer.status_code)
        try:
            return answer.json()
        except ValueError as error:
            raise ModelCallFailed(f"{endpoint.model}: {path}: the reply is no JSON: {answer.text[:SHOWN]!r}") from error


def _reply(raw: Any) -> Reply:
    try:
        message = raw["choices"][0]["message"]
        uses = tuple(
            ToolUse(
                call_id=str(call.get("id") or f"call_{place}"),
                name=str(call["function"]["name"]),
                arguments=_as_text(call["function"].get("arguments")),
            )
            for place, call in enumerate(message.get("tool_calls") or ())
        )
        text = message.get("content") or ""
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ModelCallFailed(f"the reply holds no message: {str(raw)[:SHOWN]}") from error
    return Reply(text=text if isinstance(text, str) else _joined(text), uses=uses)


def _as_text(arguments: object) -> str:
    """Arguments as JSON text; some servers send the object itself."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def _joined(parts: object) -> str:
    """The text of a content that some servers send as a list of parts."""
    found = parts if isinstance(parts, list) else []
    return "".join(str(part.get("text") or "") for part in found if isinstance(part, dict))


def _vectors(raw: Any, expected: int) -> list[list[float]]:
    try:
        rows = sorted(raw["data"], key=lambda row: row["index"])
        vectors = [[float(value) for value in row["embedding"]] for row in rows]
    except (KeyError, TypeError, ValueError) as error:
        raise ModelCallFailed(f"the reply holds no embeddings: {str(raw)[:SHOWN]}") from error
    if len(vectors) != expected or len({len(vector) for vector in vectors}) > 1 or not all(vectors):
        raise ModelCallFailed(f"{expected} embeddings of one length were asked for, {len(vectors)} came")
    return vectors
