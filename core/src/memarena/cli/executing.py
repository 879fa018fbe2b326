"""A plan carried out on the command line: its folder, Ctrl-C, the report, and what failed."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memarena.run_settings import ARENA

if TYPE_CHECKING:
    from memarena.cells import Outcome
    from memarena.planning import Plan
    from memarena.store import RunStore
    from memarena.suites import SuitePlan

CANCELLED = 130
"""The exit code of a run that was cancelled."""


def open_folder(folder: Path, plan: Plan | SuitePlan, *, resume: bool) -> RunStore:
    """A new run folder for `plan`, or the one that is resumed."""
    from memarena.store import RunStore

    if resume and (folder / "run.json").exists():
        return RunStore.resume(folder, plan.header)
    plan.models.check()
    return RunStore.create(folder, plan.header)


def execute(plan: Plan | SuitePlan, store: RunStore, shown: Any, again: str = "") -> Outcome:
    """Run `plan` and close its folder; ends the program where it is cancelled. `again`: what goes on with it then."""
    from memarena.runner import run as run_plan

    stop = threading.Event()
    with cancelling(stop, store, shown, again or f"memarena run --resume --out {store.path}"):
        return run_plan(plan, store, shown, stop)


@contextlib.contextmanager
def cancelling(stop: threading.Event, store: RunStore, shown: Any, again: str) -> Iterator[None]:
    """Work on `store` that Ctrl-C and SIGTERM may end: `stop` is set, what was finished is kept, the folder closed."""
    from memarena.cell import Cancelled

    try:
        with _interruptible(stop):
            yield
    except (KeyboardInterrupt, Cancelled):
        shown.note(f"cancelled; what was finished is kept: go on with {again}")
        sys.exit(CANCELLED)
    finally:
        store.close()


@contextlib.contextmanager
def _interruptible(stop: threading.Event) -> Iterator[None]:
    """Ctrl-C and SIGTERM tell the cells to stop at their next turn, and end the run."""

    def end(number: int, frame: object) -> None:
        stop.set()
        raise KeyboardInterrupt

    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def finish(store: RunStore, outcome: Outcome) -> None:
    """Write the report, print the table, and say what failed; exit code 1 where a cell failed."""
    from memarena import catalog
    from memarena.errors import first_line

    reported = False
    for row in catalog.entries("reporters"):
        try:
            cls = row.load()
            if store.header["suite"] in getattr(cls, "suites", (ARENA,)):
                reported = True
                _report(store, cls())
        except (Exception, SystemExit) as error:
            # The scores are written: a report can be made again.
            reported = True
            click.echo(f"{row} failed: {first_line(error)}; the scores are kept in {store.path}", err=True)
    if not reported:
        click.echo(f"scores: {store.path / 'scores.jsonl'} (for tables and a report: pip install memarena-report)")
    for line in failures(outcome):
        click.echo(line, err=True)
    if outcome.failed:
        sys.exit(1)


def failures(outcome: Outcome) -> Iterator[str]:
    """One line for each way in which a system failed, and one for the judge."""
    cells: dict[tuple[str, str], list[str]] = {}
    for cell in outcome.failed:
        cells.setdefault((cell.label, cell.error), []).append(cell.sample_id)
    for (label, error), samples in cells.items():
        where = samples[0] if len(samples) == 1 else f"{len(samples)} cells, the first {samples[0]}"
        yield f"failed: {label} on {where}: {error}"
    if outcome.failed_answers:
        yield f"{outcome.failed_answers} answers failed (the first: {outcome.answer_problem}); they count as empty"
    if outcome.failed_judgements:
        why = f" (the first: {outcome.judge_problem})" if outcome.judge_problem else ""
        yield f"{outcome.failed_judgements} judgements failed{why}; they are counted as invalid"


def _report(store: RunStore, reporter: Any) -> None:
    path = reporter.write(store)
    if hasattr(reporter, "print_summary"):
        from rich.console import Console

        reporter.print_summary(store, Console())
    click.echo(f"report: {path}")


def new_folder(data: str) -> Path:
    """The folder of a run that was given none: below `runs`, with date and time."""
    name = Path(data.partition(":")[0]).stem or "run"
    return Path("runs") / f"{datetime.now():%Y%m%d-%H%M%S}-{name}"
