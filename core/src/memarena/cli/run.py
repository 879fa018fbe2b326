"""`memarena run`: memory systems over a data set, to scores and a report."""

from __future__ import annotations

import contextlib
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memarena.run_settings import ARENA, OPTION_FLAGS, SETTINGS, SWITCH, Setting

if TYPE_CHECKING:
    from memarena.config import Settings
    from memarena.planning import Plan
    from memarena.runner import Outcome
    from memarena.store import RunStore
    from memarena.suites import SuitePlan

F = TypeVar("F", bound=Callable[..., Any])

LONG = {"-d": "--data", "-a": "--adapter", "-o": "--option"}
CANCELLED = 130


class _Switch(click.Choice[str]):
    """`on` or `off`, as a bool."""

    def __init__(self) -> None:
        super().__init__(("on", "off"))

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        return value if isinstance(value, bool) else super().convert(value, param, ctx) == "on"


def setting_options(*names: str) -> Callable[[F], F]:
    """One flag a setting of these names, or of all; a flag that is not given leaves the setting to the environment, the
    file or its default."""

    def decorate(command: F) -> F:
        for setting in reversed(SETTINGS):
            if not names or setting.name in names:
                command = _option(setting)(command)
        return command

    return decorate


def _option(setting: Setting) -> Callable[[F], F]:
    names = [setting.flag, LONG[setting.flag]] if setting.flag in LONG else [setting.flag]
    if setting.name in OPTION_FLAGS:
        return click.option(*names, setting.name, is_flag=True, default=None, help=setting.about)
    several = isinstance(setting.default, tuple)
    shown = f" [default: {_shown(setting.default)}]" if setting.default not in (None, ()) else ""
    kind: Any = _Switch() if setting.kind is SWITCH else int if setting.kind.parse is int else str
    return click.option(
        *names, setting.name, multiple=several, type=kind, default=() if several else None, help=setting.about + shown
    )


def _shown(default: Any) -> str:
    return {True: "on", False: "off"}.get(default, str(default)) if isinstance(default, bool) else str(default)


@click.command("run")
@setting_options()
@click.option(
    "--sweep", "sweep", metavar="KEY=a,b", multiple=True, help="run a grid: a setting, model.ROLE or LABEL.option each"
)
@click.option(
    "--resume",
    is_flag=True,
    help="go on with the folder of --out, or begin it; its settings hold where none is given",
)
@click.option("--dry-run", is_flag=True, help="check everything and say what would be run; write nothing")
@click.option("--quiet", is_flag=True, help="no progress")
def run(*, sweep: tuple[str, ...], resume: bool, dry_run: bool, quiet: bool, **flags: Any) -> None:
    """Run memory systems over a data set and report where they fail."""
    if sweep:
        from memarena.cli.sweep import sweep as run_sweep

        run_sweep(flags, sweep, resume=resume, dry_run=dry_run, quiet=quiet)
        return
    run_with(flags, resume=resume, dry_run=dry_run, quiet=quiet)


def run_with(flags: Mapping[str, Any], *, resume: bool = False, dry_run: bool = False, quiet: bool = False) -> None:
    """What `memarena run` does with these settings (by name, as flags give them)."""
    from memarena.cli.dry_run import describe
    from memarena.cli.progress import progress
    from memarena.config import settings
    from memarena.errors import UsageError

    asked = settings(flags)
    if resume:
        if not asked["out"]:
            raise UsageError("--resume needs the run folder: give it with --out")
        _restore(asked)
    with progress(quiet=quiet) as shown:
        plan = _plan(asked, shown.note)
        if dry_run:
            describe(plan, repeats=asked["repeats"])
            return
        folder = Path(asked["out"]) if asked["out"] else new_folder(asked["data"] or asked["suite"])
        store = open_folder(folder, plan, resume=resume)
        outcome = execute(plan, store, shown)
    finish(store, outcome)


def _plan(asked: Settings, notice: Callable[[str], None]) -> Plan | SuitePlan:
    from memarena.planning import plan
    from memarena.suites import plan_suite

    return plan(asked, notice=notice) if asked["suite"] == ARENA else plan_suite(asked)


def open_folder(folder: Path, plan: Plan | SuitePlan, *, resume: bool) -> RunStore:
    """A new run folder for `plan`, or the one that is resumed."""
    from memarena.store import RunStore

    if resume and (folder / "run.json").exists():
        return RunStore.resume(folder, plan.header)
    plan.models.check()
    return RunStore.create(folder, plan.header)


def _restore(asked: Settings) -> None:
    """Take every setting that was not given from the header of the folder that is resumed."""
    import json

    from memarena.config import SECRET
    from memarena.store import RunStore

    folder = Path(asked["out"])
    if not (folder / "run.json").exists():
        return
    header = RunStore.open(folder).header
    rows = [row for row in header["adapters"] if not row.get("own")]
    at_work = {choice.label for choice in asked.adapters()} if asked.origin["adapters"] != "default" else None
    own = {row["label"]: row["options"] for row in rows if at_work is None or row["label"] in at_work}
    options = {**own, **_options_of_parts(header)}
    old = {
        **header["settings"],
        "suite": header["suite"],
        "data": header["data"].get("selector"),
        "models": [f"{role}={name}" for role, name in header["models"].get("names", {}).items()],
        "adapters": [
            f"{row['label']}={row['name']}@{row['distribution']}"
            for row in rows
            if not row["name"].startswith("oracle:")
        ],
        "options": [
            f"{label}.{key}={json.dumps(value)}"
            for label, values in options.items()
            for key, value in values.items()
            if value != SECRET or _refuse_secret(label, key, asked)
        ],
    }
    for name, value in old.items():
        if asked.origin[name] == "default":
            asked.values[name] = tuple(value) if isinstance(value, list) else value
            asked.origin[name] = str(folder / "run.json")


def _options_of_parts(header: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The options of all that is no adapter, by label."""
    plugins, data = header["plugins"], header["data"]
    named = {row["name"]: row["options"] for row in map(plugins.get, ("answerer", "judge", "suite")) if row}
    return {**named, **({data["dataset"]["name"]: data["options"]} if "dataset" in data else data["options"])}


def _refuse_secret(label: str, key: str, asked: Settings) -> bool:
    """A secret is in no file, so it cannot be taken from one."""
    from memarena.errors import UsageError

    if asked.origin["options"] == "default":
        raise UsageError(f"{label}.{key} is a secret and not kept in a run folder: give all options again with -o")
    return False


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
