"""Whether `mem0` and `mem0-classic` survive 10,000 turns, some of them very long: prints time and memory on the way.

    python tests/bench/endure_mem0.py [--turns 10000] [--long 50] [--characters 1000000]

Run it in an environment of either adapter. `--long` turns have so many characters, and are handed over in pieces. All
memories are shown after each session of 100 turns, as a run does. At the end each is there, and ten questions are
asked. The model is a stub in a process of its own.
"""

from __future__ import annotations

import argparse
import tempfile
from importlib import metadata
from time import monotonic

from mem0_stub import DIMENSIONS, serving

from memarena.catalog import load, make
from memarena.processes import used_here
from memarena.records import Endpoint, RunContext, Turn

SESSION = 100
NAMES = {"1": "mem0-classic", "2": "mem0"}
STEPS = 10
"""Times that figures are printed."""


def turn(number: int, characters: int) -> Turn:
    """A short turn, or one of so many characters."""
    text = f"The budget of project {number} is {number * 37} euros."
    whole = text + f" Nothing is said of project {number} here." * (characters // 40)
    session = f"S{number // SESSION}"
    role = ("user", "assistant")[number % 2]
    return Turn(turn_id=f"T{number}", session_id=session, index=number % SESSION, role=role, text=whole, body=whole)


def main() -> None:
    """Play, print, and check that nothing is lost."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--turns", type=int, default=10_000)
    arguments.add_argument("--long", type=int, default=50)
    arguments.add_argument("--characters", type=int, default=1_000_000)
    asked = arguments.parse_args()
    version = metadata.version("mem0ai")
    name = NAMES[version.partition(".")[0]]
    adapter = make(load("memarena.adapters", name), {"dimensions": DIMENSIONS})
    with serving() as url, tempfile.TemporaryDirectory() as folder:
        endpoint = Endpoint(base_url=url, model="stub", api_key="key")
        adapter.reset(RunContext(folder=folder, namespace="n", model=endpoint, embedding=endpoint))
        begun = monotonic()
        every = asked.turns // asked.long if asked.long else asked.turns + 1
        for number in range(asked.turns):
            adapter.ingest_turn(turn=turn(number, asked.characters if number % every == every - 1 else 0))
            if number % SESSION == SESSION - 1:
                adapter.end_session(session_id=f"S{number // SESSION}")
                kept = len(adapter.snapshot_memories())
            if (number + 1) % (asked.turns // STEPS) == 0:
                used = used_here()
                print(
                    f"{name} {version}: {number + 1:6} turns, {kept:6} memories, {monotonic() - begun:6.0f} s "
                    f"({used.cpu_seconds:.0f} s of the processor), peak memory {used.peak_bytes >> 20} MiB",
                    flush=True,
                )
        trace = adapter.retrieve(query="How large is the budget of project 77?", top_k=10).trace["ingest"]
        begun = monotonic()
        for number in range(10):
            found = adapter.retrieve(query=f"How large is the budget of project {number * 77}?", top_k=10).items
            assert len(found) == 10
        print(f"{name} {version}: {(monotonic() - begun) * 100:.0f} ms a question; {dict(trace)}")
        assert trace["failures"] == 0
        assert kept >= asked.turns // 2
        adapter.close()


if __name__ == "__main__":
    main()
