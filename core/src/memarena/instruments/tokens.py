"""Says which stage of the cell is at work, so that every model call inside is booked to it."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from memarena import meter
from memarena.hookspecs import hookimpl
from memarena.rig import Rig

_STAGES: dict[str, meter.Stage] = {
    "reset": "write",
    "reopen": "write",
    "ingest_turn": "write",
    "end_session": "write",
    "snapshot_memories": "write",
    "export_memory_delta": "write",
    "retrieve": "retrieve",
    "answer": "answer",
}


class Tokens:
    """Books what a method uses to `write`, `retrieve` or `answer` of its cell."""

    layer = 20

    def __init__(self) -> None:
        self.cell_id = ""

    def attach(self, rig: Rig) -> None:
        self.cell_id = rig.cell_id


def _staged(method: str, stage: meter.Stage) -> Callable[[Tokens], Generator[None, Any, Any]]:
    def wrapper(self: Tokens) -> Generator[None, Any, Any]:
        with meter.stage(self.cell_id, stage):
            return (yield)

    wrapper.__name__ = method
    return hookimpl(wrapper=True)(wrapper)


for _method, _stage in _STAGES.items():
    setattr(Tokens, _method, _staged(_method, _stage))
