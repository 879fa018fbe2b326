"""One call on its way through the gateway, and the reply that comes back."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any, Literal

import msgspec

from memarena.meter import estimate_tokens
from memarena_models.assembling import assembled
from memarena_models.quirks import adapted
from memarena_models.tokens import TokenCount, stated

Endpoint = Literal["chat", "responses", "embeddings"]
PATHS: Mapping[str, Endpoint] = {
    "/v1/chat/completions": "chat",
    "/v1/responses": "responses",
    "/v1/embeddings": "embeddings",
}
UPSTREAM_PATHS: Mapping[Endpoint, str] = {
    "chat": "/chat/completions",
    "responses": "/responses",
    "embeddings": "/embeddings",
}


class Refusal(Exception):
    """What the gateway itself answers instead of a model: sent as an error of the OpenAI API."""

    def __init__(self, status: int, code: str, message: str) -> None:
        super().__init__(message)
        self.status = status
        self.code = code

    def body(self) -> bytes:
        """The error as JSON. Spent budgets are of the type that every known client takes for final."""
        kind = "insufficient_quota" if self.code.endswith("budget_spent") else "gateway_error"
        return msgspec.json.encode({"error": {"message": str(self), "type": kind, "code": self.code, "param": None}})


@dataclass(slots=True)
class Call:
    """What an owner asks for."""

    endpoint: Endpoint
    cell_id: str
    stage: str
    model: str
    stream: bool
    body: dict[str, Any]
    """As it goes to the model: with forced fields and the model's quirks."""
    sent: bytes
    """The same as JSON; the owner's own bytes where nothing had to be changed."""
    hide_usage: bool = False
    """The owner did not ask for the usage of a stream, so it does not see it."""

    retries: int = 0
    """How often it was sent again."""

    @property
    def guess(self) -> int:
        """A low guess of its tokens, made before the reply says."""
        return len(self.sent) // 4


@dataclass(slots=True)
class Reply:
    """What came back: a whole body, or a stream whose first bytes are there."""

    status: int
    body: bytes = b""
    chunks: AsyncIterator[bytes] | None = None
    headers: Mapping[str, str] = field(default_factory=dict)
    """Those that the owner may want to know: `retry-after`, `x-request-id`."""
    close: Callable[[], None] = lambda: None
    """Lets go of the connection; to be called whatever happens."""

    @property
    def retry_after(self) -> float | None:
        """Seconds that the server asks to wait; None where it does not say."""
        if "retry-after-ms" in self.headers:
            return _seconds(self.headers["retry-after-ms"], 1e-3)
        return _seconds(self.headers.get("retry-after", ""), 1.0)


def _seconds(text: str, unit: float) -> float | None:
    """A wait as a number of `unit` seconds or as the date of its end; None where it is neither."""
    try:
        return max(0.0, float(text)) * unit
    except ValueError:
        pass
    try:
        return max(0.0, (parsedate_to_datetime(text) - datetime.now(UTC)).total_seconds())
    except (ValueError, TypeError):
        return None


def read_call(endpoint: Endpoint, raw: bytes, cell_id: str, stage: str, forced: Mapping[str, Any]) -> Call:
    """A request as a call, with `forced` fields set. Raises Refusal (400) where it is no request at all."""
    try:
        body = msgspec.json.decode(raw)
        model, stream = body["model"], body.get("stream") is True and endpoint != "embeddings"
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError, AttributeError):
        raise Refusal(400, "bad_request", "the body has to be a JSON object with a model") from None
    if not isinstance(model, str):
        raise Refusal(400, "bad_request", f"model has to be a text, not {model!r:.80}")
    call = Call(endpoint, cell_id, stage, model, stream, body, raw)
    if endpoint == "chat" and stream:
        options = body.get("stream_options")
        options = options if isinstance(options, dict) else {}
        call.hide_usage = options.get("include_usage") is not True
        if call.hide_usage:
            call.body = {**body, "stream_options": {**options, "include_usage": True}}
    call.body = adapted(call.body, endpoint, model, forced) or call.body
    if call.body is not body:
        call.sent = msgspec.json.encode(call.body)
    return call


def pictures(call: Call) -> int:
    """Pictures in the messages of a call."""
    messages = call.body.get("messages") or call.body.get("input")
    found = 0
    for message in messages if isinstance(messages, list) else ():
        content = message.get("content") if isinstance(message, dict) else None
        for part in content if isinstance(content, list) else ():
            found += isinstance(part, dict) and part.get("type") in ("image_url", "input_image")
    return found


class _Shape(msgspec.Struct):
    """As much of a reply as shows whether it is one; the rest is checked to be JSON, and not kept."""

    usage: Any = None
    choices: list[msgspec.Raw] | None = None
    output: list[msgspec.Raw] | None = None
    data: list[msgspec.Raw] | None = None


_SHAPES = msgspec.json.Decoder(_Shape)
_HOLDS: Mapping[Endpoint, str] = {"chat": "choices", "responses": "output", "embeddings": "data"}


def read_whole(endpoint: Endpoint, body: bytes) -> tuple[bool, TokenCount | None]:
    """Whether `body` is a reply that `endpoint` promises, and the tokens that it says."""
    try:
        shape = _SHAPES.decode(body)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return False, None
    return bool(getattr(shape, _HOLDS[endpoint])), stated(shape.usage)


def estimated(call: Call, body: bytes) -> TokenCount:
    """The tokens of a call whose reply does not say them, from the texts of both; a picture counts nothing."""
    asked = call.body.get("messages") or call.body.get("input")
    tokens_in = sum(map(estimate_tokens, _texts([call.body.get("instructions"), asked])))
    return TokenCount(tokens_in=tokens_in, tokens_out=_estimated_out(call, body), estimated=True)


def _estimated_out(call: Call, body: bytes) -> int:
    if call.endpoint == "embeddings":
        return 0
    reply = assembled(call.endpoint, body) if call.stream else None
    if reply is None:
        try:
            reply = msgspec.json.decode(body)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            return 0
    said = reply.get("choices") or reply.get("output") if isinstance(reply, dict) else None
    return sum(map(estimate_tokens, _texts(said)))


_SAYING = frozenset({"content", "text", "arguments", "message", "function", "tool_calls", "delta", "reasoning_content"})


def _texts(value: Any) -> Iterator[str]:
    """The texts that are said in messages, without roles, ids and pictures."""
    if isinstance(value, str):
        if not value.startswith("data:"):
            yield value
    elif isinstance(value, list):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            if key in _SAYING:
                yield from _texts(item)
