"""How tests speak to `graphiti`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from memarena.records import Turn

Make = Callable[..., Any]
FACT = "The locker code of Zanetti is 4711."
CHANGED = "The locker code of Zanetti is 9320."
BEES = "Quillon keeps nine bees on the roof."


def turn(session_id: str, index: int, text: str, **more: Any) -> Turn:
    return Turn(turn_id=f"{session_id}:T{index}", session_id=session_id, index=index, text=text, body=text, **more)


def hear(adapter: Any, session_id: str, *texts: str, time: str | None = None) -> None:
    for index, text in enumerate(texts):
        adapter.ingest_turn(turn(session_id, index, text, time=time))
    adapter.end_session(session_id)


def kept(adapter: Any, status: str = "active") -> list[str]:
    return [item.text for item in adapter.snapshot_memories() if item.status == status]
