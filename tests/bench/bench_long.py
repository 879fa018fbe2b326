"""10,000 turns, a turn of 1 MB and a picture of 20 MB: whether adapters survive them, and what they cost by then.

The model is a stub in a process of its own. `python bench_long.py [SYSTEM...]`; MEMARENA_BENCH_TURNS sets the turns.
"""

from __future__ import annotations

import os
import resource
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from bench_adapters import OPTIONS, PACKAGES, dialogue_turn
from stub_models import serving

from memarena.catalog import load, make
from memarena.records import Attachment, Endpoint, RunContext, Turn

TURNS = int(os.environ.get("MEMARENA_BENCH_TURNS", "10000"))
SYSTEMS = {**PACKAGES, "graph": "memarena_graph", "qwen3-vl": "memarena_qwen3vl"}
PICTURED = ("universalrag", "qwen3-vl")
"""Those whose questions may have pictures."""
SESSION = 100
LONG = 1_000_000
PICTURE = 20_000_000


class Played:
    """An adapter with processor seconds by what was called."""

    def __init__(self, name: str, port: int, folder: Path) -> None:
        self._adapter = make(load("adapters", name), OPTIONS.get(name, {}))
        endpoint = Endpoint(base_url=f"http://127.0.0.1:{port}/v1", model="stub", api_key="key")
        self._adapter.reset(RunContext(folder=str(folder), namespace="n", model=endpoint, embedding=endpoint))
        self._more: dict[str, Any] = {"attachments": ()} if name in PICTURED else {}
        self.kept = 0

    def session(self, turns: list[Turn]) -> tuple[float, float]:
        """Seconds of writing a session, and of reading the state after it."""
        begun = process_time()
        for turn in turns:
            self._adapter.ingest_turn(turn=turn)
        self._adapter.end_session(session_id=turns[0].session_id)
        written = process_time()
        self.kept = len(self._adapter.snapshot_memories())
        self._adapter.export_memory_delta(session_id=turns[0].session_id)
        return written - begun, process_time() - written

    def ask(self, query: str) -> float:
        """Seconds of a question."""
        begun = process_time()
        self._adapter.retrieve(query=query, top_k=10, **self._more)
        return process_time() - begun


def special(folder: Path, name: str, **what: Any) -> list[Turn]:
    """A session of one turn."""
    given = {"role": "user", "time": "2026-06-01 09:00", "text": "", "body": "", **what}
    return [Turn(turn_id=f"{name}:T0", session_id=name, index=0, **given)]


def play(name: str, port: int, folder: Path) -> None:
    """Print the figures of one system."""
    played = Played(name, port, folder)
    begun = perf_counter()
    writes, reads = [], []
    for first in range(0, TURNS, SESSION):
        turns = [dialogue_turn(f"S{first}", number - first, number) for number in range(first, first + SESSION)]
        write, read = played.session(turns)
        writes.append(write / SESSION * 1e3)
        reads.append(read * 1e3)
    tenth = max(len(writes) // 10, 1)
    early, late = (sum(part) / len(part) for part in (writes[:tenth], writes[-tenth:]))
    played.ask("Who moved the budget of project 2?")
    asked = min(played.ask(f"Who moved the budget of project {number}, and how large is it?") for number in range(5))
    text = "We talked about the budget of the desk. " * (LONG // 40)
    long, _ = played.session(special(folder, "long", text=text, body=text))
    picture = folder / "picture.png"
    picture.write_bytes(os.urandom(PICTURE))
    shown = Attachment(image_id="p1", path=str(picture), caption="A desk in room 14.")
    big, _ = played.session(special(folder, "picture", text="See this.", body="See this.", attachments=(shown,)))
    again = played.ask("Which desk stands in room 14?")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    print(
        f"{name:12} {TURNS:,} turns in {perf_counter() - begun:.0f} s, {played.kept:,} items: a turn {early:.2f} ms at "
        f"first, {late:.2f} ms at last; state of a session {reads[-1]:.1f} ms, question {asked * 1e3:.1f} ms\n"
        f"{'':12} turn of 1 MB {long * 1e3:.0f} ms, picture of 20 MB {big * 1e3:.1f} ms, question then "
        f"{again * 1e3:.1f} ms; peak so far {peak} MB",
        flush=True,
    )


def main() -> None:
    names = sys.argv[1:] or [name for name, package in SYSTEMS.items() if find_spec(package) is not None]
    with serving() as port:
        for name in names:
            with tempfile.TemporaryDirectory() as folder:
                play(name, port, Path(folder))


if __name__ == "__main__":
    main()
