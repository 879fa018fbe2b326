"""A graph that has been started, what it hears, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memarena.records import Attachment, RunContext, Turn
from memarena.testing.model_server import ModelServer
from memarena_graph.adapter import GraphMemory
from memarena_graph.options import GraphOptions


def started(upstream: ModelServer, folder: Path, **options: Any) -> GraphMemory:
    adapter = GraphMemory(GraphOptions(**options))
    adapter.reset(context(upstream, folder))
    return adapter


def context(upstream: ModelServer, folder: Path, namespace: str = "graph~one") -> RunContext:
    models = {"model": upstream.endpoint, "embedding": upstream.endpoint}
    return RunContext(folder=str(folder), namespace=namespace, **models)


def hear(
    adapter: GraphMemory,
    *texts: str,
    session_id: str = "S01",
    pictures: tuple[Attachment, ...] = (),
    time: str | None = "",
) -> None:
    """One session in which user and assistant take turns; `time` "" is the day of the session's number."""
    for number, text in enumerate(texts):
        adapter.ingest_turn(
            Turn(
                turn_id=f"{session_id}:T{number:03}",
                session_id=session_id,
                index=number,
                role=("user", "assistant")[number % 2],
                text=text,
                body=text,
                time=f"2026-01-{session_id[1:]} 09:00" if time == "" else time,
                attachments=pictures,
            )
        )
    adapter.end_session(session_id)


def kept(adapter: GraphMemory, status: str = "active") -> list[str]:
    return [item.text for item in adapter.snapshot_memories() if item.status == status]


def told(adapter: GraphMemory, session_id: str) -> list[tuple[str, str]]:
    return [(change.op, change.text) for change in adapter.export_memory_delta(session_id)]


def counts(adapter: GraphMemory) -> Mapping[str, int]:
    found: Mapping[str, int] = adapter.retrieve(query="", top_k=1).trace["counts"]
    return found
