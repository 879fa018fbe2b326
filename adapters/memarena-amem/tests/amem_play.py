"""An amem that has been started, what it hears, and what it shows."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from memarena.records import Attachment, RunContext, Turn
from memarena.testing.model_server import ModelServer
from memarena_amem.amem import AMem, AMemOptions


def started(upstream: ModelServer, folder: Path, **options: Any) -> AMem:
    adapter = AMem(AMemOptions(**{"unit": "turn", **options}))
    models = {"model": upstream.endpoint, "embedding": upstream.endpoint}
    adapter.reset(RunContext(folder=str(folder), namespace="n", **models))
    return adapter


def hear(adapter: AMem, *texts: str, session_id: str = "S01", pictures: tuple[Attachment, ...] = ()) -> None:
    for number, text in enumerate(texts):
        adapter.ingest_turn(
            Turn(
                turn_id=f"{session_id}:T{number:03}",
                session_id=session_id,
                index=number,
                role=("user", "assistant")[number % 2],
                text=text,
                body=text,
                time="2026-01-01 09:00",
                attachments=pictures,
            )
        )
    adapter.end_session(session_id)


def attributes(adapter: AMem) -> dict[str, Mapping[str, Any]]:
    return {item.memory_id: item.metadata for item in adapter.snapshot_memories()}


def counts(adapter: AMem) -> Mapping[str, int]:
    found: Mapping[str, int] = adapter.retrieve(query="", top_k=1).trace["counts"]
    return found
