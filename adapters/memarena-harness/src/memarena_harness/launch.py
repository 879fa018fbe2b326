"""Starts a program with limits and, where asked for, in a network of its own with one door.

Run as a script with the standard library alone:

    python -I -S launch.py CONTROL SETTINGS PROGRAM ARGUMENT...

`SETTINGS` is JSON: `limits` (name of a resource limit -> value) and `port` (0: the host's network stays). With a port
the program gets an empty network namespace, in which only the loopback is up. A socket that listens there on `port`
goes out on the connected socket `CONTROL`; whoever has it decides where its connections lead. With `dial` the launcher
stays: each byte that comes in on `CONTROL` asks for a connection to `dial`, a port inside, which goes out as a socket.
"""

from __future__ import annotations

import array
import ctypes
import fcntl
import json
import os
import resource
import socket
import struct
import sys
import time
from typing import Any, NoReturn

_NEW_USER, _NEW_NET = 0x10000000, 0x40000000
_KEYCTL = {"x86_64": 250, "aarch64": 219}
_JOIN_SESSION_KEYRING = 1
_GET_FLAGS, _SET_FLAGS, _UP = 0x8913, 0x8914, 0x1
DIAL_SECONDS = 1.0
"""How long a connection to the inside may take."""


def enter_empty_network() -> None:
    """Leave the host's network; raises OSError where that is forbidden."""
    libc = ctypes.CDLL(None, use_errno=True)
    if os.geteuid() == 0 and libc.unshare(_NEW_NET) == 0:
        return
    uid, gid = os.geteuid(), os.getegid()
    if libc.unshare(_NEW_USER | _NEW_NET) != 0:
        number = ctypes.get_errno()
        raise OSError(number, f"no network namespace: {os.strerror(number)}")
    for name, text in (("setgroups", "deny"), ("uid_map", f"{uid} {uid} 1"), ("gid_map", f"{gid} {gid} 1")):
        with open(f"/proc/self/{name}", "w", encoding="ascii") as stream:  # noqa: PTH123
            stream.write(text)


def leave_keyring() -> None:
    """Take a keyring of its own: in the one of whoever started memarena a program could read keys, and leave notes."""
    number = _KEYCTL.get(os.uname().machine)
    if sys.platform == "linux" and number:
        ctypes.CDLL(None).syscall(number, _JOIN_SESSION_KEYRING, None)


def raise_loopback() -> None:
    """Bring the loopback up."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as any_socket:
        asked = struct.pack("16sh14x", b"lo", 0)
        (flags,) = struct.unpack("16xh14x", fcntl.ioctl(any_socket, _GET_FLAGS, asked))
        fcntl.ioctl(any_socket, _SET_FLAGS, struct.pack("16sh14x", b"lo", flags | _UP))


def hand_over(control: socket.socket, given: socket.socket) -> None:
    """Send a socket."""
    rights = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [given.fileno()]))
    control.sendmsg([b"+"], [rights])
    given.close()


def serve_dials(control: socket.socket, port: int) -> None:
    """Hand over a connection to the inside for each byte that comes in; `-` where nobody listens there."""
    while control.recv(1):
        until = time.monotonic() + DIAL_SECONDS
        try:
            hand_over(control, socket.create_connection(("127.0.0.1", port), max(0.01, until - time.monotonic())))
        except OSError:
            control.sendall(b"-")


def stay(control: socket.socket, port: int, program: int) -> NoReturn:
    """Serve dials beside the program, and end as it does."""
    import threading

    threading.Thread(target=serve_dials, args=(control, port), daemon=True).start()
    _, status = os.waitpid(program, 0)
    code = os.waitstatus_to_exitcode(status)
    os._exit(code if code >= 0 else 128 - code)


def main(number: str, settings: str, *command: str) -> NoReturn:
    told: dict[str, Any] = json.loads(settings)
    for name, value in told["limits"].items():
        kind = getattr(resource, name)
        hard = resource.getrlimit(kind)[1]
        allowed = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (allowed, allowed))
    leave_keyring()
    control = socket.socket(fileno=int(number))
    control.set_inheritable(False)
    if told["port"]:
        enter_empty_network()
        raise_loopback()
        hand_over(control, socket.create_server(("127.0.0.1", told["port"]), backlog=64))
    if told.get("dial"):
        program = os.fork()
        if program:
            stay(control, told["dial"], program)
    os.execv(command[0], command)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except OSError as error:
        sys.exit(f"launch: {error}")
