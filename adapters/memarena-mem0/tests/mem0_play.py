"""How tests speak to mem0ai."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memarena.records import Turn

Make = Callable[..., Any]
FACT = "The locker code of Zanetti is 4711."


def turn(session_id: str, index: int, text: str, role: str = "user", **more: Any) -> Turn:
    return Turn(
        turn_id=f"{session_id}:T{index}", session_id=session_id, index=index, role=role, text=text, body=text, **more
    )


def hear(adapter: Any, session_id: str, *texts: str, time: str | None = None) -> None:
    for index, text in enumerate(texts):
        adapter.ingest_turn(turn(session_id, index, text, time=time))
    adapter.end_session(session_id)


def texts(adapter: Any) -> list[str]:
    return [item.text for item in adapter.snapshot_memories()]
