"""Judgements that failed, with what the model said, in `judge_failures.jsonl` of a run folder."""

from __future__ import annotations

import threading
from pathlib import Path

from memarena import codec
from memarena.records import JudgementRequest, Record
from memarena_models.asking import as_raw

FILE = "judge_failures.jsonl"


class JudgeFailure(Record, frozen=True, kw_only=True):
    """One judgement that failed."""

    judge: str
    problem: str
    request: JudgementRequest
    reply: str = ""
    """The raw reply of the second try; "" where no reply came."""


class FailureLog:
    """Appends failures to a file once it has a folder; safe for several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._path: Path | None = None

    def open(self, folder: Path) -> None:
        """From now on failures go into `folder`; no file is made before the first."""
        self._path = folder / FILE

    def add(self, judge: str, request: JudgementRequest, error: Exception) -> None:
        """Keep what went wrong; nothing where no folder was named. Raises StoreError where the disk is full."""
        if self._path is None:
            return
        problem = f"{type(error).__name__}: {error}"
        failure = JudgeFailure(judge=judge, problem=problem, request=request, reply=as_raw(error))
        with self._lock:
            writer = codec.LineWriter(self._path)
            try:
                writer.write(codec.encode(failure))
            finally:
                writer.close()
