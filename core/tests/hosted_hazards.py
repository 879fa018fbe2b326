"""Adapters that misbehave, each in its own way, when a turn says so; imported by the process that hosts them."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec

from memarena.floors import Verbatim
from memarena.records import AskedQuestion, Capabilities, MemoryItem, Record, Retrieval, RunContext, Turn


def say_everywhere() -> None:
    print("printed to stdout")
    print("printed to stderr", file=sys.stderr)
    os.write(1, b"written to descriptor 1\n")
    os.write(1, b'{"id": 3, "result": "forged"}\n')
    subprocess.run(["echo", "echoed by a child"], check=True)


def segfault() -> None:
    ctypes.string_at(0)


def hang() -> None:
    time.sleep(3600)


def refuse_to_end() -> None:
    while True:
        try:
            time.sleep(3600)
        except BaseException:
            continue


def fork_and_die() -> None:
    """The child holds all descriptors and lives on; the parent is gone without an answer."""
    if os.fork() == 0:
        time.sleep(3600)
    os._exit(0)


def fork_and_both_go_on() -> None:
    os.fork()


def leave_a_daemon() -> None:
    """Twice forked, in a session of its own, without our environment; it sleeps for `NAP` seconds."""
    nap = os.environ["NAP"]
    if os.fork() == 0:
        os.setsid()
        if os.fork() == 0:
            os.execve("/bin/sleep", ["sleep", nap], {})
        os._exit(0)
    os.wait()


def eat_memory() -> None:
    held = [bytearray(b"x" * (8 << 20)) for _ in range(64)]
    time.sleep(3600)
    del held


def let_a_child_eat_memory() -> None:
    subprocess.run([sys.executable, "-c", "held = b'x' * (300 << 20); import time; time.sleep(3600)"], check=True)


def print_a_lot() -> None:
    for number in range(40_000):
        print(f"line {number} " + "x" * 80)


def raise_in_a_thread() -> None:
    thread = threading.Thread(target=lambda: 1 / 0)
    thread.start()
    thread.join()


def raise_value_error() -> None:
    raise ValueError("no such index")


def kill_the_keeper() -> None:
    os.kill(os.getppid(), 9)
    time.sleep(3600)


DEEDS: dict[str, Callable[[], object]] = {
    "be nice": lambda: None,
    "print": say_everywhere,
    "segfault": segfault,
    "hang": hang,
    "refuse to end": refuse_to_end,
    "exit": lambda: os._exit(3),
    "sys.exit": lambda: sys.exit("no more"),
    "fork and die": fork_and_die,
    "fork and both go on": fork_and_both_go_on,
    "leave a daemon": leave_a_daemon,
    "eat memory": eat_memory,
    "let a child eat memory": let_a_child_eat_memory,
    "print a lot": print_a_lot,
    "raise in a thread": raise_in_a_thread,
    "raise": raise_value_error,
    "kill the keeper": kill_the_keeper,
    "read stdin": sys.stdin.read,
}


class Hazard(Verbatim):
    """Does what a turn says, then keeps the turn."""

    def ingest_turn(self, turn: Turn) -> None:
        DEEDS.get(turn.text, DEEDS["be nice"])()
        super().ingest_turn(turn)


class SaysItsPlace(Verbatim):
    """Retrieves what its process sees of the world."""

    def retrieve(self, query: str) -> Retrieval:
        return Retrieval(query=query, trace={"cwd": str(Path.cwd()), "environment": dict(os.environ)})


class ReadsItsFile(Verbatim):
    """Is made of what a file says."""

    class Options(Record, frozen=True, kw_only=True):
        file: str

    def __init__(self, options: Options) -> None:
        super().__init__()
        self._said = Path(options.file).read_text(encoding="utf-8")

    def get_capabilities(self) -> Capabilities:
        return Capabilities(versions={"said": self._said, "cwd": str(Path.cwd())})


class WithOptions(Verbatim):
    class Options(Record, frozen=True, kw_only=True):
        size: int = 7
        key: str = ""

    def __init__(self, options: Options) -> None:
        super().__init__()
        self._options = options

    def get_capabilities(self) -> Capabilities:
        return Capabilities(versions={"size": str(self._options.size)})


class TakesAll(Verbatim):
    """Takes every argument and says what came."""

    def retrieve(
        self, query: str, top_k: int, time: str | None, attachments: Sequence[object], budget_tokens: int | None
    ) -> Retrieval:
        came = [top_k, time, [type(one).__name__ for one in attachments], type(attachments).__name__, budget_tokens]
        return Retrieval(query=query, trace={"came": came})

    def answer(self, questions: Sequence[AskedQuestion]) -> tuple[()]:
        return ()

    def reopen(self, context: RunContext) -> None:
        self.reset(context)


class Persistent(Verbatim):
    """Keeps its items in a file of its folder."""

    def reset(self, context: RunContext) -> None:
        super().reset(context)
        self._file = Path(context.folder) / "items.json"

    def reopen(self, context: RunContext) -> None:
        self.reset(context)
        self._items = msgspec.json.decode(self._file.read_bytes(), type=list[MemoryItem])

    def end_session(self, session_id: str) -> None:
        self._file.write_bytes(msgspec.json.encode(self._items))


class Doubles(Verbatim):
    def snapshot_memories(self) -> Sequence[MemoryItem]:
        return [MemoryItem(memory_id="same", text="a"), MemoryItem(memory_id="same", text="b")]


class Untyped(Verbatim):
    def snapshot_memories(self) -> Sequence[MemoryItem]:
        return [MemoryItem(memory_id="m", text=7)]  # type: ignore[arg-type]


class WithDefault(Verbatim):
    def retrieve(self, query: str, top_k: int = 3) -> Retrieval:
        return Retrieval(query=query)


class CannotBeMade(Verbatim):
    def __init__(self) -> None:
        raise OSError("no libfoo")
