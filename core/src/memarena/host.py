"""Serves one adapter from an interpreter of its own: `python -m memarena.host TARGET`.

`TARGET` is the name of an installed adapter (`NAME` or `NAME@DISTRIBUTION`) or `module:attribute`. Requests come in on
standard input and replies go out on standard output (`memarena.wire`). Both are moved away before the adapter is
imported: what it or a program that it starts writes to standard output goes to standard error instead.
"""

from __future__ import annotations

import contextlib
import os
import platform
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any, NoReturn

import msgspec

from memarena import __version__, catalog, codec
from memarena.catalog import Entry
from memarena.errors import UsageError
from memarena.rig import Rig
from memarena.wire import PARAMS, PROTOCOL, Greeting, Hello, Plugin, Problem, Request

TRACE = 8000
"""Characters of a traceback that are sent; the newest count."""


class Channel:
    """The two ends of the protocol, out of the reach of prints, child processes and forks."""

    def __init__(self) -> None:
        self._owner = os.getpid()
        self._out = os.dup(1)
        source = os.dup(0)
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, 0)
        os.dup2(2, 1)
        self._lines = os.fdopen(source, "rb", buffering=1 << 16)
        os.register_at_fork(after_in_child=lambda: [os.dup2(nothing, end) for end in (source, self._out)])

    def read(self) -> bytes:
        """The next line; b"" at the end."""
        return self._lines.readline()

    def write(self, line: bytes) -> None:
        """Send a line. A copy of this process that an adapter forked and let go on ends here."""
        if os.getpid() != self._owner:
            os._exit(0)
        left = memoryview(line)
        while left:
            left = left[os.write(self._out, left) :]


class Server:
    """Answers requests for one adapter."""

    def __init__(self, target: str) -> None:
        self._target = target
        self._rig: Rig | None = None
        self._decoder = msgspec.json.Decoder(Request)
        self._params = {method: _params_of(method) for method in PARAMS}

    def answer(self, line: bytes) -> bytes:
        """The reply to one request; whatever is raised becomes its error."""
        number = 0
        try:
            request = self._decoder.decode(line)
            number = request.id
            result = self._hello(request) if request.method == "hello" else self._call(request)
            return codec.encode({"id": number, "result": result}) + b"\n"
        except BaseException as error:
            traceback.print_exc()
            return codec.encode({"id": number, "error": _problem(error)}) + b"\n"

    def _hello(self, request: Request) -> Hello:
        greeting = msgspec.json.decode(request.params, type=Greeting)
        if greeting.protocol != PROTOCOL:
            raise UsageError(
                f"memarena here speaks protocol {greeting.protocol}, the one in {sys.executable} ({__version__}) "
                f"speaks {PROTOCOL}: bring both to one version"
            )
        row = find(self._target)
        with contextlib.chdir(greeting.place or "."):
            made = _make(row, greeting.options)
        self._rig = Rig(greeting.label, made)
        return Hello(
            protocol=PROTOCOL,
            honours={method: tuple(taken) for method, taken in self._rig.honours.items()},
            plugin=Plugin(name=row.name, distribution=row.distribution, version=row.version),
            runtime=f"memarena {__version__}, Python {platform.python_version()}",
        )

    def _call(self, request: Request) -> Any:
        if self._rig is None:
            raise UsageError("the first request is to be hello")
        if request.method not in self._rig.honours:
            raise UsageError(f"the adapter has no method {request.method!r}")
        return getattr(self._rig, request.method)(**self._params[request.method](request.params))


def find(target: str) -> Entry:
    """The row of an adapter; one that is named as `module:attribute` need not be registered."""
    if ":" not in target:
        return catalog.find("adapters", target)
    for row in catalog.entries("adapters"):
        if row.target == target:
            return row
    return Entry(target.partition(":")[2], target, "no distribution", "", "", "memarena.adapters")


def _make(row: Entry, options: Mapping[str, Any]) -> Any:
    return catalog.make(row.load(), options, who=str(row))


def _params_of(method: str) -> Callable[[msgspec.Raw], dict[str, Any]]:
    """What turns the params of a request into all arguments of its method; what was not sent is None."""
    names = tuple(PARAMS[method])
    fields = [(name, kind | None, None) for name, kind in PARAMS[method].items()]
    decode = msgspec.json.Decoder(msgspec.defstruct(method, fields)).decode

    def arguments(params: msgspec.Raw) -> dict[str, Any]:
        found = decode(params)
        return {name: getattr(found, name) for name in names}

    return arguments


def _problem(error: BaseException) -> Problem:
    trace = "".join(traceback.format_exception(error))[-TRACE:]
    return Problem(kind=type(error).__name__, message=str(error), trace=trace)


def main(arguments: list[str]) -> NoReturn:
    """Serve until standard input ends."""
    channel = Channel()
    if len(arguments) != 1:
        sys.exit("usage: python -m memarena.host ADAPTER | MODULE:ATTRIBUTE")
    server = Server(arguments[0])
    while line := channel.read():
        channel.write(server.answer(line))
    sys.exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
