"""A memgpt that has been started, turns for it to hear, and what it shows."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from memarena.records import MemoryItem, RunContext, Turn
from memarena.testing.model_server import ModelServer
from memarena_memgpt.memgpt import MemGpt, MemGptOptions


def turn(number: int, text: str, session_id: str = "S01", role: str = "user") -> Turn:
    return Turn(
        turn_id=f"{session_id}:T{number:03}",
        session_id=session_id,
        index=number,
        role=role,
        text=text,
        body=text,
        time=f"2026-01-{number + 1:02} 09:00",
    )


def started(upstream: ModelServer, folder: Path, **options: Any) -> MemGpt:
    adapter = MemGpt(MemGptOptions(**options))
    models = {"model": upstream.endpoint, "embedding": upstream.endpoint}
    adapter.reset(RunContext(folder=str(folder), namespace="n", **models))
    return adapter


def active(adapter: MemGpt) -> dict[str, str]:
    return {item.memory_id: item.text for item in adapter.snapshot_memories() if item.status == "active"}


def recall(adapter: MemGpt) -> Sequence[MemoryItem]:
    return [item for item in adapter.snapshot_memories() if item.status == "archived"]


def counts(adapter: MemGpt) -> dict[str, int]:
    return dict(adapter.retrieve(query="", top_k=1).trace["counts"])
