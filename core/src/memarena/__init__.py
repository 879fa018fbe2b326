"""memarena is to agent memory what pytest is to tests.

Importing this package loads nothing else: each name is fetched when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from memarena.errors import AdapterFailure, MemarenaError
    from memarena.hookspecs import HOOK_API, hookimpl
    from memarena.records import (
        NOT_MENTIONED,
        Answer,
        AskedQuestion,
        Attachment,
        Capabilities,
        Checkpoint,
        Evidence,
        GoldPoint,
        JudgementRequest,
        Label,
        MemoryChange,
        MemoryItem,
        Metric,
        Question,
        Retrieval,
        RetrievedItem,
        RunContext,
        Sample,
        Session,
        Shown,
        ShownItem,
        Stat,
        Turn,
    )

__version__ = "1.0.0"

__all__ = [
    "AdapterFailure",
    "Answer",
    "AskedQuestion",
    "Attachment",
    "Capabilities",
    "Checkpoint",
    "Evidence",
    "GoldPoint",
    "HOOK_API",
    "JudgementRequest",
    "Label",
    "MemarenaError",
    "MemoryChange",
    "MemoryItem",
    "Metric",
    "NOT_MENTIONED",
    "Question",
    "Retrieval",
    "RetrievedItem",
    "RunContext",
    "Sample",
    "Session",
    "Shown",
    "ShownItem",
    "Stat",
    "Turn",
    "hookimpl",
]

_NOT_A_RECORD = {
    "AdapterFailure": "memarena.errors",
    "HOOK_API": "memarena.hookspecs",
    "MemarenaError": "memarena.errors",
    "hookimpl": "memarena.hookspecs",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'memarena' has no attribute {name!r}")
    value = getattr(import_module(_NOT_A_RECORD.get(name, "memarena.records")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
