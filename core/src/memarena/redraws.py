"""Which stage makes a run with repeats vary: each stage is done again by itself, with what stands before it unchanged.

Staggered nesting (T. R. Bainbridge, Industrial Quality Control 22, 1965): beside the run, whose repeats write,
retrieve, answer and judge anew, three folders below `redrawn/` hold

    retrieve   other retrievals from the same memory, answered and judged
    answer     other answers to the same retrievals, judged
    judge      other labels of the same answers

Half the mean squared difference between two draws that share what stands before a stage is the variance of that stage
and of those after it.
"""

from __future__ import annotations

import dataclasses
import threading
from pathlib import Path

from memarena import codec
from memarena.errors import StoreError
from memarena.models import RECORD, Models
from memarena.planning import Plan
from memarena.protocols import Progress
from memarena.reanswering import LEFT_BEHIND, answer_again, copied
from memarena.store import RunStore

FOLDER = "redrawn"
STAGES = ("retrieve", "answer", "judge")


def redraw(plan: Plan, store: RunStore, progress: Progress, stop: threading.Event) -> None:
    """Fill `redrawn/` of a scored run with repeats, or go on with it.

    A run that replays another draws nothing anew: it has what that one had.
    """
    for stage in STAGES:
        models = _models(plan.models, stage)
        if models is None:
            progress.note(f"{stage}: not drawn again, since the run that is replayed did not either")
            continue
        progress.note(f"{stage}: once more, to see how much it varies")
        drawn = _folder(store, stage)
        try:
            answer_again(
                drawn,
                plan.answerer,
                plan.judge,
                plan.judge_identity,
                models,
                scorers=list(plan.scorers),
                jobs=plan.jobs,
                progress=progress,
                stop=stop,
            )
        finally:
            drawn.close()


def _models(models: Models, stage: str) -> Models | None:
    """The models of a run for one of its redrawn stages; None where they would have to be replayed from nothing."""
    if models.record is None:
        return models
    record = models.record.parent / FOLDER / stage / RECORD
    return dataclasses.replace(models, record=record) if record.is_file() else None


def _folder(store: RunStore, stage: str) -> RunStore:
    path = store.path / FOLDER / stage
    with codec.storing(path):
        path.parent.mkdir(exist_ok=True)
    header = {name: value for name, value in store.header.items() if name != "format"}
    header["derived"] = {"from": store.path.name, "redrawn": stage}
    kept = {"answer": (), "judge": ("answers.jsonl",), "retrieve": ("again.jsonl",)}[stage]
    left = [name for name in LEFT_BEHIND if name not in kept]
    if stage == "retrieve":
        return copied(store, path, header, _retrieve_again, left)
    return copied(store, path, header, left_behind=left)


def _retrieve_again(folder: Path) -> None:
    """Put the second retrieval of each question in place of the first."""
    for file in sorted(folder.glob("cells/*/again.jsonl")):
        journal = file.with_name("memory.jsonl")
        again = iter(file.read_bytes().splitlines(keepends=True))
        lines = journal.read_bytes().splitlines(keepends=True)
        try:
            changed = [next(again) if line.startswith(b'{"kind":"retrieved"') else line for line in lines]
        except StopIteration:
            raise StoreError(f"{file} has fewer retrievals than the cell; run it again in another folder") from None
        codec.write_whole(journal, b"".join(changed))
        file.unlink()
