"""What `mem0` and `mem0-classic` cost a turn and a question, beside the library called by hand.

The same work: the same rounds and questions, the same configuration of `Memory`, the same stub of a model in a process
of its own. Both sides take turns, session by session and question by question. Measured is processor time of this
process, for each session and question the best of several times. Beside it, and outside of what is compared, stands
what the adapter takes to show all memories after a session.
`python bench_mem0.py [--passes 5] [--sessions 10]`, in an environment of either adapter; the version that is there is
measured.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module, metadata
from time import process_time
from typing import Any

from mem0_stub import DIMENSIONS, serving

from memarena.catalog import load, make
from memarena.records import Endpoint, RunContext, Turn

TURNS, QUESTIONS, REPEATS, TOP = 20, 50, 4, 10
TARGET = 1.1
NAMES = {"1": "mem0-classic", "2": "mem0"}
QUERIES = [f"Who moved the budget of project {number * 3}, and how large is it?" for number in range(QUESTIONS)]


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


class Adapter:
    """The adapter of this version."""

    def __init__(self, name: str, url: str, folder: str) -> None:
        self._adapter = make(load("memarena.adapters", name), {"dimensions": DIMENSIONS})
        endpoint = Endpoint(base_url=url, model="stub", api_key="key")
        self._adapter.reset(RunContext(folder=folder, namespace="n", model=endpoint, embedding=endpoint))

    def hear(self, session: str, turns: Sequence[Turn]) -> None:
        for turn in turns:
            self._adapter.ingest_turn(turn=turn)
        self._adapter.end_session(session_id=session)

    def show(self, session: str) -> int:
        """All memories and what changed; how many there are."""
        items = self._adapter.snapshot_memories()
        self._adapter.export_memory_delta(session_id=session)
        return len(items)

    def ask(self, query: str) -> object:
        return self._adapter.retrieve(query=query, top_k=TOP)

    def close(self) -> None:
        self._adapter.close()


class ByHand:
    """`Memory.add` and `Memory.search`."""

    def __init__(self, name: str, url: str, folder: str) -> None:
        self._memory = import_module("mem0").Memory.from_config(configuration(url, folder))
        if name == "mem0":
            self._where: dict[str, Any] = {"filters": {"user_id": "user"}, "top_k": TOP, "threshold": 0.0}
        else:
            self._where = {"user_id": "user", "limit": TOP}

    def hear(self, session: str, turns: Sequence[Turn]) -> None:
        for first, second in zip(turns[::2], turns[1::2], strict=True):
            messages = [{"role": turn.role, "content": turn.text} for turn in (first, second)]
            self._memory.add(messages, user_id="user", metadata={"session_id": session})

    def ask(self, query: str) -> object:
        return self._memory.search(query, **self._where)

    def close(self) -> None:
        for each in (self._memory.vector_store.client, self._memory.llm.client, self._memory.embedding_model.client):
            each.close()
        self._memory.close()


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
    best: dict[tuple[str, str], float] = {}

    def measure(side: str, what: str, work: Callable[[], object]) -> object:
        begun = process_time()
        found = work()
        seconds = process_time() - begun
        best[side, what] = min(best.get((side, what), seconds), seconds)
        return found

    with serving() as url, tempfile.TemporaryDirectory() as place:
        for number in range(asked.passes):
            mine, bare = Adapter(name, url, f"{place}/{number}-adapter"), ByHand(name, url, f"{place}/{number}-hand")
            for session, turns in dialogue(asked.sessions):
                measure("adapter", session, partial(mine.hear, session, turns))
                measure("hand", session, partial(bare.hear, session, turns))
                kept = measure("adapter", f"show {session}", partial(mine.show, session))
            for query in QUERIES * REPEATS:
                measure("adapter", query, partial(mine.ask, query))
                measure("hand", query, partial(bare.ask, query))
            assert kept == asked.sessions * TURNS // 2
            mine.close()
            bare.close()
    sessions = [session for session, _ in dialogue(asked.sessions)]
    for kind, parts, count in (("turn", sessions, len(sessions) * TURNS), ("question", QUERIES, QUESTIONS)):
        ours, theirs = (sum(best[side, part] for part in parts) / count for side in ("adapter", "hand"))
        print(
            f"{name} {version} {kind:8} {ours * 1e3:7.2f} ms, by hand {theirs * 1e3:7.2f} ms: {ours / theirs:5.2f} "
            f"times (target {TARGET})"
        )
    shown = sum(best["adapter", f"show {session}"] for session in sessions) / len(sessions)
    print(f"{name} {version} shown    {shown * 1e3:7.2f} ms a session, beside that")


if __name__ == "__main__":
    main()
