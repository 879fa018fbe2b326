"""`memarena run`: memory systems over a data set, to scores and a report."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from memarena.cli.setting_flags import setting_options
from memarena.run_settings import ARENA

if TYPE_CHECKING:
    from memarena.config import Settings
    from memarena.planning import Plan
    from memarena.suites import SuitePlan


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
    from memarena.cli.executing import execute, finish, new_folder, open_folder
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
