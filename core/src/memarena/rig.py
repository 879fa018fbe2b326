"""A rig: one adapter and its instruments in a pluggy manager of their own.

Instruments are `@hookimpl(wrapper=True)` methods with an integer `layer`; a lower layer is further out. Whatever the
adapter raises comes out as AdapterFailure (the boundary does that); anything else is a fault of an instrument or of
the core, and is not taken for a result.
"""

from __future__ import annotations

import inspect
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import pluggy

from memarena import codec
from memarena.errors import AdapterContractError, first_line
from memarena.hookspecs import AdapterSpec
from memarena.records import (
    Answer,
    AskedQuestion,
    Attachment,
    Capabilities,
    MemoryChange,
    MemoryItem,
    Retrieval,
    RunContext,
    Turn,
)

T = TypeVar("T")

SEVEN = (
    "reset",
    "ingest_turn",
    "end_session",
    "snapshot_memories",
    "export_memory_delta",
    "retrieve",
    "get_capabilities",
)
OPTIONAL = ("reopen", "answer")
METHODS = SEVEN + OPTIONAL
_ARGUMENTS: Mapping[str, tuple[str, ...]] = {
    name: tuple(inspect.signature(getattr(AdapterSpec, name)).parameters)[1:] for name in METHODS
}


class _Mounted:
    """The methods of an adapter and nothing else of it: no property, comparison or listing of it is ever asked."""

    def __init__(self, methods: Mapping[str, Callable[..., Any]]) -> None:
        self.__dict__.update(methods)


class _Manager(pluggy.PluginManager):
    """Takes the nine names of an adapter for hooks without a decorator."""

    def parse_hookimpl_opts(self, plugin: object, name: str) -> pluggy.HookimplOpts | None:
        if not isinstance(plugin, _Mounted):
            return super().parse_hookimpl_opts(plugin, name)
        if name not in METHODS:
            return None
        return {
            "wrapper": False,
            "hookwrapper": False,
            "optionalhook": False,
            "tryfirst": False,
            "trylast": False,
            "specname": None,
        }


class Ledger:
    """What the instruments of one rig have measured: nanoseconds and calls by method, and the newest calls."""

    __slots__ = ("calls", "nanoseconds", "recent")

    def __init__(self) -> None:
        self.nanoseconds: dict[str, int] = dict.fromkeys(METHODS, 0)
        self.calls: dict[str, int] = dict.fromkeys(METHODS, 0)
        self.recent: Sequence[tuple[str, str]] = ()

    def seconds(self, *methods: str) -> float:
        """Seconds spent in these methods so far."""
        return sum(self.nanoseconds[name] for name in methods) / 1e9

    @contextmanager
    def unchanged(self, method: str) -> Iterator[None]:
        """Calls of `method` in here are not counted: they are no part of what a system is measured by."""
        before = self.nanoseconds[method], self.calls[method]
        try:
            yield
        finally:
            self.nanoseconds[method], self.calls[method] = before


class Rig:
    """One mounted adapter.

    Raises AdapterContractError where a method is missing, takes something that the hook does not offer, gives
    defaults, or is a coroutine or generator function; and, at a call, where it returns anything else than its hook
    says. What comes back is as a run folder keeps it: tuples inside, no number that JSON lacks, no broken unicode.
    """

    def __init__(self, label: str, adapter: object, instruments: Sequence[object] = (), *, cell_id: str = "") -> None:
        self.label = label
        self.cell_id = cell_id or label
        self.adapter = adapter
        methods = _methods(label, adapter)
        self.honours = {name: _taken(f"{label}.{name}", method, name) for name, method in methods.items()}
        self.ledger = Ledger()
        self._kept: dict[int, tuple[MemoryItem, MemoryItem]] = {}
        """The newest snapshot by identity: each item as it was given (and so stays alive) and as it is kept."""
        self._manager = _Manager("memarena")
        self._manager.add_hookspecs(AdapterSpec)
        self._manager.register(_Mounted(methods), "adapter")
        self.instruments = tuple(sorted(instruments, key=_layer, reverse=True))
        for instrument in self.instruments:
            attach = getattr(instrument, "attach", None)
            if attach is not None:
                attach(self)
            self._manager.register(instrument)
        self._manager.check_pending()
        self._call = self._manager.hook

    def reset(self, context: RunContext) -> None:
        self._nothing("reset", self._call.reset(context=context))

    def reopen(self, context: RunContext) -> None:
        self._nothing("reopen", self._call.reopen(context=context))

    def ingest_turn(self, turn: Turn) -> None:
        self._nothing("ingest_turn", self._call.ingest_turn(turn=turn))

    def end_session(self, session_id: str) -> None:
        self._nothing("end_session", self._call.end_session(session_id=session_id))

    def snapshot_memories(self) -> tuple[MemoryItem, ...]:
        before, self._kept = self._kept, {}
        found: list[MemoryItem] = []
        for item in self._listed("snapshot_memories", self._call.snapshot_memories(), MemoryItem):
            known = before.get(id(item))
            found.append(known[1] if known is not None else self._one("snapshot_memories", item, MemoryItem))
            self._kept[id(item)] = (item, found[-1])
        if len({item.memory_id for item in found}) != len(found):
            raise AdapterContractError(
                f"{self.label}.snapshot_memories: two items share an id; give each item an id of its own"
            )
        return tuple(found)

    def export_memory_delta(self, session_id: str) -> tuple[MemoryChange, ...] | None:
        found = self._call.export_memory_delta(session_id=session_id)
        return None if found is None else self._several("export_memory_delta", found, MemoryChange)

    def retrieve(
        self,
        query: str,
        top_k: int,
        time: str | None = None,
        attachments: Sequence[Attachment] = (),
        budget_tokens: int | None = None,
    ) -> Retrieval:
        found = self._call.retrieve(
            query=query, top_k=top_k, time=time, attachments=attachments, budget_tokens=budget_tokens
        )
        return self._one("retrieve", found, Retrieval)

    def get_capabilities(self) -> Capabilities:
        return self._one("get_capabilities", self._call.get_capabilities(), Capabilities)

    def answer(self, questions: Sequence[AskedQuestion]) -> tuple[Answer, ...]:
        return self._several("answer", self._call.answer(questions=questions), Answer)

    def _nothing(self, method: str, found: object) -> None:
        if inspect.isawaitable(found):
            getattr(found, "close", bool)()
            raise AdapterContractError(
                f"{self.label}.{method} returned {_named(found)}, which nobody awaits: the seven are synchronous; "
                "use memarena.aio.Bridge for an async client"
            )

    def _one(self, method: str, found: object, kind: type[T]) -> T:
        if not isinstance(found, kind):
            raise AdapterContractError(f"{self.label}.{method} returned {_named(found)}; return a {kind.__name__}")
        try:
            return codec.as_read_back(found, kind)
        except ValueError as error:
            raise AdapterContractError(
                f"{self.label}.{method} returned a {kind.__name__} that cannot be kept: {error}"
            ) from error

    def _several(self, method: str, found: object, kind: type[T]) -> tuple[T, ...]:
        return tuple([self._one(method, item, kind) for item in self._listed(method, found, kind)])

    def _listed(self, method: str, found: object, kind: type[T]) -> list[T]:
        if not isinstance(found, Sequence) or isinstance(found, str):
            raise AdapterContractError(
                f"{self.label}.{method} returned {_named(found)}; return a list or tuple of {kind.__name__}"
            )
        try:
            items = list(found)
        except Exception as error:
            raise AdapterContractError(
                f"{self.label}.{method} returned {_named(found)} that cannot be read: {first_line(error)}"
            ) from error
        for item in items:
            if not isinstance(item, kind):
                raise AdapterContractError(
                    f"{self.label}.{method} returned {_named(item)} in its list; return {kind.__name__} only"
                )
        return items


def accepted_arguments(label: str, adapter: object) -> dict[str, list[str]]:
    """The arguments that each method of `adapter` takes; raises AdapterContractError for what is refused."""
    return {name: _taken(f"{label}.{name}", method, name) for name, method in _methods(label, adapter).items()}


def _methods(label: str, adapter: object) -> dict[str, Callable[..., Any]]:
    if isinstance(adapter, type):
        raise AdapterContractError(f"{label}: mount an instance, not the class {adapter.__name__}")
    found: dict[str, Callable[..., Any]] = {}
    for name in METHODS:
        if inspect.getattr_static(adapter, name, None) is not None:
            found[name] = _method(f"{label}.{name}", adapter, name)
        elif name in SEVEN:
            raise AdapterContractError(f"{label}.{name} is missing: an adapter has these seven: {', '.join(SEVEN)}")
    return found


def _method(where: str, adapter: object, name: str) -> Callable[..., Any]:
    try:
        method = getattr(adapter, name)
    except Exception as error:
        raise AdapterContractError(f"{where} cannot be read: {first_line(error)}") from error
    if not isinstance(method, types.FunctionType | types.MethodType):
        raise AdapterContractError(f"{where} is {_named(method)}; write it as a method, with def")
    if inspect.iscoroutinefunction(method) or inspect.isasyncgenfunction(method):
        raise AdapterContractError(
            f"{where} is a coroutine function: the seven are synchronous; use memarena.aio.Bridge for an async client"
        )
    if inspect.isgeneratorfunction(method):
        raise AdapterContractError(f"{where} is a generator function, of which no line would run: return, do not yield")
    return method


def _taken(where: str, method: Callable[..., Any], name: str) -> list[str]:
    offered = _ARGUMENTS[name]
    try:
        parameters = inspect.signature(method).parameters.values()
    except (TypeError, ValueError) as error:
        raise AdapterContractError(f"{where}: its arguments cannot be read: {error}") from error
    taken = []
    for parameter in parameters:
        written = str(parameter).partition(":")[0].partition("=")[0]
        if parameter.kind is not inspect.Parameter.POSITIONAL_OR_KEYWORD:
            raise AdapterContractError(
                f"{where}({written}): name the hook's arguments plainly, without *, ** or keyword-only: "
                f"{', '.join(offered) or 'it takes none'}"
            )
        if parameter.default is not inspect.Parameter.empty:
            raise AdapterContractError(
                f"{where}({written}={parameter.default!r}): give no default; leave the argument out or take it plainly"
            )
        if parameter.name not in offered:
            raise AdapterContractError(
                f"{where}({written}): the hook offers no such argument: {', '.join(offered) or 'it takes none'}"
            )
        taken.append(parameter.name)
    return taken


def _layer(instrument: object) -> int:
    layer = getattr(instrument, "layer", None)
    if not isinstance(layer, int):
        raise AdapterContractError(f"instrument {_named(instrument)} has no integer `layer`")
    return layer


def _named(value: object) -> str:
    return "None" if value is None else f"a {type(value).__name__}"
