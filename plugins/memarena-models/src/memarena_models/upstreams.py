"""The servers behind the gateway: which one has a model, and one attempt to ask it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any, Protocol
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

import aiohttp
import msgspec

from memarena.errors import ModelError
from memarena_models.calls import UPSTREAM_PATHS, Call, Refusal, Reply
from memarena_models.settings import Timeouts, Upstream
from memarena_models.streaming import stream_of

OFFLINE = "offline"
"""The model that is embedded."""
PASSED_HEADERS = ("retry-after", "retry-after-ms", "x-request-id")


class Passing(Exception):
    """An attempt failed in a way that may pass: no connection, silence, or a connection that broke off."""


class OfflineModel(Protocol):
    """The embedded model; each takes the body of a request and gives the reply that a server would."""

    def chat(self, body: dict[str, Any]) -> dict[str, Any]: ...

    def responses(self, body: dict[str, Any]) -> dict[str, Any]: ...

    def embeddings(self, body: dict[str, Any]) -> dict[str, Any]: ...


class Routes:
    """Finds the upstream of a model."""

    def __init__(self, upstreams: Mapping[str, Upstream]) -> None:
        self._upstreams = upstreams
        self._found: dict[str, str] = {}

    def find(self, model: str) -> str:
        """The name of the upstream that has `model`. Raises Refusal (404) with what is known where none has."""
        name = self._found.get(model)
        if name is None:
            name = self._search(model)
            if name is None:
                known = ", ".join(self.known())
                raise Refusal(404, "model_not_found", f"no upstream has the model {model!r}; known: {known}")
            self._found[model] = name
        return name

    def find_or_raise(self, model: str) -> str:
        """The same before a run. Raises ModelError that says what to do."""
        try:
            return self.find(model)
        except Refusal as refusal:
            raise ModelError(f"{refusal}; add an upstream for it, or name another with --model") from None

    def known(self) -> list[str]:
        """All models and patterns of models."""
        patterns = [pattern for upstream in self._upstreams.values() for pattern in upstream.models]
        return list(dict.fromkeys([OFFLINE, *patterns]))

    def _search(self, model: str) -> str | None:
        if model == OFFLINE:
            return OFFLINE
        for name, upstream in self._upstreams.items():
            if any(fnmatchcase(model, pattern) for pattern in upstream.models):
                return name
        return None


class Sender:
    """Sends calls to upstreams over connections that stay open. To be made inside the running loop."""

    def __init__(self, upstreams: Mapping[str, Upstream], keys: Mapping[str, str], timeouts: Timeouts) -> None:
        self._bases = {name: upstream.base_url.rstrip("/") for name, upstream in upstreams.items()}
        self._headers = {name: self._header(keys.get(name, "")) for name in upstreams}
        self._proxies = {name: _proxy(upstream.base_url) for name, upstream in upstreams.items()}
        self._session = aiohttp.ClientSession(
            connector=aiohttp.TCPConnector(limit=0, keepalive_timeout=30),
            timeout=aiohttp.ClientTimeout(total=None, sock_connect=timeouts.connect, sock_read=timeouts.read),
            # A compressed stream of events would be held back until a block is full.
            headers={"accept-encoding": "identity", "content-type": "application/json"},
            cookie_jar=aiohttp.DummyCookieJar(),
        )

    async def send(self, call: Call, upstream: str) -> Reply:
        """One attempt. Raises Passing where it may help to try again."""
        url = self._bases[upstream] + UPSTREAM_PATHS[call.endpoint]
        try:
            response = await self._session.post(
                url,
                data=call.sent,
                headers=self._headers[upstream],
                proxy=self._proxies[upstream],
                allow_redirects=False,
            )
            headers = {name: response.headers[name] for name in PASSED_HEADERS if name in response.headers}
            if call.stream and response.status == 200 and "event-stream" in response.content_type:
                return await _streamed(response, headers)
            async with response:
                return Reply(response.status, await response.read(), headers=headers)
        except (aiohttp.ClientConnectionError, aiohttp.ClientPayloadError, TimeoutError) as error:
            raise Passing(_reason(error)) from error
        except aiohttp.ClientError as error:
            # An answer that is no HTTP: the wrong address, most likely.
            raise Refusal(502, "upstream_not_http", f"upstream {upstream!r}: {error}") from None

    async def close(self) -> None:
        await self._session.close()

    @staticmethod
    def _header(key: str) -> dict[str, str]:
        return {"authorization": f"Bearer {key}"} if key else {}


async def _streamed(response: aiohttp.ClientResponse, headers: Mapping[str, str]) -> Reply:
    """A stream whose first bytes are there: up to them, another attempt may help."""
    try:
        first = await response.content.readany()
    except BaseException:
        response.close()
        raise
    return Reply(200, chunks=_chunks(first, response), headers=headers, close=response.close)


async def _chunks(first: bytes, response: aiohttp.ClientResponse) -> AsyncIterator[bytes]:
    """The bytes of a stream as they come. Raises Passing where it breaks off."""
    try:
        yield first
        async for chunk in response.content.iter_any():
            yield chunk
    except (aiohttp.ClientError, TimeoutError) as error:
        raise Passing(_reason(error)) from error


def _reason(error: BaseException) -> str:
    if isinstance(error, aiohttp.ConnectionTimeoutError):
        return "no connection in time"
    if isinstance(error, TimeoutError):
        return "no answer in time"
    if isinstance(error, aiohttp.ClientConnectorError):
        return f"no connection to {error.host}:{error.port}"
    return "the connection broke off"


def _proxy(base_url: str) -> str | None:
    """The proxy that the environment names for this address; the loopback never has one."""
    url = urlsplit(base_url)
    host = url.hostname or ""
    if host in ("localhost", "::1") or host.startswith("127.") or proxy_bypass(host):
        return None
    return getproxies().get(url.scheme)


async def ask_offline(model: OfflineModel, call: Call) -> Reply:
    """The embedded model's answer to a call. Raises Refusal where it has none: asking again would not help."""
    from memarena_models.offline_requests import BadRequest

    try:
        reply: dict[str, Any] = getattr(model, call.endpoint)(call.body)
    except BadRequest as error:
        raise Refusal(400, "bad_request", str(error)) from None
    except Exception as error:
        # Its rules may be other people's; what they raise belongs to this call alone.
        raise Refusal(500, "offline_failed", f"the model offline failed: {type(error).__name__}: {error}") from error
    if not call.stream:
        return Reply(200, msgspec.json.encode(reply))
    return Reply(200, chunks=_made(stream_of(call.endpoint, reply)))


async def _made(events: Iterable[bytes]) -> AsyncIterator[bytes]:
    for event in events:
        yield event
        # Other calls get their turn between two events.
        await asyncio.sleep(0)
