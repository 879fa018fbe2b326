"""Joins standard input and output with a socket: `python -I -S relay.py PLACE`.

A harness in a jail starts this as its server; the real one listens outside. It needs nothing but the standard library.
"""

from __future__ import annotations

import os
import socket
import sys
import threading


def main(place: str) -> None:
    """Copy both ways until one side ends."""
    with socket.socket(socket.AF_UNIX) as link:
        link.connect(place)
        threading.Thread(target=_send, args=(link,), daemon=True).start()
        while data := link.recv(1 << 16):
            os.write(1, data)


def _send(link: socket.socket) -> None:
    while data := os.read(0, 1 << 16):
        link.sendall(data)
    link.shutdown(socket.SHUT_WR)


if __name__ == "__main__":
    main(sys.argv[1])
