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

_HOME = {
    "memarena.errors": ("AdapterFailure", "MemarenaError"),
    "memarena.hookspecs": ("HOOK_API", "hookimpl"),
    "memarena.records": (
        "NOT_MENTIONED",
        "Answer",
        "AskedQuestion",
        "Attachment",
        "Capabilities",
        "Checkpoint",
        "Evidence",
        "GoldPoint",
        "JudgementRequest",
        "Label",
        "MemoryChange",
        "MemoryItem",
        "Metric",
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
    ),
}
_PLACE = {name: module for module, names in _HOME.items() for name in names}

__all__ = [  # noqa: PLE0604 (a test compares it with the names above)
    *sorted(_PLACE)
]


def __getattr__(name: str) -> Any:
    if name not in _PLACE:
        raise AttributeError(f"module 'memarena' has no attribute {name!r}")
    value = getattr(import_module(_PLACE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
