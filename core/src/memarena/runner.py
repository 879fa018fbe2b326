"""Runs the four phases of a plan side by side, and survives what fails."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from memarena import scorefile
from memarena.answerphase import answer_all
from memarena.cell import ArenaSuite, Cancelled, MemoryLoop
from memarena.cells import CellSpec, Outcome
from memarena.daemons import Threads
from memarena.errors import DataError, MemarenaError, PluginError, one_line
from memarena.journal import CellEnded, CellStarted
from memarena.lifecycle import Lifecycle
from memarena.oracles import FED, GOLD_EVIDENCE, run_gold_evidence
from memarena.planning import Plan
from memarena.protocols import Progress, Suite
from memarena.records import Sample
from memarena.redraws import redraw
from memarena.runheader import fingerprint
from memarena.scoring import score_run, write_scores
from memarena.store import RunStore
from memarena.suites import Seat, SuitePlan


def run(plan: Plan | SuitePlan, store: RunStore, progress: Progress, stop: threading.Event) -> Outcome:
    """Run what is not done yet of `plan`, and score it.

    Raises StoreError where the folder cannot be written, KeyboardInterrupt where `stop` is set or Ctrl-C was pressed.
    """
    hooks = Lifecycle(progress)
    store.set_status("running")
    hooks.call("run_started", store=store)
    try:
        with plan.models.open(store, progress.note):
            _cells(plan, store, progress, stop, hooks)
            outcome = _after(plan, store, progress, stop)
        # With the gateway of the run closed: each folder of draws has one of its own.
        repeated = store.header["settings"]["repeats"] > 1
        if isinstance(plan, Plan) and repeated and any(cell.status == "done" for cell in outcome.cells):
            redraw(plan, store, progress, stop)
    except (KeyboardInterrupt, Cancelled):
        stop.set()
        _finish(store, "cancelled", hooks)
        raise KeyboardInterrupt from None
    except BaseException:
        stop.set()
        with contextlib.suppress(MemarenaError):
            _finish(store, "failed", hooks)
        raise
    _finish(store, "done", hooks)
    return outcome


def _after(plan: Plan | SuitePlan, store: RunStore, progress: Progress, stop: threading.Event) -> Outcome:
    """All that comes after the cells have heard what there is to hear."""
    if isinstance(plan, SuitePlan):
        if stop.is_set():
            raise Cancelled
        return score_suite(plan.suite, store, progress)
    problems = answer_all(plan.answerer, store, progress, stop, jobs=plan.jobs)
    if stop.is_set():
        raise Cancelled
    outcome = score(plan, store, progress)
    return replace(outcome, failed_answers=len(problems), answer_problem=next(iter(problems), ""))


def score_suite(suite: Suite, store: RunStore, progress: Progress) -> Outcome:
    """Score every cell that is done, as a suite that is a plugin does."""
    cells = store.cells()
    progress.phase("scores", sum(cell.status == "done" for cell in cells))
    scored = ((spec, scorefile.lines(spec, stats)) for spec, stats in suite.score(store))
    write_scores(store, scored, dict(suite.metrics), tick=lambda spec: progress.step(spec.cell_id))
    return Outcome(cells=tuple(cells))


def score(plan: Plan, store: RunStore, progress: Progress) -> Outcome:
    """Judge and score every cell that is done."""
    cells = store.cells()
    progress.phase("scores", sum(cell.status == "done" for cell in cells))
    judgements = score_run(
        store,
        plan.scorers,
        plan.judge,
        plan.judge_identity,
        jobs=plan.jobs,
        judge_jobs=plan.judge_jobs,
        tick=lambda spec: progress.step(spec.cell_id),
    )
    return Outcome(
        cells=tuple(cells),
        judged=judgements.judged,
        failed_judgements=judgements.failed,
        judge_problem=judgements.problem,
    )


def _finish(store: RunStore, status: Any, hooks: Lifecycle) -> None:
    store.set_status(status)
    hooks.call("run_finished", store=store, status=status)


def _cells(
    plan: Plan | SuitePlan, store: RunStore, progress: Progress, stop: threading.Event, hooks: Lifecycle
) -> None:
    """Run the cells that are not done; in the suite `arena` that is their memory phase."""
    suite = plan.suite if isinstance(plan, SuitePlan) else ArenaSuite()
    todo = [spec for spec in suite.plan(store) if store.cell(spec).status != "done"]
    progress.phase("memory" if isinstance(plan, Plan) else "cells", len(todo))
    locks = {one.label: threading.Lock() for one in plan.adapters.values() if not one.capabilities.parallel_safe}
    locks = {label: locks[one.of or label] for label, one in plan.adapters.items() if label in locks}

    def work(spec: CellSpec) -> CellSpec:
        progress.step(spec.cell_id, wait=True)
        with locks.get(spec.label, contextlib.nullcontext()):
            try:
                _run_cell(spec, plan, store, stop, progress.note)
            except BaseException:
                stop.set()  # the other cells need not go on to their ends
                raise
        return spec

    ready = _with_samples(todo, plan, store) if isinstance(plan, Plan) else todo
    for spec in Threads(plan.jobs).map(work, ready):
        status = store.cell(spec).status
        hooks.call("cell_finished", store=store, cell_id=spec.cell_id, status=status)
        progress.step(spec.cell_id)
        if status == "failed":
            progress.note(f"{spec.label} failed on {spec.sample_id}: {store.cell(spec).error}")


def _run_cell(
    spec: CellSpec, plan: Plan | SuitePlan, store: RunStore, stop: threading.Event, note: Callable[[str], None]
) -> None:
    if stop.is_set():
        return
    planned = plan.adapters.get(spec.label)
    if planned is not None and planned.failure:
        _fail(spec, store, planned.failure)
        return
    seat = Seat(spec=spec, store=store, stop=stop, note=note, planned=planned, plan=plan)
    try:
        if isinstance(plan, SuitePlan):
            plan.suite.run_cell(seat)
        elif planned is None and spec.label == GOLD_EVIDENCE:
            run_gold_evidence(spec, store)
        else:
            planned = plan.adapters[spec.label]
            with seat.rig() as rig:
                loop = FED.get(planned.oracle, MemoryLoop)
                ArenaSuite().run_cell(spec, rig, store, stop, planned.options, loop)
    except PluginError as error:
        _fail(spec, store, one_line(error))


def _fail(spec: CellSpec, store: RunStore, why: str) -> None:
    """Write down a cell whose adapter could not even be mounted."""
    journal, attempt = store.begin(spec)
    started = CellStarted(cell_id=spec.cell_id, label=spec.label, sample_id=spec.sample_id, repeat=spec.repeat)
    journal.write(replace(started, attempt=attempt))
    journal.write(CellEnded(status="failed", error=why))
    journal.close()


def _with_samples(specs: Sequence[CellSpec], plan: Plan, store: RunStore) -> Iterator[CellSpec]:
    """The cells, each after its sample is in the folder; the data set is read once more, as far as needed."""
    stream: Iterator[Sample] | None = None
    for spec in specs:
        while not store.has_sample(spec.sample_id):
            stream = iter(plan.samples()) if stream is None else stream
            sample = next(stream, None)
            if sample is None:
                raise DataError(f"sample {spec.sample_id} is not there any more; run with the same data as before")
            store.save_sample(_same(sample, plan))
        yield spec


def _same(sample: Sample, plan: Plan) -> Sample:
    known = {row["sample_id"]: row["fingerprint"] for row in plan.header["data"]["samples"]}
    if known.get(sample.sample_id) != fingerprint(sample):
        raise DataError(f"the data set changed: sample {sample.sample_id} is not what it was when this run began")
    return sample
