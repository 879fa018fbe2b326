"""Calls of an OpenAI-compatible endpoint: one request each, as the gateway does the retries."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from memarena import codec
from memarena.errors import ModelError
from memarena.records import Endpoint

TIMEOUT = 3600.0
"""Seconds for a reply: more than any limit of the gateway, which may also let a call wait."""


class CallFailed(ModelError):
    """A call failed. `passing`: the upstream was busy or broke off, so that the next call may do better."""

    def __init__(self, message: str, *, passing: bool) -> None:
        super().__init__(message)
        self.passing = passing


class EndpointClient:
    """Posts JSON to one endpoint, over connections that stay open. Safe for several threads."""

    def __init__(self, endpoint: Endpoint) -> None:
        import httpx

        self.endpoint = endpoint
        self._client = httpx.Client(
            base_url=endpoint.base_url,
            headers={"authorization": f"Bearer {endpoint.api_key}", "content-type": "application/json"},
            timeout=httpx.Timeout(TIMEOUT, connect=30.0),
            trust_env=False,
        )

    def post(self, path: str, body: Mapping[str, Any]) -> Mapping[str, Any]:
        """The reply to `body`, to which the model's name is added. Raises CallFailed."""
        import httpx

        where = f"{self.endpoint.model}: {path.lstrip('/')}"
        try:
            reply = self._client.post(path, content=codec.encode({"model": self.endpoint.model, **body}))
        except httpx.HTTPError as error:
            problem = f"{where}: {self.endpoint.base_url} gave no reply ({type(error).__name__}: {error})"
            raise CallFailed(problem, passing=True) from error
        if reply.status_code != 200:
            passing = reply.status_code in (408, 429) or reply.status_code >= 500
            raise CallFailed(f"{where}: status {reply.status_code}: {_said(reply.content)}", passing=passing)
        found = _object(reply.content)
        if found is None:
            raise CallFailed(f"{where}: the reply is no JSON object: {_said(reply.content)}", passing=True)
        return found

    def close(self) -> None:
        """Close the connections."""
        self._client.close()


def _object(content: bytes) -> Mapping[str, Any] | None:
    try:
        found = msgspec.json.decode(content)
    except (msgspec.MsgspecError, UnicodeDecodeError):
        return None
    return found if isinstance(found, dict) else None


def _said(content: bytes) -> str:
    """What a failed reply says, on one line of at most 300 characters."""
    error = (_object(content) or {}).get("error")
    message = error.get("message") if isinstance(error, dict) else None
    text = message if isinstance(message, str) else content[:600].decode("utf-8", "replace")
    return " ".join(text.split())[:300] or "nothing"
