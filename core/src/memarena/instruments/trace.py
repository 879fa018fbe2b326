"""Keeps the newest calls, so that the row of a failed cell shows what led to the failure."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator
from typing import Any

from memarena.hookspecs import hookimpl
from memarena.records import AskedQuestion, Turn
from memarena.rig import Rig

KEPT = 20
"""Calls kept."""


class Trace:
    """The newest calls as (method, subject), oldest first, in the rig's ledger."""

    layer = 10

    def __init__(self) -> None:
        self.recent: deque[tuple[str, str]] = deque(maxlen=KEPT)

    def attach(self, rig: Rig) -> None:
        rig.ledger.recent = self.recent

    @hookimpl(wrapper=True)
    def reset(self) -> Generator[None, Any, Any]:
        self.recent.append(("reset", ""))
        return (yield)

    @hookimpl(wrapper=True)
    def reopen(self) -> Generator[None, Any, Any]:
        self.recent.append(("reopen", ""))
        return (yield)

    @hookimpl(wrapper=True)
    def ingest_turn(self, turn: Turn) -> Generator[None, Any, Any]:
        self.recent.append(("ingest_turn", turn.turn_id))
        return (yield)

    @hookimpl(wrapper=True)
    def end_session(self, session_id: str) -> Generator[None, Any, Any]:
        self.recent.append(("end_session", session_id))
        return (yield)

    @hookimpl(wrapper=True)
    def snapshot_memories(self) -> Generator[None, Any, Any]:
        self.recent.append(("snapshot_memories", ""))
        return (yield)

    @hookimpl(wrapper=True)
    def export_memory_delta(self, session_id: str) -> Generator[None, Any, Any]:
        self.recent.append(("export_memory_delta", session_id))
        return (yield)

    @hookimpl(wrapper=True)
    def retrieve(self, query: str) -> Generator[None, Any, Any]:
        self.recent.append(("retrieve", query[:80]))
        return (yield)

    @hookimpl(wrapper=True)
    def answer(self, questions: list[AskedQuestion]) -> Generator[None, Any, Any]:
        self.recent.append(("answer", f"{len(questions)} questions"))
        return (yield)
