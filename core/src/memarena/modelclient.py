"""The models of one cell, for adapters: any OpenAI-compatible endpoint, counted, and never replaced where it fails.

client = ModelClient.of(context, "mysystem", reply_tokens=1024)      # in reset
text = client.chat([{"role": "user", "content": "..."}]).text
vectors = client.embed(["a text", "another"])
"""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from http.client import HTTPException
from typing import Any

import msgspec

from memarena import codec
from memarena.connections import Connections
from memarena.errors import ModelError
from memarena.records import Endpoint, Record, RunContext

SHOWN = 300
"""Characters of a server's words that an error repeats."""

Chat = Mapping[str, Any]
"""One message as the API of chat completions has it."""


class ModelCallFailed(ModelError):
    """One call of a model failed; `status` is the HTTP status, 0 where there was no answer at all."""

    def __init__(self, problem: str, status: int = 0) -> None:
        super().__init__(problem)
        self.status = status

    @property
    def passing(self) -> bool:
        """Whether the upstream was busy or broke off, or gave what cannot be read: the next call may do better."""
        return self.status in (0, 200, 408, 429) or self.status >= 500


class ToolUse(Record, frozen=True, kw_only=True):
    """A call of a function, as the model wrote it: nothing of it is checked."""

    call_id: str
    name: str
    arguments: str
    """JSON, or what the model took for it: parse it, never evaluate it."""


class Reply(Record, frozen=True, kw_only=True):
    """What the model said."""

    text: str = ""
    uses: tuple[ToolUse, ...] = ()
    finish: str = ""
    """Why it ended, as the server says: `stop`, `length` (cut off), `tool_calls`, ..."""


class ModelClient:
    """Chat completions and embeddings of one cell; safe for several threads, but for `counts`.

    `counts`: `chats` and `embeddings` that were asked for, `failed_chats` and `failed_embeddings` among them. Nothing
    is tried again here: the gateway has done so.
    """

    def __init__(
        self, model: Endpoint | None, embedding: Endpoint | None, *, seed: int = 0, reply_tokens: int = 1024
    ) -> None:
        self.counts = {"chats": 0, "failed_chats": 0, "embeddings": 0, "failed_embeddings": 0}
        self._model = model
        self._embedding = embedding
        self._decoding = {"temperature": 0, "seed": seed, "max_tokens": reply_tokens}
        self._connections = Connections()
        weakref.finalize(self, self._connections.close)

    @classmethod
    def of(
        cls, context: RunContext, who: str, reply_tokens: int = 1024, *, chats: bool = True, embeds: bool = True
    ) -> ModelClient:
        """The client of a cell for `who`, which `chats`, `embeds` or both. Raises ModelError with the missing flag."""
        if chats and context.model is None:
            raise ModelError(f"{who} works with a model: name one with --model inner=NAME (e.g. --model offline)")
        if embeds and context.embedding is None:
            raise ModelError(
                f"{who} needs embeddings: name a model with --model embed=NAME (e.g. --model embed=offline)"
            )
        return cls(context.model, context.embedding, seed=context.seed, reply_tokens=reply_tokens)

    def chat(self, messages: Sequence[Chat], tools: Sequence[Chat] = (), **more: Any) -> Reply:
        """One completion; where there are `tools`, the model must use one. `more` goes into the body.

        Raises ModelCallFailed.
        """
        body: dict[str, Any] = {"messages": messages, **self._decoding}
        if tools:
            body |= {"tools": tools, "tool_choice": "required"}
        self.counts["chats"] += 1
        try:
            return _reply(self.post(self._model, "chat/completions", body | more))
        except ModelCallFailed:
            self.counts["failed_chats"] += 1
            raise

    def embed(self, texts: Sequence[str], **more: Any) -> list[list[float]]:
        """A vector a text, in order, all of one length. `more` goes into the body. Raises ModelCallFailed."""
        self.counts["embeddings"] += 1
        try:
            body = {"input": texts, "encoding_format": "float", **more}
            return _vectors(self.post(self._embedding, "embeddings", body), len(texts))
        except ModelCallFailed:
            self.counts["failed_embeddings"] += 1
            raise

    def post(self, endpoint: Endpoint | None, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The JSON object with which `endpoint` answers `body`, to which the model's name is added; not counted.

        Raises ModelCallFailed.
        """
        if endpoint is None:
            raise ModelCallFailed(f"{path}: this cell has no model for it")
        where = f"{endpoint.model}: {path}"
        try:
            status, content = self._connections.post(endpoint, path, codec.encode({"model": endpoint.model, **body}))
        except (OSError, HTTPException) as error:
            raise ModelCallFailed(f"{where}: {endpoint.base_url} gave no reply ({error!r})") from error
        if status != 200:
            raise ModelCallFailed(f"{where}: status {status}: {_said(content)}", status)
        found = _object(content)
        if found is None:
            raise ModelCallFailed(f"{where}: the reply is no JSON object: {_said(content)}", status)
        return found

    def close(self) -> None:
        """Close the connections; a later call opens them again."""
        self._connections.close()


def _object(content: bytes) -> Mapping[str, Any] | None:
    try:
        found = msgspec.json.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return found if isinstance(found, dict) else None


def _said(content: bytes) -> str:
    """What a failed reply says, on one line."""
    error = (_object(content) or {}).get("error")
    message = error.get("message") if isinstance(error, dict) else None
    text = message if isinstance(message, str) else content[: 2 * SHOWN].decode("utf-8", "replace")
    return " ".join(text.split())[:SHOWN] or "nothing"


def _reply(raw: Mapping[str, Any]) -> Reply:
    try:
        choice = raw["choices"][0]
        message = choice["message"]
        uses = tuple(
            ToolUse(
                call_id=str(call.get("id") or f"call_{place}"),
                name=str(call["function"]["name"]),
                arguments=_as_text(call["function"].get("arguments")),
            )
            for place, call in enumerate(message.get("tool_calls") or ())
        )
        return Reply(
            text=message_text(message.get("content")), uses=uses, finish=str(choice.get("finish_reason") or "")
        )
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ModelCallFailed(f"the reply holds no message: {str(raw)[:SHOWN]}", 200) from error


def message_text(content: object) -> str:
    """The text of a message's content, which some servers send as a list of parts; "" where it has none."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return content if isinstance(content, str) else ""


def _as_text(arguments: object) -> str:
    """Arguments as JSON text; some servers send the object itself."""
    return arguments if isinstance(arguments, str) else codec.encode(arguments).decode()


def _vectors(raw: Mapping[str, Any], expected: int) -> list[list[float]]:
    try:
        rows = sorted(raw["data"], key=lambda row: row["index"])
        vectors = [[float(value) for value in row["embedding"]] for row in rows]
    except (KeyError, TypeError, ValueError) as error:
        raise ModelCallFailed(f"the reply holds no embeddings: {str(raw)[:SHOWN]}", 200) from error
    if len(vectors) != expected or len({len(vector) for vector in vectors}) > 1 or not all(vectors):
        raise ModelCallFailed(f"{expected} embeddings of one length were asked for, {len(vectors)} came", 200)
    return vectors
