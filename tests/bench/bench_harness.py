"""What memarena costs beside the same program in the same jail, started by hand: a session, and a checkpoint.

The model says one thing at once. By hand: bubblewrap with the program, the prompt on its standard input, in a network
of its own with the same door. Both ways are timed in turn, so that a busy machine slows both alike, and the median of
the ratios of neighbours counts. OpenClaw takes minutes, and is measured where it is asked for: MEMARENA_HARNESS=1.
"""

from __future__ import annotations

import contextlib
import ctypes
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from memarena.records import AskedQuestion, Endpoint, RunContext, Turn
from memarena.testing.loopback import Reply, Request, serving
from memarena_harness import launch, openclaw_config
from memarena_harness.adapter import HarnessMemory
from memarena_harness.codex import Codex, CodexOptions
from memarena_harness.failures import HarnessFailure
from memarena_harness.jail import PATH, PORT
from memarena_harness.openclaw import OpenClaw, OpenClawOptions
from memarena_harness.roots import Root

TARGET = 1.15
ANSWERS = '{"answers": [{"id": "Q1", "answer": "teal"}]}'
QUESTIONS = [AskedQuestion(question_id="C01:Q001", text="Which colour has the boat?")]
USAGE = {
    "input_tokens": 1,
    "input_tokens_details": {"cached_tokens": 0},
    "output_tokens": 1,
    "output_tokens_details": {"reasoning_tokens": 0},
    "total_tokens": 2,
}


def instant(request: Request) -> Reply:
    """A model that always says the same, at once."""
    events = said_in_chat() if request.path.endswith("completions") else said_in_responses()
    return Reply(events, kind="text/event-stream")


def said_in_chat() -> Iterator[bytes]:
    about = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 0, "model": "stub"}
    for delta, finish in (({"role": "assistant", "content": ANSWERS}, None), ({}, "stop")):
        chunk = {**about, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}
        yield f"data: {json.dumps(chunk)}\n\n".encode()
    yield b"data: [DONE]\n\n"


def said_in_responses() -> Iterator[bytes]:
    content = [{"type": "output_text", "text": ANSWERS, "annotations": []}]
    item = {"type": "message", "id": "msg_1", "role": "assistant", "content": content}
    response = {"id": "resp_1", "object": "response", "status": "completed", "output": [item], "usage": USAGE}
    events: Sequence[tuple[str, Mapping[str, Any]]] = (
        ("response.created", {"response": {**response, "output": []}}),
        ("response.output_item.done", {"output_index": 0, "item": item}),
        ("response.completed", {"response": response}),
    )
    for kind, data in events:
        yield f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode()


def context(folder: Path, port: int) -> RunContext:
    folder.mkdir()
    endpoint = Endpoint(base_url=f"http://127.0.0.1:{port}/v1", model="stub", api_key="none")
    return RunContext(folder=str(folder), namespace="bench", model=endpoint)


def session(adapter: HarnessMemory, number: int) -> None:
    adapter.ingest_turn(Turn(turn_id=f"T{number}", session_id=f"S{number}", index=0, text="The boat is teal."))
    adapter.end_session(f"S{number}")


class ByHand:
    """An agent as a person would start it, in a root that an adapter has made."""

    def __init__(self, adapter: HarnessMemory, folder: Path, port: int) -> None:
        self._root = Root.below(folder / "agent")
        self._port = port
        harness: Any = adapter._harness
        program, jail = harness._program, harness.jail()
        inside, tools = jail.seen(self._root), program.tools
        command = [*program.words(jail), "exec", "--json", "--skip-git-repo-check", "-C", str(inside.workspace), "-"]
        self._environment = {
            "PATH": PATH,
            "HOME": str(inside.home),
            "CODEX_HOME": str(inside.state),
            "TMPDIR": str(inside.home),
            "MODEL_API_KEY": "none",
        }
        if isinstance(adapter, OpenClaw):
            harness._configure(self._root, openclaw_config.DOOR, "")
            places = ["--config", str(harness._config(self._root)), "--state-dir", str(inside.state)]
            message = ["--cwd", str(inside.workspace), "--json", "--message-file", "-"]
            command = [*program.words(jail), "agent", "exec", *places, *message]
            self._environment, tools = harness._environment(self._root), harness._tools(self._root)
        self._fresh = isinstance(adapter, OpenClaw)
        self._words = jail.words(command, self._root, tools)

    def __call__(self) -> None:
        import socket

        if self._fresh:
            self._root.empty("state")
        control, theirs = socket.socketpair()
        settings = json.dumps({"limits": {}, "port": PORT})
        with theirs:
            running = subprocess.Popen(
                [sys.executable, "-I", "-S", launch.__file__, str(theirs.fileno()), settings, *self._words],
                stdin=subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=(theirs.fileno(),),
                env=self._environment,
                cwd=self._root.workspace,
            )
        _, handed, _, _ = socket.recv_fds(control, 1, 1)
        door = socket.socket(fileno=handed[0])
        threading.Thread(target=carry, args=(door, self._port), daemon=True).start()
        running.communicate(b"The boat is teal.", timeout=120)
        door.close()
        control.close()
        reap()
        if running.returncode:
            raise SystemExit(f"by hand it ended with {running.returncode}")


def carry(door: Any, port: int) -> None:
    """The simplest way from the door to the model: two threads a connection."""
    import socket

    def pour(source: socket.socket, target: socket.socket) -> None:
        try:
            while data := source.recv(1 << 16):
                target.sendall(data)
            target.shutdown(socket.SHUT_WR)
        except OSError:
            return

    while True:
        try:
            inside, _ = door.accept()
        except OSError:
            return
        outside = socket.create_connection(("127.0.0.1", port))
        for one, other in ((inside, outside), (outside, inside)):
            threading.Thread(target=pour, args=(one, other), daemon=True).start()


def adopt() -> None:
    """Take in what bubblewrap leaves behind, so that its processor time is counted."""
    set_child_subreaper = 36
    ctypes.CDLL(None).prctl(set_child_subreaper, 1, 0, 0, 0)


def reap() -> None:
    """Wait for what was taken in."""
    with contextlib.suppress(ChildProcessError):
        while True:
            os.waitpid(-1, 0)


class Cost(NamedTuple):
    """What one call cost."""

    seconds: float
    cpu: float
    """Seconds of the processor, of this process and all that it started."""


def cost(call: Callable[[], object]) -> Cost:
    start, used = perf_counter(), cpu()
    call()
    return Cost(perf_counter() - start, cpu() - used)


def cpu() -> float:
    own, below = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + below.ru_utime + below.ru_stime


def side_by_side(adapters: Sequence[HarnessMemory]) -> float:
    """Seconds of one session of each, at once."""
    threads = [threading.Thread(target=session, args=(adapter, 9000)) for adapter in adapters]
    start = perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return perf_counter() - start


def measure(name: str, adapters: Sequence[HarnessMemory], rounds: int, port: int) -> float:
    """Print what an agent costs; the greater of the ratios of a session and a checkpoint."""
    adapter, other = adapters
    hand, told, asked = [], [], []
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        adapter.reset(context(folder / "one", port))
        other.reset(context(folder / "two", port))
        by_hand = ByHand(adapter, folder / "one", port)
        for number in range(2 if rounds > 5 else 1):
            session(adapter, number)
            session(other, number)
            adapter.answer(QUESTIONS)
            by_hand()
        for number in range(10, 10 + rounds):
            hand.append(cost(by_hand))
            told.append(cost(lambda number=number: session(adapter, number)))  # type: ignore[misc]
            asked.append(cost(lambda: adapter.answer(QUESTIONS)))
        both = side_by_side(adapters)
        rows = (folder / "one" / "calls.jsonl").read_text(encoding="utf-8").splitlines()
        ended = [json.loads(row)["said"]["ended"] for row in rows]
    base, base_cpu = (statistics.median(part) for part in zip(*hand, strict=True))
    print(f"{name}: by hand {base * 1e3:.0f} ms, {base_cpu:.3f} s of the processor")
    ratios = []
    for what, found in (("session", told), ("checkpoint", asked)):
        ratios.append(statistics.median(one.seconds / each.seconds for one, each in zip(found, hand, strict=True)))
        seconds, used = (statistics.median(part) for part in zip(*found, strict=True))
        print(
            f"{name}: {what} {seconds * 1e3:.0f} ms, {ratios[-1]:.2f} times by hand; "
            f"{used:.3f} s of the processor, {used / base_cpu:.2f} times"
        )
    peak = max(row["peak_bytes"] for row in ended) / 2**20
    one = statistics.median(each.seconds for each in told)
    print(f"{name}: memory {peak:.0f} MiB in the greatest process of an agent")
    print(f"{name}: two cells side by side {both * 1e3:.0f} ms, {both / one:.2f} times one")
    return max(ratios)


def main() -> None:
    adopt()
    agents: dict[str, tuple[list[HarnessMemory], int]] = {
        "codex": ([Codex(CodexOptions(instructions="short", seconds=60.0)) for _ in range(2)], 15)
    }
    if os.environ.get("MEMARENA_HARNESS") == "1":
        agents["openclaw"] = ([OpenClaw(OpenClawOptions(start="exec", seconds=120.0)) for _ in range(2)], 3)
    worst = 0.0
    with serving(instant) as address:
        port = urlsplit(address).port or 0
        for name, (adapters, rounds) in agents.items():
            try:
                adapters[0].get_capabilities()
            except HarnessFailure as failure:
                print(f"{name}: left out: {failure}")
            else:
                worst = max(worst, measure(name, adapters, rounds, port))
    print(f"harness: overhead {worst:.2f} (target at most {TARGET})")
    if worst > TARGET:
        sys.exit(1)


if __name__ == "__main__":
    main()
