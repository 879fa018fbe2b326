"""`memarena run --sweep`: a run folder for each point of a grid, and one table over all of them."""

from __future__ import annotations

import sys
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memarena.errors import StoreError, UsageError
from memarena.run_settings import ARENA

if TYPE_CHECKING:
    from memarena.cells import Outcome
    from memarena.planning import Plan
    from memarena.store import RunStore
    from memarena.sweep import Grid, Point

FILE = "sweep.json"
AGAIN = "the same command and --resume"


def sweep(flags: Mapping[str, Any], texts: Sequence[str], *, resume: bool, dry_run: bool, quiet: bool) -> None:
    """Run all points of the grid that `texts` span; everything is checked before any of them starts.

    Exits with 1 where a cell failed. Raises UsageError for what cannot be swept, StoreError where the folder holds
    something else.
    """
    from memarena import sweep as grids
    from memarena.cli.executing import new_folder
    from memarena.cli.progress import progress
    from memarena.config import settings

    asked = settings(flags)
    if asked["suite"] != ARENA:
        raise UsageError(f"--sweep: only runs of the suite {ARENA} can be swept; run {asked['suite']} once a point")
    grid = grids.Grid(grids.parse(texts, [choice.label for choice in asked.adapters()]), asked)
    with progress(quiet=quiet) as shown:
        plans = _plans(flags, grid, shown.note)
        ranked = all(one.capabilities.ranked for plan in plans.values() for one in plan.adapters.values())
        groups = grid.groups(ranked=ranked)
        if dry_run:
            rows = next(iter(plans.values())).header["adapters"]
            click.echo(f"{len(grid.points)} points, {len(groups)} memory phases, {len(rows)} rows each")
            _tell(grid, groups, ranked=ranked)
            click.echo("nothing was written")
            return
        folder = Path(asked["out"]) if asked["out"] else new_folder(asked["data"])
        _begin(folder, texts, resume=resume)
        stores = _run(folder, groups, plans, shown, resume=resume)
    failed = _finish({name: stores[name] for name in map(grids.name_of, grid.points)})
    _tell(grid, groups, ranked=ranked)
    click.echo(f"a run folder for each point: {folder}")
    sys.exit(1 if failed else 0)


def _plans(flags: Mapping[str, Any], grid: Grid, notice: Any) -> dict[str, Plan]:
    """The plan of each point, by its name; what is odd in the data is said once."""
    from memarena.config import settings
    from memarena.planning import plan
    from memarena.sweep import name_of

    found: dict[str, Plan] = {}
    for point in grid.points:
        name = name_of(point)
        if name in found:
            raise UsageError(f"--sweep: two points would be called {name!r}; name values that differ in their letters")
        try:
            found[name] = plan(settings({**flags, **grid.flags(point)}), notice=notice if not found else _silent)
        except UsageError as error:
            raise UsageError(f"--sweep, {name}: {error}") from None
    for made in found.values():
        made.models.check()
    return found


def _silent(text: str) -> None:
    pass


def _tell(grid: Grid, groups: Sequence[Sequence[Point]], *, ranked: bool) -> None:
    """Say which points share a memory phase, and why."""
    from memarena.sweep import name_of

    for one in grid.shared(ranked=ranked):
        click.echo(f"{one.key}: {'shares the memory phase' if one.shared else 'no shared memory phase'}: {one.why}")
    for first, *others in groups:
        for point in others:
            click.echo(f"{name_of(point)}: from the memory of {name_of(first)}")


def _begin(folder: Path, texts: Sequence[str], *, resume: bool) -> None:
    """Make the folder of a sweep, or see that it is the one that is resumed."""
    from memarena import codec

    file = folder / FILE
    told = codec.encode({"sweep": list(texts)})
    if file.exists() and not resume:
        raise StoreError(f"{folder} is there already; go on with --resume, or choose another folder with --out")
    if file.exists() and file.read_bytes() != told:
        raise StoreError(f"{folder} was made with {file.read_text(encoding='utf-8')}; ask for the same --sweep")
    if not file.exists() and folder.exists() and any(folder.iterdir()):
        raise StoreError(f"{folder} holds something else than a sweep; choose another folder with --out")
    with codec.storing(folder):
        folder.mkdir(parents=True, exist_ok=True)
    codec.write_whole(file, told)


def _run(
    folder: Path, groups: Sequence[Sequence[Point]], plans: Mapping[str, Plan], shown: Any, *, resume: bool
) -> dict[str, tuple[RunStore, Outcome]]:
    """Every point, the first of each group with its memory phase."""
    from memarena.cli.executing import execute, open_folder
    from memarena.sweep import name_of

    found: dict[str, tuple[RunStore, Outcome]] = {}
    for first, *others in groups:
        name = name_of(first)
        shown.note(f"{name}: run")
        store = open_folder(folder / name, plans[name], resume=resume)
        found[name] = store, execute(plans[name], store, shown, AGAIN)
        for point in others:
            other = name_of(point)
            shown.note(f"{other}: from the memory of {name}")
            found[other] = _answer(store, folder / other, point, plans[other], shown)
    return found


def _answer(old: RunStore, path: Path, point: Point, plan: Plan, shown: Any) -> tuple[RunStore, Outcome]:
    """A point that shares the memory phase of `old`."""
    from memarena.cli.executing import cancelling
    from memarena.reanswering import answer_again, derive

    changes = {name: plan.header["settings"][name] for name in point if name in plan.header["settings"]}
    parts = {role: plan.header["plugins"][role] for role in ("answerer", "judge")}
    store = derive(old, path, changes, parts, plan.models)
    stop = threading.Event()
    with cancelling(stop, store, shown, AGAIN):
        outcome = answer_again(
            store,
            plan.answerer,
            plan.judge,
            plan.judge_identity,
            plan.models,
            scorers=list(plan.scorers),
            jobs=plan.jobs,
            progress=shown,
            stop=stop,
        )
    return store, outcome


def _finish(points: Mapping[str, tuple[RunStore, Outcome]]) -> bool:
    """Write the report of each point and print the table over all of them; whether a cell failed."""
    from memarena import catalog
    from memarena.cli.executing import failures
    from memarena.errors import first_line

    for row in catalog.entries("reporters"):
        try:
            for store, _ in points.values():
                row.load()().write(store)
            reporter = row.load()()
            if hasattr(reporter, "print_grid"):
                from rich.console import Console

                reporter.print_grid({name: store for name, (store, _) in points.items()}, Console())
        except (Exception, SystemExit) as error:
            # The scores are written: a report can be made again.
            click.echo(f"{row} failed: {first_line(error)}; the scores are kept", err=True)
    for name, (_, outcome) in points.items():
        for line in failures(outcome):
            click.echo(f"{name}: {line}", err=True)
    return any(outcome.failed for _, outcome in points.values())
