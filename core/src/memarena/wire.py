"""The protocol between memarena and an adapter in a process of its own: one JSON line each way a call.

    {"id": 1, "method": "ingest_turn", "params": {"turn": {"turn_id": "S01:T000", ...}}}
    {"id": 1, "result": null}
    {"id": 1, "error": {"kind": "ValueError", "message": "no such index", "trace": "..."}}

The first request is `hello`; its result says which arguments each method takes, and only those are sent. A field of a
record that has its default value is left out, both ways. The same page for other languages is
`docs/how-to/adapter-in-another-language.md`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from memarena.errors import AdapterContractError
from memarena.records import (
    Answer,
    AskedQuestion,
    Attachment,
    Capabilities,
    MemoryChange,
    MemoryItem,
    Record,
    Retrieval,
    RunContext,
    Turn,
)
from memarena.rig import METHODS, SEVEN

PROTOCOL: Final = 1
"""Version of this protocol; it rises where an older program would no longer be understood."""

PARAMS: Final[Mapping[str, Mapping[str, Any]]] = {
    "reset": {"context": RunContext},
    "ingest_turn": {"turn": Turn},
    "end_session": {"session_id": str},
    "snapshot_memories": {},
    "export_memory_delta": {"session_id": str},
    "retrieve": {
        "query": str,
        "top_k": int,
        "time": str | None,
        "attachments": tuple[Attachment, ...],
        "budget_tokens": int | None,
    },
    "get_capabilities": {},
    "reopen": {"context": RunContext},
    "answer": {"questions": tuple[AskedQuestion, ...]},
}
"""The arguments of each method, with their types."""

RESULTS: Final[Mapping[str, Any]] = {
    "reset": None,
    "ingest_turn": None,
    "end_session": None,
    "snapshot_memories": tuple[MemoryItem, ...],
    "export_memory_delta": tuple[MemoryChange, ...] | None,
    "retrieve": Retrieval,
    "get_capabilities": Capabilities,
    "reopen": None,
    "answer": tuple[Answer, ...],
}
"""What each method gives."""


class Request(Record, frozen=True, kw_only=True):
    """One call."""

    id: int
    method: str
    params: msgspec.Raw = msgspec.Raw(b"{}")


class Problem(Record, frozen=True, kw_only=True):
    """What was raised."""

    kind: str
    """E.g. `ValueError`."""
    message: str = ""
    trace: str = ""
    """Where, as far as the other side knows."""


class Reply(Record, frozen=True, kw_only=True):
    """The answer to the request with the same id."""

    id: int
    result: msgspec.Raw = msgspec.Raw(b"null")
    error: Problem | None = None


class Greeting(Record, frozen=True, kw_only=True):
    """Params of `hello`."""

    protocol: int
    label: str
    """What the run calls the adapter."""
    options: Mapping[str, Any] = {}
    place: str = ""
    """The folder from which the options name files, absolute; "": none."""


class Plugin(Record, frozen=True, kw_only=True):
    """Whose adapter it is, as the interpreter that it runs in knows it."""

    name: str
    distribution: str = ""
    version: str = ""


class Hello(Record, frozen=True, kw_only=True):
    """Result of `hello`."""

    protocol: int
    honours: Mapping[str, tuple[str, ...]]
    """Method -> the arguments that it takes; a method that is not named is not there."""
    plugin: Plugin | None = None
    runtime: str = ""
    """What it runs on, e.g. `memarena 1.0.0, Python 3.12.1`."""


def check_honours(label: str, honours: Mapping[str, tuple[str, ...]]) -> None:
    """Raise AdapterContractError where a method is missing or takes what is not offered."""
    for name in SEVEN:
        if name not in honours:
            raise AdapterContractError(f"{label}.{name} is missing in the honours of hello: {', '.join(SEVEN)}")
    for name, arguments in honours.items():
        if name not in METHODS:
            raise AdapterContractError(f"{label}: hello honours {name!r}, which is no method: {', '.join(METHODS)}")
        for argument in arguments:
            if argument not in PARAMS[name]:
                offered = ", ".join(PARAMS[name]) or "it takes none"
                raise AdapterContractError(f"{label}.{name}({argument}): the hook offers no such argument: {offered}")
