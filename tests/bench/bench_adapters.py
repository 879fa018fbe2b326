"""What an adapter costs a turn and a question, beside the same work by hand.

The same work: the requests that the adapter made, sent again by the plainest client there is to the same stub of a
model, and what is done with the replies in bare numpy and bm25s. Measured is processor time of this process, the best
of several passes; the stub has a process of its own and takes no time. What that comes to where a call takes 5 ms, as
long as fast models for embeddings do, is computed from it.
`python bench_adapters.py [SYSTEM...]`
"""

from __future__ import annotations

import sys
import tempfile
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from importlib.util import find_spec
from time import process_time
from typing import Any, NamedTuple

import msgspec
from by_hand import Hands
from stub_models import Client, serving

from memarena.catalog import load, make
from memarena.connections import Connections
from memarena.records import Endpoint, RunContext, Turn

SESSIONS, TURNS, QUESTIONS, PASSES = 20, 20, 100, 5
TARGET = 1.1
MODEL = 5e-3
"""Seconds of a call of a real model, a fast one."""
PACKAGES = {
    "bm25": "memarena_rag",
    "dense": "memarena_rag",
    "hybrid": "memarena_rag",
    "universalrag": "memarena_universalrag",
    "amem": "memarena_amem",
    "mgmemory": "memarena_memgpt",
    "memgpt": "memarena_memgpt",
}
OPTIONS: Mapping[str, Mapping[str, Any]] = {"universalrag": {"router": "model"}}

Requests = Mapping[str, list[tuple[str, Mapping[str, Any]]]]
"""By step (`turn 3`, `end S1`, `question 7`), in order: path and body."""


class Seconds(NamedTuple):
    """Of one pass, of the processor."""

    turn: float
    """A turn, with its share of the ends of sessions."""
    question: float


def dialogue() -> Iterator[tuple[str, list[Turn]]]:
    """Sessions of short turns, user and assistant in turn."""
    for session in range(SESSIONS):
        name = f"S{session}"
        yield name, [dialogue_turn(name, index, session * TURNS + index) for index in range(TURNS)]


def dialogue_turn(session: str, index: int, number: int) -> Turn:
    """Turn `number` of the dialogue, at a place of a session."""
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


QUERIES = [f"Who moved the budget of project {number * 3}, and how large is it?" for number in range(QUESTIONS)]


def passed(adapter: Any, step: Callable[[str], object] = lambda name: None) -> Seconds:
    """Play the dialogue and ask the questions; `step` is told what begins."""
    begun = process_time()
    for session, turns in dialogue():
        for turn in turns:
            step(f"turn {turn.turn_id}")
            adapter.ingest_turn(turn=turn)
        step(f"end {session}")
        adapter.end_session(session_id=session)
    kept = process_time()
    for query in QUERIES:
        step(f"question {query}")
        adapter.ask(query)
    return Seconds((kept - begun) / (SESSIONS * TURNS), (process_time() - kept) / QUESTIONS)


class Asked:
    """An adapter that is asked by its name for what it takes."""

    def __init__(self, name: str, port: int, folder: str) -> None:
        self._adapter = make(load("adapters", name), OPTIONS.get(name, {}))
        endpoint = Endpoint(base_url=f"http://127.0.0.1:{port}/v1", model="stub", api_key="key")
        self._adapter.reset(RunContext(folder=folder, namespace="n", model=endpoint, embedding=endpoint))
        self._more = {"attachments": ()} if name == "universalrag" else {}

    def ingest_turn(self, turn: Turn) -> None:
        self._adapter.ingest_turn(turn=turn)

    def end_session(self, session_id: str) -> None:
        self._adapter.end_session(session_id=session_id)

    def ask(self, query: str) -> object:
        return self._adapter.retrieve(query=query, top_k=10, **self._more)


@contextmanager
def recording(adapter: Any) -> Iterator[Requests]:
    """The requests of one pass of `adapter`, by step."""
    found: dict[str, list[tuple[str, Mapping[str, Any]]]] = defaultdict(list)
    now = [""]
    real = Connections.post

    def post(self: Connections, endpoint: Endpoint, path: str, body: bytes) -> tuple[int, bytes]:
        found[now[0]].append((f"/v1/{path}", msgspec.json.decode(body)))
        return real(self, endpoint, path, body)

    Connections.post = post  # type: ignore[method-assign]
    try:
        passed(adapter, lambda name: now.__setitem__(0, name))
        yield found
    finally:
        Connections.post = real  # type: ignore[method-assign]


def compare(name: str, port: int, folder: str) -> None:
    """Print the figures of one system."""
    with recording(Asked(name, port, folder)) as requests:
        pass
    mine, theirs = [], []
    for _ in range(PASSES):
        mine.append(passed(Asked(name, port, folder)))
        theirs.append(passed(Hands[name](Client(port), requests)))
    steps = {"turn": SESSIONS * TURNS, "question": QUESTIONS}
    asked = sum(len(sent) for step, sent in requests.items() if step.startswith("question"))
    calls = {"question": asked, "turn": sum(map(len, requests.values())) - asked}
    for kind in Seconds._fields:
        ours, bare = (min(getattr(one, kind) for one in side) for side in (mine, theirs))
        model = calls[kind] / steps[kind] * MODEL
        real = f"; {(ours + model) / (bare + model):.3f} times with the model's {model * 1e3:.1f} ms" if model else ""
        print(
            f"{name:12} {kind:8} {ours * 1e6:6.0f} us, by hand {bare * 1e6:6.0f} us: {ours / bare:.2f} times{real} "
            f"(target {TARGET})"
        )


def main() -> None:
    names = sys.argv[1:] or [name for name, package in PACKAGES.items() if find_spec(package) is not None]
    with serving() as port, tempfile.TemporaryDirectory() as folder:
        for name in names:
            compare(name, port, folder)


if __name__ == "__main__":
    main()
