"""An adapter in an interpreter, or a language, of its own, mounted in a rig like any other.

    adapter = HostedAdapter("bm25", "bm25", python="/path/to/venv/bin/python", limits=Limits(seconds=60))
    rig = Rig("bm25", adapter)
    ...
    adapter.close()

Its methods take what the adapter on the other side takes (`memarena.wire`). A crash, an exit, a hang or too much memory
raises in the call that was waiting and in every later one, and ends all processes of the adapter, and only those.
"""

from __future__ import annotations

import os
import shutil
import site
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NoReturn

import msgspec

from memarena import codec, errors
from memarena.childprocess import ChildProcess, ProcessEnded
from memarena.errors import AdapterContractError, PluginLoadError
from memarena.processes import Used
from memarena.records import Record
from memarena.wire import PROTOCOL, RESULTS, Greeting, Hello, Plugin, Problem, Reply, check_honours

KEPT = (
    "CUDA_VISIBLE_DEVICES",
    "HF_HOME",
    "HF_HUB_OFFLINE",
    "LANG",
    "LC_ALL",
    "LD_LIBRARY_PATH",
    "NLTK_DATA",
    "PATH",
    "REQUESTS_CA_BUNDLE",
    "SSL_CERT_DIR",
    "SSL_CERT_FILE",
    "TZ",
)
"""The environment variables that an adapter's process gets from ours; no key is among them."""
_SETTINGS = {
    "PYTHONFAULTHANDLER": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONUNBUFFERED": "1",
    "PYTHONUTF8": "1",
}
"""So that a crash shows where, sets iterate alike in every run, and output before a crash is not lost."""
_BLAMED = ("AdapterContractError", "PluginError", "PluginLoadError", "UsageError")


class Limits(Record, frozen=True, kw_only=True):
    """What an adapter in a process of its own may use."""

    seconds: float = 600.0
    """For each call; 0: no limit."""
    by_method: Mapping[str, float] = {}
    """Seconds for calls of single methods, e.g. `{"reset": 1800}`; 0: no limit."""
    start_seconds: float = 120.0
    """For the start: importing the adapter and making it; 0: no limit."""
    memory_mib: int = 0
    """For all its processes together; 0: no limit."""

    def of(self, method: str) -> float:
        """Seconds for a call of `method`."""
        return self.by_method.get(method, self.seconds)


class HostedError(Exception):
    """What the adapter raised on the other side; its subclasses have the names of the errors there."""


class Elsewhere(Exception):
    """The traceback of the other side, as the cause of a HostedError."""

    def __str__(self) -> str:
        return f"\n{self.args[0]}"


class HostedAdapter:
    """One adapter in a process of its own; `close` ends it.

    `target` (`NAME`, `NAME@DISTRIBUTION` or `module:attribute`) is served by `python -m memarena.host`, with `python`
    or with the interpreter that runs this; or `command` is any program that speaks the protocol. `log` takes what it
    writes. `environment` is added to the few variables that it gets.

    Raises UsageError for an option or an interpreter that is wrong, AdapterContractError where it cannot be mounted,
    and PluginLoadError where it cannot be loaded or started.
    """

    def __init__(
        self,
        label: str,
        target: str = "",
        options: Mapping[str, Any] | None = None,
        *,
        python: str | Path | None = None,
        command: Sequence[str] = (),
        limits: Limits | None = None,
        log: Path | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.label = label
        self._limits = limits or Limits()
        words = [*command] or [str(python or sys.executable), "-m", "memarena.host", target]
        words[0] = str(Path(shutil.which(words[0]) or words[0]).absolute())
        own = child_environment(None if python is None else words[0])
        child = ChildProcess(
            words,
            {**own, **(environment or {})},
            log=log,
            memory_bytes=self._limits.memory_mib << 20,
        )
        self._child = child
        call = _Caller(label, child, self._limits)
        greeting = Greeting(protocol=PROTOCOL, label=label, options=options or {}, place=str(Path.cwd()))
        try:
            hello = _greet(call, greeting, target, words[0])
            check_honours(label, hello.honours)
        except BaseException:
            child.kill()
            raise
        self.honours = hello.honours
        self.plugin: Plugin | None = hello.plugin
        """Name, distribution and version as its interpreter knows them; None where it does not say."""
        self.runtime: str = hello.runtime
        """What it runs on."""
        for method, arguments in hello.honours.items():
            setattr(self, method, _method(method, arguments, call))

    @property
    def marker(self) -> str:
        """The value of `MEMARENA_HOST_ID` in the environment of its processes."""
        return self._child.marker

    def used(self) -> Used:
        """What its processes have used so far, those that have ended included."""
        return self._child.used()

    def close(self) -> None:
        """End it: its input ends, it has a few seconds to finish, then all its processes are killed."""
        self._child.close()

    def kill(self) -> None:
        """End all its processes at once, as a power cut would; a call that waits in another thread fails."""
        self._child.kill()


class _Caller:
    """Numbers requests, and turns replies into results or exceptions."""

    def __init__(self, label: str, child: ChildProcess, limits: Limits) -> None:
        self._label = label
        self._child = child
        self._limits = limits
        self._number = 0
        self._reply = msgspec.json.Decoder(Reply)
        self._results = {method: msgspec.json.Decoder(kind) for method, kind in {**RESULTS, "hello": Hello}.items()}

    def __call__(self, method: str, params: Any) -> Any:
        self._number += 1
        number, where = self._number, f"{self._label}.{method}"
        request = codec.encode({"id": number, "method": method, "params": params})
        seconds = self._limits.start_seconds if method == "hello" else self._limits.of(method)
        reply: list[Reply] = []

        def is_answer(line: bytes) -> bool:
            try:
                reply[:] = [self._reply.decode(line)]
            except msgspec.MsgspecError as error:
                if line.startswith(b"{") and b'"id"' in line:
                    raise AdapterContractError(f"{where} gave a reply that cannot be read: {error}") from None
                return False
            return reply[0].id == number

        self._child.ask(request, seconds, is_answer)
        if reply[0].error is not None:
            _raise(reply[0].error)
        try:
            return self._results[method].decode(reply[0].result)
        except msgspec.MsgspecError as error:
            raise AdapterContractError(f"{where} gave what does not fit: {error}") from None


def _greet(call: _Caller, greeting: Greeting, target: str, program: str) -> Hello:
    try:
        hello: Hello = call("hello", greeting)
    except HostedError as error:
        if type(error).__name__ in _BLAMED:
            raise getattr(errors, type(error).__name__)(str(error)) from error.__cause__
        raise PluginLoadError(f"{greeting.label}: {type(error).__name__}: {error}") from error.__cause__
    except ProcessEnded as error:
        if "No module named 'memarena" in str(error):
            name = "ADAPTER" if ":" in target else target.partition("@")[0]
            raise PluginLoadError(
                f"{greeting.label}: {program} has no memarena; make an environment with: memarena env create {name}"
            ) from None
        raise PluginLoadError(f"{greeting.label}: {error}") from None
    if hello.protocol != PROTOCOL:
        raise PluginLoadError(f"{greeting.label}: it speaks protocol {hello.protocol}, memarena speaks {PROTOCOL}")
    return hello


def _method(name: str, arguments: Sequence[str], call: _Caller) -> Callable[..., Any]:
    """A function whose signature is what the other side takes: a rig reads it."""
    taken, sent = ", ".join(arguments), ", ".join(f"{argument!r}: {argument}" for argument in arguments)
    scope: dict[str, Any] = {"call": call}
    exec(f"def {name}({taken}):\n    return call({name!r}, {{{sent}}})", scope)
    made: Callable[..., Any] = scope.pop(name)  # else scope and function would hold each other
    return made


def _raise(problem: Problem) -> NoReturn:
    """Raise an exception with the name and the message that it had on the other side."""
    kind: type[HostedError] = type(problem.kind, (HostedError,), {"__module__": __name__})
    raise kind(problem.message) from (Elsewhere(problem.trace) if problem.trace else None)


def child_environment(python: str | None) -> dict[str, str]:
    """The environment of an adapter's process: none of our variables but `KEPT`, and what makes Python predictable.

    The interpreter that runs this also gets our PYTHONPATH; another one has its own packages.
    """
    found = {name: os.environ[name] for name in KEPT if name in os.environ}
    found = {"LANG": "C.UTF-8", "PATH": os.defpath, "PYTHONUSERBASE": site.getuserbase(), **found, **_SETTINGS}
    if python is None:
        return {**found, **{name: os.environ[name] for name in ("PYTHONPATH",) if name in os.environ}}
    return {**found, "PATH": os.pathsep.join((str(Path(python).parent), found["PATH"]))}
