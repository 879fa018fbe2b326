"""Labels by content: each distinct request is judged once, and kept in `judgements.sqlite`.

A judgement that failed is not kept: it is asked again when the run is scored again.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Executor, Future
from hashlib import blake2b
from pathlib import Path
from typing import Any

from memarena import codec, databases
from memarena.errors import MemarenaError, StoreError, first_line, is_ctrl_c
from memarena.protocols import Judge
from memarena.records import JudgementRequest, Label

BATCH = 64
"""Requests handed to a judge at once, where it does not say how many it wants (`requests_at_once`)."""


class Judgements:
    """The labels of one judge for one run folder; safe for several threads and processes."""

    def __init__(self, path: Path, judge: Judge, identity: Mapping[str, object], pool: Executor) -> None:
        self._judge = judge
        self._prefix = codec.encode(identity)
        self._pool = pool
        self._lock = threading.Lock()
        self._flying: dict[bytes, Future[Label | None]] = {}
        try:
            self._database = databases.connect(path)
            self._database.execute(
                "CREATE TABLE IF NOT EXISTS judgements (key BLOB PRIMARY KEY, label BLOB NOT NULL) WITHOUT ROWID"
            )
        except sqlite3.Error as error:
            raise StoreError(f"{path}: {error}; delete it to have everything judged again") from error
        self.judged = 0
        self.failed = 0
        self.problem = ""
        """Why the first judgement failed, where the judge gave no label at all or one that does not fit."""

    def key(self, request: JudgementRequest) -> bytes:
        """What a label is kept by: everything that the judge reads, and which judge it is."""
        return blake2b(self._prefix + codec.encode(request), digest_size=16).digest()

    def label(self, requests: Sequence[JudgementRequest]) -> list[Label | None]:
        """The label of each request, in order; equal requests, here or in another thread, are judged once."""
        keys = [self.key(request) for request in requests]
        known = self._read(dict.fromkeys(keys))
        mine: dict[bytes, JudgementRequest] = {}
        waiting: dict[bytes, Future[Label | None]] = {}
        with self._lock:
            for key, request in zip(keys, requests, strict=True):
                if key in known or key in mine or key in waiting:
                    continue
                if key in self._flying:
                    waiting[key] = self._flying[key]
                else:
                    mine[key] = request
                    self._flying[key] = Future()
        try:
            # Between the look and the claim, another thread may have judged it.
            known.update(self._read(mine))
            known.update(self._judge_all({key: request for key, request in mine.items() if key not in known}))
        finally:
            with self._lock:
                for key in mine:
                    self._flying.pop(key).set_result(known.get(key))
        known.update((key, future.result()) for key, future in waiting.items())
        return [known[key] for key in keys]

    def close(self) -> None:
        self._database.close()

    def _judge_all(self, wanted: Mapping[bytes, JudgementRequest]) -> dict[bytes, Label | None]:
        items = list(wanted.items())
        size: int = getattr(self._judge, "requests_at_once", BATCH)
        batches = [items[start : start + size] for start in range(0, len(items), size)]
        found: dict[bytes, Label | None] = {}
        for batch, labels in zip(batches, self._pool.map(self._judge_batch, batches), strict=True):
            fresh = {key: label for (key, _), label in zip(batch, labels, strict=True)}
            self._write({key: label for key, label in fresh.items() if label is not None})
            found.update(fresh)
        return found

    def _judge_batch(self, batch: Sequence[tuple[bytes, JudgementRequest]]) -> Sequence[Label | None]:
        requests = [request for _, request in batch]
        try:
            checked = self._checked(requests, list(self._judge.label(requests)))
        except MemarenaError:
            raise
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            if len(batch) > 1:
                # One bad request must not take the others of its batch with it.
                return [self._judge_batch([pair])[0] for pair in batch]
            checked = [None]
            self._tell(first_line(error))
        with self._lock:
            self.judged += len(checked)
            self.failed += checked.count(None)
        return checked

    def _checked(self, requests: Sequence[JudgementRequest], labels: Sequence[Any]) -> list[Label | None]:
        """The labels that fit what was asked; where their number is wrong, nobody knows which belongs to which."""
        if len(labels) != len(requests):
            self._tell(f"{len(labels)} labels came for {len(requests)} requests")
            return [None] * len(requests)
        checked = [_fitting(label, request) for label, request in zip(labels, requests, strict=True)]
        for label, request, kept in zip(labels, requests, checked, strict=True):
            if label is not None and kept is None:
                self._tell(f"a label does not fit its {request.task} request")
        return checked

    def _tell(self, problem: str) -> None:
        self.problem = self.problem or problem

    def _read(self, keys: Iterable[bytes]) -> dict[bytes, Label | None]:
        found: dict[bytes, Label | None] = {}
        with self._lock:
            for key in keys:
                row = self._database.execute("SELECT label FROM judgements WHERE key = ?", (key,)).fetchone()
                if row is not None:
                    found[key] = codec.decode(row[0], Label, "judgements.sqlite")
        return found

    def _write(self, labels: Mapping[bytes, Label]) -> None:
        rows = [(key, codec.encode(label)) for key, label in labels.items()]
        try:
            with self._lock:
                self._database.execute("BEGIN IMMEDIATE")
                self._database.executemany("INSERT OR REPLACE INTO judgements VALUES (?, ?)", rows)
                self._database.execute("COMMIT")
        except sqlite3.Error as error:
            raise StoreError(f"judgements.sqlite: {error}; free some space and go on with --resume") from error


NO_POINT = "-"
"""The verdict `support` on an item that supports no point."""

VERDICTS: Mapping[str, frozenset[str]] = {
    "recall": frozenset({"yes", "no"}),
    "coverage": frozenset({"yes", "no"}),
    "correctness": frozenset({"correct", "hallucination", "irrelevant"}),
    "update": frozenset({"updated", "both", "outdated", "missed"}),
    "interference": frozenset({"rejected", "memorized"}),
    "answer": frozenset({"Correct", "Hallucination", "Omission"}),
}
"""The words of each task that has fixed ones: all but `support`."""


def _fitting(label: Any, request: JudgementRequest) -> Label | None:
    if not isinstance(label, Label):
        return None
    try:
        kept = codec.as_read_back(label, Label)
    except ValueError:
        return None
    return kept if fits(kept, request) else None


def fits(label: Label, request: JudgementRequest) -> bool:
    """Whether `label` has one known verdict for each thing that was to be judged."""
    wanted = {"answer": 1, "correctness": len(request.items), "support": len(request.items)}
    if len(label.verdicts) != wanted.get(request.task, len(request.points)):
        return False
    if request.task == "support":
        return all(word is None or _are_places(word, len(request.points)) for word in label.verdicts)
    known = VERDICTS[request.task]
    return all(word is None or word in known for word in label.verdicts)


def _are_places(word: str, count: int) -> bool:
    return word == NO_POINT or all(each.isdecimal() and int(each) < count for each in word.split(" "))
