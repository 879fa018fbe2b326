"""How these tests talk with an agent."""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from responses_server import Model

from memarena.records import AskedQuestion, Attachment, RunContext, Turn
from memarena_harness.codex import Codex, CodexOptions
from memarena_harness.failures import HarnessFailure
from memarena_harness.preflight import bubblewrap_problem
from memarena_harness.programs import Codex as CodexProgram
from memarena_harness.programs import bubblewraps

PATIENT = 300.0
"""Seconds that a busy machine may take for what it does at once when it is idle."""


@functools.cache
def codex_problem() -> str:
    """Why Codex cannot be run here; ""."""
    try:
        CodexProgram().find()
    except HarnessFailure as failure:
        return failure.problem
    return ""


@functools.cache
def jail_problem() -> str:
    """Why no bubblewrap can run here; ""."""
    problems = [bubblewrap_problem(one) for one in bubblewraps()] or ["bubblewrap (bwrap) is not installed"]
    return "" if "" in problems else "; ".join(problems)


needs_codex = pytest.mark.skipif(bool(codex_problem() or jail_problem()), reason=codex_problem() or jail_problem())
needs_jail = pytest.mark.skipif(bool(jail_problem()), reason=jail_problem())


def codex(**options: Any) -> Codex:
    """Codex with short instructions: 5,000 tokens less to carry."""
    return Codex(CodexOptions(**{"instructions": "short", "seconds": PATIENT, **options}))


def context(folder: Path, model: Model, **more: Any) -> RunContext:
    """A context in a fresh folder."""
    folder.mkdir(parents=True, exist_ok=True)
    return RunContext(folder=str(folder), namespace="test", model=model.endpoint, **more)


def hear(adapter: Any, session_id: str, *texts: str, pictures: Sequence[Path | None] = ()) -> None:
    """Tell a session; the pictures go with its first turn."""
    for place, text in enumerate(texts):
        attachments = tuple(
            Attachment(image_id=f"img_{number}", path=None if path is None else str(path))
            for number, path in enumerate(pictures if place == 0 else (), 1)
        )
        adapter.ingest_turn(
            Turn(
                turn_id=f"{session_id}:T{place:03d}",
                session_id=session_id,
                index=place,
                role=("user", "assistant")[place % 2],
                text=text,
                body=text,
                time=f"2026-01-05 09:{place:02d}",
                attachments=attachments,
            )
        )
    adapter.end_session(session_id)


def ask(adapter: Any, *texts: str) -> list[str]:
    """The answers to questions; a question without one shows its reason."""
    questions = [AskedQuestion(question_id=f"C:{place}", text=text) for place, text in enumerate(texts)]
    given = {answer.question_id: answer for answer in adapter.answer(questions)}
    return [given[asked.question_id].text or given[asked.question_id].error for asked in questions]


@contextlib.contextmanager
def held_port() -> Iterator[int]:
    """A port of the loopback where nobody listens, and that nobody else is given meanwhile; it can be listened on."""
    with socket.socket() as holder:
        holder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        holder.bind(("127.0.0.1", 0))
        port: int = holder.getsockname()[1]
        yield port


def processes_with(word: str) -> list[str]:
    """The command lines of all processes that name `word`, our own excepted."""
    places = [folder for folder in Path("/proc").iterdir() if folder.name.isdigit() and int(folder.name) != os.getpid()]
    return [line.replace("\0", " ") for line in map(words_of, places) if word in line]


def words_of(process: Path) -> str:
    """The command line of a process, its words with NUL between them; "" where it is gone."""
    try:
        return (process / "cmdline").read_bytes().decode("utf-8", "replace")
    except OSError:
        return ""


def text_of(body: Any) -> str:
    """The last message of the user in a request, and what tools gave back."""
    parts = []
    for item in body.get("input") or body.get("messages"):
        content = item.get("content") or item.get("output") or ""
        parts.append(content if isinstance(content, str) else "\n".join(part.get("text", "") for part in content))
    return "\n".join(parts)


def killing_jails(folder: Path, *, once: Callable[[], bool]) -> threading.Thread:
    """A thread that waits for `once`, then kills every jail that holds `folder`."""
    jail = next(one for one in bubblewraps() if not bubblewrap_problem(one))
    until = time.monotonic() + PATIENT

    def kill() -> None:
        while not once() and time.monotonic() < until:
            time.sleep(0.02)
        for process in Path("/proc").iterdir():
            words = words_of(process) if process.name.isdigit() else ""
            if str(folder) in words and words.startswith(jail):
                with contextlib.suppress(ProcessLookupError):  # the inner of its two processes ends with the outer one
                    os.kill(int(process.name), signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    return killer
