"""Our own way to call a model through the gateway: synchronous, from several threads, with typed errors.

Two kinds of errors, so that the loop does the right thing with each:

* a `ModelError` ends the run cleanly, with what is done kept: nothing that comes after could go well;
* a `CallFailed` is the failure of this one call: an empty answer or a judgement that is invalid.
"""

from __future__ import annotations

import atexit
from collections.abc import Mapping, Sequence
from functools import cache
from http.client import HTTPException
from typing import Any

import msgspec

from memarena.connections import Connections
from memarena.errors import ModelError
from memarena.modelclient import message_text
from memarena.records import Endpoint, Record
from memarena_models.tokens import TokenCount, stated


class CallFailed(Exception):
    """One call failed; the next may not. `code` is the gateway's word for it, `status` the HTTP status (0: none)."""

    def __init__(self, message: str, *, code: str = "", status: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.status = status


class TransientExhausted(CallFailed):
    """The upstream failed in a way that can pass, and did so again at every retry."""


class RequestRefused(CallFailed):
    """The upstream understood the request and refuses it; sending it again would not help."""


class ShareSpent(CallFailed):
    """The budget of this cell or of this adapter is used up; other cells may go on."""


class UnreadableReply(CallFailed):
    """The reply is no JSON, or has not the shape that its endpoint promises."""


class BudgetSpent(ModelError):
    """The budget of the run is used up: stop cleanly, raise it, and go on with --resume."""


class KeyRefused(ModelError):
    """The upstream refused our key; the message names the environment variable that holds it."""


class ReplayMiss(ModelError):
    """A replayed run asks what was not recorded; the message shows what differs from the nearest request."""


class Reply(Record, frozen=True, kw_only=True):
    """What a model said."""

    text: str
    """The message's content; "" where it has none (a refusal, or tool calls only)."""
    usage: TokenCount | None
    """None where the server does not say."""
    finish: str
    """Why it ended: `stop`, `length`, `tool_calls`, ..."""
    raw: Mapping[str, Any]
    """The whole reply."""


class ModelClient:
    """Chat completions over connections that stay open; safe for several threads."""

    def __init__(self) -> None:
        self._connections = Connections()

    def chat(self, endpoint: Endpoint, messages: Sequence[Mapping[str, Any]], **decoding: Any) -> Reply:
        """One chat completion, not streamed; `decoding` goes into the body (temperature, seed, max_tokens, ...).

        Raises the errors of this module, and ModelError where no gateway answers.
        """
        body = {"model": endpoint.model, "messages": messages, **decoding}
        raw = self._post(endpoint, "chat/completions", msgspec.json.encode(body))
        try:
            choice = raw["choices"][0]
            content = choice["message"].get("content")
            finish = choice.get("finish_reason")
        except (KeyError, IndexError, TypeError, AttributeError):
            raise UnreadableReply(f"{endpoint.model}: the reply holds no message: {_short(raw)}", status=200) from None
        return Reply(text=message_text(content), usage=stated(raw.get("usage")), finish=finish or "", raw=raw)

    def close(self) -> None:
        """Close the connections that are not in use."""
        self._connections.close()

    def _post(self, endpoint: Endpoint, path: str, body: bytes) -> dict[str, Any]:
        try:
            status, content = self._connections.post(endpoint, path, body)
        except ConnectionRefusedError as error:
            raise ModelError(f"{endpoint.base_url}: no gateway answers here") from error
        except (OSError, HTTPException) as error:
            raise TransientExhausted(f"{endpoint.model}: the reply broke off ({error!r})", code="cut") from error
        if status != 200:
            raise _failure(endpoint, status, content)
        try:
            raw = msgspec.json.decode(content)
        except (msgspec.MsgspecError, UnicodeDecodeError):
            raw = None
        if not isinstance(raw, dict):
            raise UnreadableReply(f"{endpoint.model}: the reply is no JSON object: {content[:200]!r}", status=200)
        return raw


@cache
def shared_client() -> ModelClient:
    """The client of this process; opens no connection before the first call."""
    client = ModelClient()
    atexit.register(client.close)
    return client


def chat(endpoint: Endpoint, messages: Sequence[Mapping[str, Any]], **decoding: Any) -> Reply:
    """`ModelClient.chat` with the client of this process."""
    return shared_client().chat(endpoint, messages, **decoding)


_ENDS_THE_RUN: Mapping[str, type[ModelError]] = {
    "run_budget_spent": BudgetSpent,
    "upstream_key_refused": KeyRefused,
    "replay_miss": ReplayMiss,
    "gateway_failed": ModelError,
    "price_unknown": ModelError,
    "no_owner": ModelError,
    "model_not_found": ModelError,
}
_ENDS_THE_CALL: Mapping[str, type[CallFailed]] = {
    "adapter_budget_spent": ShareSpent,
    "cell_budget_spent": ShareSpent,
}


def _failure(endpoint: Endpoint, status: int, content: bytes) -> Exception:
    """The error that a failed response stands for, by the gateway's code or else by the status."""
    code, message = "", content[:500].decode("utf-8", "replace")
    try:
        error = msgspec.json.decode(content)["error"]
        code, message = str(error.get("code") or ""), str(error.get("message") or message)
    except (msgspec.MsgspecError, UnicodeDecodeError, KeyError, TypeError, AttributeError):
        # No error of this API: its text and its status say what there is to say.
        code = ""
    if code in _ENDS_THE_RUN:
        return _ENDS_THE_RUN[code](message)
    passing = status in (408, 429) or status >= 500
    kind = _ENDS_THE_CALL.get(code, TransientExhausted if passing else RequestRefused)
    return kind(f"{endpoint.model}: {status}: {message}", code=code, status=status)


def _short(raw: Mapping[str, Any]) -> str:
    return msgspec.json.encode(raw).decode()[:200]
