"""The arms that every run has beside the memory systems under test: nothing, a window, all that was heard."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from hashlib import sha256
from importlib.metadata import version
from typing import Any

from memarena.catalog import Entry
from memarena.floors import Nothing
from memarena.meter import estimate_tokens
from memarena.mounting import PlannedAdapter
from memarena.records import Capabilities, MemoryChange, MemoryItem, Retrieval, RunContext, Turn

__all__ = ["BASELINE", "CONTROLS", "LongContext", "Lossy", "NULL", "Window", "baseline_row", "control"]

BASELINE = "baseline"
"""Label of the row in which no memory is at work: cold, with support, with the gold lesson, with the false one."""
NULL = "null"


class LongContext:
    """All turns of the plan, in order; no budget cuts them."""

    def reset(self, context: RunContext) -> None:
        self._turns: list[Turn] = []

    def ingest_turn(self, turn: Turn) -> None:
        self._turns.append(turn)

    def end_session(self, session_id: str) -> None:
        pass

    def snapshot_memories(self) -> Sequence[MemoryItem]:
        return tuple(_item(turn) for turn in self._turns)

    def export_memory_delta(self, session_id: str) -> Sequence[MemoryChange]:
        return tuple(_item(turn).added() for turn in self._turns if turn.session_id == session_id)

    def retrieve(self, query: str) -> Retrieval:
        return Retrieval.of(query, map(_item, self._turns))

    def get_capabilities(self) -> Capabilities:
        return Capabilities(ranked=False, delta=True, verbatim=True)


class Window(LongContext):
    """The newest turns that fit the budget, in order: whether recency is enough."""

    def retrieve(self, query: str, budget_tokens: int | None) -> Retrieval:  # type: ignore[override]
        items = [_item(turn) for turn in self._turns]
        first = len(items)
        left = budget_tokens if budget_tokens is not None else 0
        while first and (left := left - estimate_tokens(items[first - 1].text)) >= 0:
            first -= 1
        return Retrieval.of(query, items[first:], trace={"dropped_turns": first})


class Lossy(LongContext):
    """Drops every second session; what was said first decides whether the first is one: between nothing and all."""

    def reset(self, context: RunContext) -> None:
        super().reset(context)
        self._sessions: list[str] = []
        self._offset = 0

    def ingest_turn(self, turn: Turn) -> None:
        if not self._sessions:
            self._offset = sha256(turn.text.encode("utf-8", "replace")).digest()[0] % 2
        if turn.session_id not in self._sessions:
            self._sessions.append(turn.session_id)
        if (self._sessions.index(turn.session_id) + self._offset) % 2 == 0:
            super().ingest_turn(turn)


CONTROLS: Mapping[str, type[Any]] = {
    NULL: Nothing,
    "window": Window,
    "long-context": LongContext,
    "lossy": Lossy,
}
"""The control arms by label."""
UNBOUNDED = frozenset({"long-context", "lossy"})
"""Those whose block has no budget."""


def control(label: str) -> PlannedAdapter:
    """The control arm `label`, mounted in this process."""
    cls = CONTROLS[label]
    target = f"{cls.__module__}:{cls.__qualname__}"
    entry = Entry(f"control:{label}", target, "memarena-aha", version("memarena-aha"), "", "memarena.adapters")
    return PlannedAdapter(label, entry, {}, cls=cls, capabilities=cls().get_capabilities())


def baseline_row() -> dict[str, Any]:
    """How the header knows the row without a memory."""
    return {
        "label": BASELINE,
        "name": f"oracle:{BASELINE}",
        "distribution": "memarena-aha",
        "version": version("memarena-aha"),
        "options": {},
    }


def _item(turn: Turn) -> MemoryItem:
    text = f"{turn.role}: {turn.text}"
    return MemoryItem(memory_id=turn.turn_id, text=text, session_id=turn.session_id, turn_ids=(turn.turn_id,))
