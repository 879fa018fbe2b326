"""New answers from recorded retrievals: a run folder made from another, its memory phase taken over as it is."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from memarena import codec
from memarena.answerphase import answer_all
from memarena.cells import Outcome
from memarena.errors import StoreError, UsageError
from memarena.models import Models
from memarena.protocols import Answerer, Judge, Progress
from memarena.scoring import score_run
from memarena.store import RunStore

CHANGEABLE = ("answerer", "top_k", "evidence_mode", "pictures", "max_pictures", "budget_tokens", "captions")
"""The settings that are read after the memory phase."""
TAKEN_OVER = ("samples", "texts", "cells")
LEFT_BEHIND = ("answers.jsonl", "labels.jsonl", "again.jsonl", "attempts", "adapter.log", "resources.json")
"""What belongs to the answers of the old run, or to how it was made."""


def derive(old: RunStore, path: Path, changes: Mapping[str, Any], parts: Mapping[str, Any], models: Models) -> RunStore:
    """The run folder at `path` with the memory phase of `old`, and `changes` of its settings: a new one, or the one
    that was made so before, to go on with.

    `parts`: the rows of the header that name the answerer and the judge. Raises UsageError where the retrievals of
    `old` do not reach as far as `changes` ask, StoreError where it has no finished cell or `path` holds something else.
    """
    settings = {**old.header["settings"], **changes}
    recorded = old.header["settings"]["top_k"]
    if settings["top_k"] > recorded:
        raise UsageError(
            f"--top-k {settings['top_k']}: {old.path} holds {recorded} items a question; for more, run it again"
        )
    if not any(cell.status == "done" for cell in old.cells()):
        raise StoreError(f"{old.path} has no finished cell; go on with memarena run --resume --out {old.path}")
    header = {name: value for name, value in old.header.items() if name != "format"}
    header |= {
        "settings": settings,
        "plugins": {**old.header["plugins"], **parts},
        "models": models.row,
        "derived": {"from": old.path.name, "changes": sorted(changes)},
    }
    return copied(old, path, header, lambda folder: _labels_of(old, folder))


def copied(
    old: RunStore,
    path: Path,
    header: Mapping[str, Any],
    change: Callable[[Path], None] = lambda folder: None,
    left_behind: Sequence[str] = LEFT_BEHIND,
) -> RunStore:
    """The run folder at `path` with `header` and the memory phase of `old`, to write into: a new one, or the one that
    was made so before. `change` is called once with the new folder before it stands there."""
    if (path / "run.json").exists():
        return RunStore.resume(path, header)
    with codec.storing(path):
        part = path.with_name(f".{path.name}.part")
        shutil.rmtree(part, ignore_errors=True)
    store = RunStore.create(part, codec.plain(header))
    try:
        with codec.storing(part):
            for name in TAKEN_OVER:
                shutil.copytree(
                    old.path / name, part / name, ignore=shutil.ignore_patterns(*left_behind), dirs_exist_ok=True
                )
            change(part)
    finally:
        store.close()
    with codec.storing(path):
        part.rename(path)
    return RunStore.resume(path)


def _labels_of(old: RunStore, folder: Path) -> None:
    if (old.path / "judgements.sqlite").exists():
        shutil.copyfile(old.path / "judgements.sqlite", folder / "judgements.sqlite")


def answer_again(
    store: RunStore,
    answerer: Answerer,
    judge: Judge,
    identity: Mapping[str, object],
    models: Models,
    *,
    scorers: list[Any],
    jobs: int,
    progress: Progress,
    stop: threading.Event | None = None,
) -> Outcome:
    """Answer and score a folder that `derive` made; agents, which answer by themselves, keep their answers."""
    store.set_status("running")
    with models.open(store, progress.note):
        problems = answer_all(answerer, store, progress, stop or threading.Event(), jobs=jobs)
        cells = store.cells()
        progress.phase("scores", sum(cell.status == "done" for cell in cells))
        judgements = score_run(
            store, scorers, judge, identity, jobs=jobs, tick=lambda spec: progress.step(spec.cell_id)
        )
    store.set_status("done")
    return Outcome(
        cells=tuple(cells),
        judged=judgements.judged,
        failed_judgements=judgements.failed,
        failed_answers=len(problems),
        answer_problem=next(iter(problems), ""),
        judge_problem=judgements.problem,
    )
