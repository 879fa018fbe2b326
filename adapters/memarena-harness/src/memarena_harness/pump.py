"""Joins the one door of a jail with the gateway: requests out, with the key of the cell; bytes back."""

from __future__ import annotations

import contextlib
import selectors
import socket
import threading
from urllib.parse import urlsplit

from memarena.records import Endpoint
from memarena_harness.outgoing import Outgoing
from memarena_harness.traffic import Traffic

CHUNK = 1 << 16
CONNECT_SECONDS = 10.0
_ENDS = (OSError, ValueError)
"""What a socket raises that the other side, or `close`, has closed."""


class Pump:
    """Takes connections on `door` and carries each to `model`, until `close`."""

    def __init__(self, door: socket.socket, model: Endpoint) -> None:
        self._door = door
        self._target = address_of(model.base_url)
        self._key = model.api_key
        self._wake, self._woken = socket.socketpair()
        self._selector = selectors.DefaultSelector()
        self._peers: dict[socket.socket, socket.socket] = {}
        self.traffic = Traffic()
        self._inside: dict[socket.socket, Outgoing] = {}
        self._thread = threading.Thread(target=self._run, name="memarena-pump", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Close the door and every connection."""
        self._wake.close()
        while self._thread.is_alive():
            for one in tuple(self._peers):  # it may be sending to somebody who does not read
                with contextlib.suppress(OSError):
                    one.shutdown(socket.SHUT_RDWR)
            self._thread.join(0.05)

    def _run(self) -> None:
        self._selector.register(self._door, selectors.EVENT_READ)
        self._selector.register(self._woken, selectors.EVENT_READ)
        while True:
            for key, _ in self._selector.select():
                ready = key.fileobj
                if ready is self._woken:
                    self._close_all()
                    return
                if ready is self._door:
                    self._accept()
                elif isinstance(ready, socket.socket) and ready in self._peers:
                    self._carry(ready)

    def _accept(self) -> None:
        try:
            inside, _ = self._door.accept()
        except OSError:
            return
        try:
            outside = socket.create_connection(self._target, CONNECT_SECONDS)
        except OSError:  # the program sees what comes nearest to a connection that is refused
            self.traffic.refuse()
            inside.close()
            return
        self._inside[inside] = Outgoing(self._key)
        for one, other in ((inside, outside), (outside, inside)):
            one.settimeout(None)
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._peers[one] = other
            self._selector.register(one, selectors.EVENT_READ)

    def _carry(self, source: socket.socket) -> None:
        target = self._peers[source]
        try:
            data = source.recv(CHUNK)
            if data:
                if source in self._inside:
                    data = self._inside[source].through(data, self.traffic)
                else:
                    self.traffic.answered(data)
                target.sendall(data)
                return
        except _ENDS:
            pass  # either end is gone, or what came is no request: both are closed below
        for one in (source, target):
            self._peers.pop(one, None)
            self._inside.pop(one, None)
            with contextlib.suppress(*_ENDS, KeyError):
                self._selector.unregister(one)
            one.close()

    def _close_all(self) -> None:
        for one in (*self._peers, self._door, self._woken):
            one.close()
        self._selector.close()


def address_of(url: str) -> tuple[str, int]:
    """Host and port of a gateway."""
    found = urlsplit(url)
    return found.hostname or "", found.port or (443 if found.scheme == "https" else 80)
