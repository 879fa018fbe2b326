"""The run folder: header first, then everything as it happens.

run.json              what was asked, with versions and fingerprints; written first, never changed
status.json           running, done, failed or cancelled
samples/<id>.json     the samples with their gold
texts/<n>.jsonl       every text once, by hash
cells/<id>/           memory.jsonl, answers.jsonl, labels.jsonl; attempts/<n>/ holds earlier attempts;
                      again.jsonl: second retrievals, where a run has repeats;
                      adapter.log: what an isolated adapter wrote; resources.json: readings of that instrument
work/<namespace>/     private folders of adapters, gone when their cell is done; no name tells a sample's id
judgements.sqlite     labels by content
usage.jsonl           what was used of models (the gateway's account), where any were used
exchanges.sqlite      recorded model calls, where any were used
scores.jsonl          sorted, without times and paths; metrics.json says how its rows become numbers
redrawn/<stage>/      run folders in which one stage was done once more, where a run has repeats
report.html
"""

from __future__ import annotations

import fcntl
import shutil
from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Literal

from msgspec.structs import replace

from memarena import codec, journal, scorefile
from memarena.cells import CellInfo, CellLabel, CellSpec, ScoreRow
from memarena.errors import StoreError, UsageError
from memarena.history import rebuild
from memarena.journal import CellEnded, CellStarted, Journal
from memarena.meter import Usage, UsageRow, add_up
from memarena.records import Label, Metric, Sample, SampleRecord
from memarena.run_settings import ARENA
from memarena.runheader import compare
from memarena.texts import Texts

FORMAT = 1
"""Version of the folder; older ones stay readable."""

FOLDERS = ("samples", "texts", "cells", "work")
LOCK = ".lock"

RunStatus = Literal["running", "done", "failed", "cancelled"]


class RunStore:
    """One run folder, for writing (`create`, `resume`) or for reading (`open`)."""

    def __init__(self, path: Path, header: Mapping[str, Any]) -> None:
        self.path = path
        self.header = header
        self.texts = Texts(path / "texts")
        self._lock: Any = None
        self.sample = lru_cache(maxsize=4)(self._sample)

    @classmethod
    def create(cls, path: Path, header: Mapping[str, Any]) -> RunStore:
        """Make a new run folder; raises StoreError where one is there or the place cannot be written."""
        with codec.storing(path):
            _refuse_what_is_there(path)
            path.mkdir(parents=True, exist_ok=True)
            for name in FOLDERS:
                (path / name).mkdir(exist_ok=True)
        store = cls(path, header)
        store._take_lock()
        try:
            _refuse_what_is_there(path)
            codec.write_whole(path / "run.json", codec.encode({"format": FORMAT, **header}))
        except StoreError:
            store.close()
            raise
        return store

    @classmethod
    def resume(cls, path: Path, header: Mapping[str, Any] | None = None) -> RunStore:
        """Open a run folder to go on with it; raises StoreError where `header` asks for something else."""
        store = cls.open(path)
        store._take_lock()
        try:
            if header is not None:
                compare(path, store.header, {"format": FORMAT, **codec.plain(header)})
        except StoreError:
            store.close()
            raise
        return store

    @classmethod
    def open(cls, path: Path) -> RunStore:
        """Open a run folder for reading; raises StoreError where it is none."""
        file = path / "run.json"
        if not file.is_file():
            raise StoreError(f"{path} is no run folder: it has no run.json")
        header = codec.decode(file.read_bytes(), dict[str, Any], str(file))
        if header.get("format") != FORMAT:
            raise StoreError(f"{file}: format {header.get('format')} is not known here; this memarena reads {FORMAT}")
        for name in ("settings", "adapters", "data"):
            if name not in header:
                raise StoreError(f"{file} says nothing of {name!r}: it is damaged")
        return cls(path, header)

    @property
    def suite(self) -> str:
        """The suite that the run is of."""
        return str(self.header.get("suite", ARENA))

    def only_of_arena(self, what: str) -> None:
        """Raise UsageError where the run is of another suite, in which `what` has no meaning."""
        if self.suite != ARENA:
            raise UsageError(f"{self.path} is a run of the suite {self.suite}: {what}")

    def close(self) -> None:
        self.texts.close()
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    # -- samples --

    def save_sample(self, sample: Sample) -> None:
        """Keep `sample`, once."""
        file = self.path / "samples" / f"{sample.sample_id}.json"
        if not file.exists():
            codec.write_whole(file, codec.encode(sample))

    def has_sample(self, sample_id: str) -> bool:
        return (self.path / "samples" / f"{sample_id}.json").exists()

    def _sample(self, sample_id: str) -> Sample:
        file = self.path / "samples" / f"{sample_id}.json"
        if not file.exists():
            raise StoreError(f"{file} is missing; the run folder is not complete")
        return codec.decode(file.read_bytes(), Sample, str(file))

    # -- cells --

    def begin(self, spec: CellSpec) -> tuple[Journal, int]:
        """Start a cell at its first turn: its journal and the number of this attempt. Earlier attempts are kept."""
        folder = self.path / "cells" / spec.cell_id
        with codec.storing(folder):
            attempts = folder / "attempts"
            number = 1 + (len(list(attempts.iterdir())) if attempts.exists() else 0)
            old = list(folder.glob("*.jsonl")) if folder.exists() else []
            if old:
                kept = attempts / str(number)
                kept.mkdir(parents=True)
                for file in old:
                    file.rename(kept / file.name)
                number += 1
            folder.mkdir(exist_ok=True)
        return Journal(folder / "memory.jsonl", self.texts), number

    def answers(self, cell_id: str) -> Journal:
        """The stream of a cell's answers, to append to."""
        return Journal(self.path / "cells" / cell_id / "answers.jsonl", self.texts)

    def again(self, cell_id: str) -> Journal:
        """The stream of what second retrievals of a cell found, to append to."""
        return Journal(self.path / "cells" / cell_id / "again.jsonl", self.texts)

    def workspace(self, namespace: str) -> Path:
        """A fresh private folder for the adapter that knows its cell by this name."""
        folder = self.path / "work" / namespace
        with codec.storing(folder):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)
        return folder.resolve()

    def entries(self, cell_id: str, stream: str = "memory") -> Iterator[journal.Entry]:
        """The entries of `memory` or `answers`, with their texts."""
        return journal.read(self.path / "cells" / cell_id / f"{stream}.jsonl", self.texts.get)

    def specs(self) -> list[CellSpec]:
        """The planned cells, in order: by label, sample, repeat as the header lists them."""
        return [
            CellSpec(label=adapter["label"], sample_id=sample["sample_id"], repeat=repeat)
            for adapter in self.header["adapters"]
            for sample in self.header["data"]["samples"]
            for repeat in range(self.header["settings"]["repeats"])
        ]

    def cells(self) -> list[CellInfo]:
        """What became of each planned cell."""
        used = self.usage()
        cells = [self.cell(spec) for spec in self.specs()]
        return [replace(cell, usage=used.get(cell.cell_id, cell.usage)) for cell in cells]

    def usage(self) -> dict[str, dict[str, Usage]]:
        """What each cell (and `judge`) has used of models by stage, over all attempts; empty where nothing counted."""
        file = self.path / "usage.jsonl"
        return add_up(codec.read_lines(file, UsageRow)) if file.exists() else {}

    def cell(self, spec: CellSpec) -> CellInfo:
        """What became of one cell: its state is that of its newest attempt, its seconds are over all."""
        folder = self.path / "cells" / spec.cell_id
        files = [*sorted((folder / "attempts").glob("*/memory.jsonl")), folder / "memory.jsonl"]
        started: CellStarted | None = None
        ended: CellEnded | None = None
        seconds: dict[str, float] = {}
        for file in files:
            started, ended = journal.ends(file)
            for method, spent in (ended.seconds if ended else {}).items():
                seconds[method] = seconds.get(method, 0.0) + spent
        return CellInfo(
            cell_id=spec.cell_id,
            label=spec.label,
            sample_id=spec.sample_id,
            repeat=spec.repeat,
            status=ended.status if ended else "running" if started else "planned",
            error=ended.error if ended else "",
            attempts=len(files) - (started is None),
            seconds=seconds,
            usage=ended.usage if ended else None,
        )

    def history(self, cell_id: str) -> SampleRecord:
        """All that happened in a cell, as a scorer sees it; raises StoreError where the cell is not done."""
        return rebuild(self, cell_id)

    # -- status, labels and scores --

    @property
    def status(self) -> dict[str, Any]:
        """`status` of the run, and `failed`: the cells that failed, with why."""
        file = self.path / "status.json"
        state = codec.decode(file.read_bytes(), dict[str, Any], str(file)) if file.exists() else {"status": "running"}
        failed = [cell for cell in self.cells() if cell.status == "failed"]
        return {**state, "failed": failed}

    def set_status(self, status: RunStatus) -> None:
        codec.write_whole(self.path / "status.json", codec.encode({"status": status}))

    def save_labels(self, cell_id: str, labels: Iterable[CellLabel]) -> None:
        data = b"".join(codec.encode(label) + b"\n" for label in labels)
        codec.write_whole(self.path / "cells" / cell_id / "labels.jsonl", data)

    def labels(self, cell_id: str) -> dict[str, dict[str, Label | None]]:
        """The labels of a cell: unit -> name of the request -> label."""
        file = self.path / "cells" / cell_id / "labels.jsonl"
        found: dict[str, dict[str, Label | None]] = {}
        if file.exists():
            for line in codec.read_lines(file, CellLabel):
                found.setdefault(line.unit, {})[line.request] = line.label
        return found

    def stats(self) -> Iterator[ScoreRow]:
        """The rows of scores.jsonl; raises StoreError where the run is not scored yet."""
        return scorefile.read(self.path / "scores.jsonl")

    def metrics(self) -> dict[str, Metric]:
        """How the rows of each metric become numbers."""
        file = self.path / "metrics.json"
        if not file.exists():
            raise StoreError(f"{self.path} has no scores yet; run `memarena score {self.path}`")
        return codec.decode(file.read_bytes(), dict[str, Metric], str(file))

    def _take_lock(self) -> None:
        with codec.storing(self.path):
            stream = (self.path / LOCK).open("w")
        try:
            fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            stream.close()
            raise StoreError(
                f"{self.path} is in use by another memarena; wait for it, or choose another --out"
            ) from None
        self._lock = stream


def _refuse_what_is_there(path: Path) -> None:
    """Raise StoreError unless `path` is free, or holds no more than a run that was killed before its header stood."""
    if path.is_dir():
        begun = {*FOLDERS, LOCK, ".run.json.part"}
        free = all(entry.name in begun and not (entry.is_dir() and any(entry.iterdir())) for entry in path.iterdir())
    else:
        free = not path.exists()
    if not free:
        raise StoreError(f"{path} is there already; go on with --resume, or choose another folder with --out")
