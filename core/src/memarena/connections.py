"""HTTP to a model endpoint: one POST at a time over connections that stay open.

Plain `http.client`: it takes a third of the processor time of a full client, and a run makes every call with it. It
heeds no proxy of the environment, as the gateway stands on the loopback.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from contextlib import closing
from http.client import HTTPConnection, HTTPSConnection, RemoteDisconnected
from urllib.parse import urlsplit

from memarena.records import Endpoint

TIMEOUT = 3600.0
"""Seconds; the gateway has the real time limits, and may keep a call waiting for longer than any of them."""


class Connections:
    """Connections to endpoints that stay open; safe for several threads."""

    def __init__(self) -> None:
        self._idle: dict[tuple[str, str], deque[HTTPConnection]] = {}

    def post(self, endpoint: Endpoint, path: str, body: bytes) -> tuple[int, bytes]:
        """Status and content of the reply to `body`, which is JSON. Raises OSError or http.client.HTTPException."""
        url = urlsplit(endpoint.base_url)
        headers = {"authorization": f"Bearer {endpoint.api_key}", "content-type": "application/json"}
        return self._exchange((url.scheme, url.netloc), f"{url.path.rstrip('/')}/{path}", body, headers)

    def close(self) -> None:
        """Close the connections that are not in use."""
        for idle in self._idle.values():
            while idle:
                idle.pop().close()

    def _exchange(
        self, address: tuple[str, str], path: str, body: bytes, headers: Mapping[str, str]
    ) -> tuple[int, bytes]:
        idle = self._idle.setdefault(address, deque())
        try:
            connection = idle.pop()
        except IndexError:
            scheme, place = address
            connection = (HTTPSConnection if scheme == "https" else HTTPConnection)(place, timeout=TIMEOUT)
        used_before = connection.sock is not None
        try:
            connection.request("POST", path, body, headers)
            response = connection.getresponse()
        except (RemoteDisconnected, BrokenPipeError, ConnectionResetError):
            connection.close()
            if not used_before:
                raise
            # The other side had closed it while it was idle.
            return self._exchange(address, path, body, headers)
        except BaseException:
            connection.close()
            raise
        with closing(response):
            try:
                content = response.read()
            except BaseException:
                connection.close()
                raise
        idle.append(connection)
        return response.status, content
