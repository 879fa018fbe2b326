"""What memarena costs beside the same program in the same jail, started by hand: a session, and a checkpoint.

The model says one thing at once. By hand: bubblewrap with the program, the prompt on its standard input, in a network
of its own with the same door. Both ways are timed in turn, so that a busy machine slows both alike.
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
from collections.abc import Callable, Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from memarena.records import AskedQuestion, Endpoint, RunContext, Turn
from memarena_harness import launch
from memarena_harness.codex import Codex, CodexOptions
from memarena_harness.failures import HarnessFailure
from memarena_harness.jail import PATH, PORT
from memarena_harness.roots import Root

ROUNDS = 15
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


class Instant(BaseHTTPRequestHandler):
    """A model that always says the same, at once."""

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["content-length"]))
        content = [{"type": "output_text", "text": ANSWERS, "annotations": []}]
        item = {"type": "message", "id": "msg_1", "role": "assistant", "content": content}
        response = {"id": "resp_1", "object": "response", "status": "completed", "output": [item], "usage": USAGE}
        events: Sequence[tuple[str, Mapping[str, Any]]] = (
            ("response.created", {"response": {**response, "output": []}}),
            ("response.output_item.done", {"output_index": 0, "item": item}),
            ("response.completed", {"response": response}),
        )
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for kind, data in events:
            self.wfile.write(f"event: {kind}\ndata: {json.dumps({'type': kind, **data})}\n\n".encode())

    def log_message(self, *words: object) -> None:
        """Say nothing."""


def context(folder: Path, port: int) -> RunContext:
    folder.mkdir()
    endpoint = Endpoint(base_url=f"http://127.0.0.1:{port}/v1", model="stub", api_key="none")
    return RunContext(folder=str(folder), namespace="bench", model=endpoint)


def session(adapter: Codex, number: int) -> None:
    adapter.ingest_turn(Turn(turn_id=f"T{number}", session_id=f"S{number}", index=0, text="The boat is teal."))
    adapter.end_session(f"S{number}")


class ByHand:
    """Codex as a person would start it, in a root that an adapter has made."""

    def __init__(self, adapter: Codex, folder: Path, port: int) -> None:
        self._root = Root.below(folder / "agent")
        self._port = port
        harness: Any = adapter._harness
        program, jail = harness._program, harness.jail()
        inside = jail.seen(self._root)
        command = [*program.words(jail), "exec", "--json", "--skip-git-repo-check", "-C", str(inside.workspace), "-"]
        self._words = jail.words(command, self._root, program.tools)
        self._environment = {
            "PATH": PATH,
            "HOME": str(inside.home),
            "CODEX_HOME": str(inside.state),
            "TMPDIR": str(inside.home),
            "MODEL_API_KEY": "none",
        }

    def __call__(self) -> None:
        import socket

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
        running.communicate(b"The boat is teal.", timeout=60)
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


def side_by_side(adapters: Sequence[Codex]) -> float:
    """Seconds of one session of each, at once."""
    threads = [threading.Thread(target=session, args=(adapter, 9000)) for adapter in adapters]
    start = perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return perf_counter() - start


def main() -> None:
    adopt()
    server = ThreadingHTTPServer(("127.0.0.1", 0), Instant)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    port = server.server_address[1]
    adapter, other = (Codex(CodexOptions(instructions="short", seconds=60.0)) for _ in range(2))
    try:
        adapter.get_capabilities()
    except HarnessFailure as failure:
        print(f"harness: left out: {failure}")
        return
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        adapter.reset(context(folder / "one", port))
        other.reset(context(folder / "two", port))
        by_hand = ByHand(adapter, folder / "one", port)
        for number in range(2):
            session(adapter, number)
            session(other, number)
            adapter.answer(QUESTIONS)
            by_hand()
        hand, told, asked = [], [], []
        for number in range(10, 10 + ROUNDS):
            hand.append(cost(by_hand))
            told.append(cost(lambda number=number: session(adapter, number)))  # type: ignore[misc]
            asked.append(cost(lambda: adapter.answer(QUESTIONS)))
        both = side_by_side((adapter, other))
        rows = (folder / "one" / "calls.jsonl").read_text(encoding="utf-8").splitlines()
        ended = [json.loads(row)["said"]["ended"] for row in rows]
    server.shutdown()
    base = min(one.seconds for one in hand)
    base_cpu = statistics.median(one.cpu for one in hand)
    print(f"harness: by hand {base * 1e3:.0f} ms, {base_cpu:.3f} s of the processor")
    ratios = []
    for name, found in (("session", told), ("checkpoint", asked)):
        best, used = min(one.seconds for one in found), statistics.median(one.cpu for one in found)
        pairs = statistics.median(one.seconds / other.seconds for one, other in zip(found, hand, strict=True))
        ratios.append(best / base)
        print(
            f"harness: {name} {best * 1e3:.0f} ms, {ratios[-1]:.2f} times by hand (median of pairs {pairs:.2f}); "
            f"{used:.3f} s of the processor, {used / base_cpu:.2f} times"
        )
    peak = max(row["peak_bytes"] for row in ended) / 2**20
    print(f"harness: memory {peak:.0f} MiB in the greatest process of an agent")
    print(f"harness: two cells side by side {both * 1e3:.0f} ms, {both / min(told).seconds:.2f} times one")
    worst = max(ratios)
    print(f"harness: overhead {worst:.2f} (target at most {TARGET})")
    if worst > TARGET:
        sys.exit(1)


if __name__ == "__main__":
    main()
