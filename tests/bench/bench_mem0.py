"""What `mem0` and `mem0-classic` cost a turn and a question, beside the library called by hand.

The same work: the same rounds and questions, the same configuration of `Memory`, the same stub of a model in a process
of its own. Measured is processor time of this process, the best of several passes that take turns. Beside it, and
outside of what is compared, stands what the adapter takes to show all memories after a session.
`python bench_mem0.py [--passes 5] [--sessions 10]`, in an environment of either adapter; the version that is there is
measured.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module, metadata
from pathlib import Path
from time import process_time
from typing import Any, NamedTuple

from mem0_stub import DIMENSIONS, serving

from memarena.catalog import load, make
from memarena.records import Endpoint, RunContext, Turn

TURNS, QUESTIONS, REPEATS, TOP = 20, 50, 4, 10
TARGET = 1.1
NAMES = {"1": "mem0-classic", "2": "mem0"}
QUERIES = [f"Who moved the budget of project {number * 3}, and how large is it?" for number in range(QUESTIONS)]


class Seconds(NamedTuple):
    """Of one pass, of the processor."""

    turn: float
    """A turn, with its share of the ends of sessions."""
    question: float
    shown: float
    """All memories and what changed, once after each session; 0 by hand."""


def dialogue(sessions: int) -> Iterator[tuple[str, list[Turn]]]:
    """Sessions of short turns, user and assistant in turn."""
    for session in range(sessions):
        yield f"S{session}", [_turn(f"S{session}", index, session * TURNS + index) for index in range(TURNS)]


def _turn(session: str, index: int, number: int) -> Turn:
    text = f"The budget of project {number} is {number * 37} euros, and {('Ana', 'Ben', 'Eve')[number % 3]} moved it."
    return Turn(
        turn_id=f"{session}:T{index}",
        session_id=session,
        index=index,
        role=("user", "assistant")[index % 2],
        text=text,
        body=text,
        time=f"2026-01-{number % 28 + 1:02} 09:00",
    )


def by_adapter(name: str, url: str, folder: str, sessions: int) -> Seconds:
    """One pass of the adapter."""
    adapter = make(load("memarena.adapters", name), {"dimensions": DIMENSIONS})
    endpoint = Endpoint(base_url=url, model="stub", api_key="key")
    adapter.reset(RunContext(folder=folder, namespace="n", model=endpoint, embedding=endpoint))
    kept = shown = 0.0
    for session, turns in dialogue(sessions):
        begun = process_time()
        for turn in turns:
            adapter.ingest_turn(turn=turn)
        adapter.end_session(session_id=session)
        ended = process_time()
        items = adapter.snapshot_memories()
        adapter.export_memory_delta(session_id=session)
        kept, shown = kept + ended - begun, shown + process_time() - ended
    asked = fastest(lambda query: adapter.retrieve(query=query, top_k=TOP))
    adapter.close()
    assert len(items) == sessions * TURNS // 2
    return Seconds(kept / (sessions * TURNS), asked / QUESTIONS, shown / sessions)


def by_hand(name: str, url: str, folder: str, sessions: int) -> Seconds:
    """One pass of `Memory.add` and `Memory.search`."""
    memory = import_module("mem0").Memory.from_config(configuration(url, folder))
    kept = 0.0
    for _, turns in dialogue(sessions):
        begun = process_time()
        for first, second in zip(turns[::2], turns[1::2], strict=True):
            messages = [{"role": turn.role, "content": turn.text} for turn in (first, second)]
            memory.add(messages, user_id="user", metadata={"session_id": first.session_id})
        kept += process_time() - begun
    if name == "mem0":
        where: dict[str, Any] = {"filters": {"user_id": "user"}, "top_k": TOP, "threshold": 0.0}
    else:
        where = {"user_id": "user", "limit": TOP}
    asked = fastest(lambda query: memory.search(query, **where))
    for each in (memory.vector_store.client, memory.llm.client, memory.embedding_model.client, memory):
        each.close()
    return Seconds(kept / (sessions * TURNS), asked / QUESTIONS, 0.0)


def fastest(ask: Callable[[str], object]) -> float:
    """Seconds of the processor for all questions, the best of several times."""
    found = []
    for _ in range(REPEATS):
        begun = process_time()
        for query in QUERIES:
            ask(query)
        found.append(process_time() - begun)
    return min(found)


def configuration(url: str, folder: str) -> dict[str, Any]:
    """What `Memory.from_config` takes."""
    store = {"path": f"{folder}/qdrant", "on_disk": True, "embedding_model_dims": DIMENSIONS}
    return {
        "llm": {"provider": "vllm", "config": {"model": "stub", "api_key": "key", "vllm_base_url": url}},
        "embedder": {"provider": "openai", "config": {"model": "stub", "api_key": "key", "openai_base_url": url}},
        "vector_store": {"provider": "qdrant", "config": store},
        "history_db_path": f"{folder}/history.db",
    }


def main() -> None:
    """Measure, print."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--passes", type=int, default=5)
    arguments.add_argument("--sessions", type=int, default=10)
    asked = arguments.parse_args()
    try:
        version = metadata.version("mem0ai")
    except metadata.PackageNotFoundError:
        print("mem0ai is not installed here: nothing is measured")
        return
    name = NAMES[version.partition(".")[0]]
    mine: list[Seconds] = []
    theirs: list[Seconds] = []
    with serving() as url, tempfile.TemporaryDirectory() as place:
        for number in range(asked.passes):
            for measure, found in ((by_adapter, mine), (by_hand, theirs)):
                folder = Path(place, f"{measure.__name__}-{number}")
                folder.mkdir()
                found.append(measure(name, url, str(folder), asked.sessions))
    for kind in ("turn", "question"):
        ours, bare = (min(getattr(one, kind) for one in side) for side in (mine, theirs))
        print(
            f"{name} {version} {kind:8} {ours * 1e3:7.2f} ms, by hand {bare * 1e3:7.2f} ms: {ours / bare:5.2f} times "
            f"(target {TARGET})"
        )
    print(f"{name} {version} shown    {min(one.shown for one in mine) * 1e3:7.2f} ms a session, beside that")


if __name__ == "__main__":
    main()
