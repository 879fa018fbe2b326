"""What a call costs more with the adapter in a process of its own: one turn of 200 characters, one item retrieved."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

from memarena.hosted import HostedAdapter
from memarena.records import Capabilities, MemoryItem, Retrieval, RetrievedItem, RunContext, Turn
from memarena.rig import Rig

CALLS, ROUNDS = 3000, 5
TARGET = 300.0
"""Microseconds."""
TURN = Turn(
    turn_id="S01:T000",
    session_id="S01",
    index=0,
    speaker="Alice",
    text="We moved the meeting to Friday at ten. ".ljust(200, "x"),
    time="2026-01-01 09:00",
)
ITEM = RetrievedItem(memory_id="S01:T000", text=TURN.text, score=1.0, session_id="S01", turn_ids=("S01:T000",))


class DoNothing:
    """Takes everything, keeps nothing, always finds one item."""

    def reset(self, context: RunContext) -> None:
        pass

    def ingest_turn(self, turn: Turn) -> None:
        pass

    def end_session(self, session_id: str) -> None:
        pass

    def snapshot_memories(self) -> tuple[MemoryItem, ...]:
        return ()

    def export_memory_delta(self, session_id: str) -> tuple[()]:
        return ()

    def retrieve(self, query: str, top_k: int) -> Retrieval:
        return Retrieval(query=query, items=(ITEM,))

    def get_capabilities(self) -> Capabilities:
        return Capabilities(delta=True)


def microseconds(call: Callable[[], object]) -> float:
    """Of one call: the best of several rounds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = perf_counter()
        for _ in range(CALLS):
            call()
        best = min(best, perf_counter() - start)
    return best / CALLS * 1e6


def main() -> None:
    start = perf_counter()
    hosted = HostedAdapter(
        "hosted", "bench_isolation:DoNothing", environment={"PYTHONPATH": str(Path(__file__).parent)}
    )
    started = perf_counter() - start
    rigs = {"in process": Rig("in process", DoNothing()), "hosted": Rig("hosted", hosted)}
    cost: dict[str, dict[str, float]] = {}
    for name, rig in rigs.items():
        with tempfile.TemporaryDirectory() as folder:
            rig.reset(RunContext(folder=folder, namespace=name))
            cost[name] = {
                "ingest_turn": microseconds(lambda rig=rig: rig.ingest_turn(TURN)),
                "retrieve": microseconds(lambda rig=rig: rig.retrieve("When is the meeting?", 10)),
            }
    hosted.close()
    for method, here in cost["in process"].items():
        there = cost["hosted"][method]
        print(
            f"{method:12} {there - here:6.1f} us more than in process (target {TARGET:.0f}): "
            f"{there:.1f} us, {there / here:.0f} times {here:.1f} us"
        )
    print(f"start        {started * 1000:6.0f} ms")


if __name__ == "__main__":
    main()
