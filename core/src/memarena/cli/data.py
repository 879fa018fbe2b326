"""`memarena data`: look at data sets, and fetch them."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from memarena.cli.output import print_json

if TYPE_CHECKING:
    from memarena.protocols import Opened
    from memarena.records import Finding, Sample

F = TypeVar("F", bound=Callable[..., Any])

REFUSED = 2
"""Exit code where a run would not start."""
EXAMPLES = 10
"""Findings of one check that are shown; all are counted."""
BROUGHT = "memarena.data_commands"
"""The entry-point group of the commands on data that packages bring."""
ELSEWHERE = {
    "annotate": "Add gold points, updates and questions to traces that were imported.",
    "build": "Build a data set of hidden worlds: sessions, gold, pictures, questions.",
    "contact": "Draw pictures of every kind that is built on one sheet.",
    "import": "Read traces that exist, of chats and of agents, and write them as samples.",
    "packs": "Look at schema packs: what is wrong, and what is weak.",
    "probe": "Measure shortcuts that would answer a data set that was built without memory.",
    "record": "Record a Gymnasium environment, played by a policy, as samples.",
    "review": "Let people accept, edit or reject gold and questions, and say how far they agree.",
    "rewrite": "Let a model put the dialogues of a data set that was built in other words.",
    "schema": "Print the JSON Schema of a sample's file.",
    "verify": "Tell whether a data set that was built is still as it was.",
}
"""The lines of those that packages of the project bring."""


class DataGroup(click.Group):
    """The core's commands on data, and those that packages bring; each of these is imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from memarena.catalog import entries

        return sorted({*self.commands, *(row.name for row in entries(BROUGHT))})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        from memarena.catalog import FIRST_PARTY, did_you_mean, entries, find
        from memarena.errors import UsageError

        if cmd_name in self.commands:
            return self.commands[cmd_name]
        brought = {row.name for row in entries(BROUGHT)} | set(FIRST_PARTY[BROUGHT])
        if cmd_name not in brought:
            raise UsageError(f"unknown command {cmd_name!r}{did_you_mean(cmd_name, {*self.commands, *brought})}")
        command = find(BROUGHT, cmd_name).load()
        if not isinstance(command, click.Command):
            raise UsageError(f"the command {cmd_name!r} is no click command but {type(command).__name__}")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from memarena.catalog import FIRST_PARTY, entries

        lines = {name: command.get_short_help_str(100) for name, command in self.commands.items()}
        for row in entries(BROUGHT):
            lines.setdefault(row.name, ELSEWHERE.get(row.name, f"From {row.distribution}: {row.summary}"))
        for name, package in FIRST_PARTY[BROUGHT].items():
            lines.setdefault(name, f"{ELSEWHERE[name]} (pip install {package})")
        with formatter.section("Commands"):
            formatter.write_dl(sorted(lines.items()))


@click.group("data", cls=DataGroup)
def data() -> None:
    """Look at data sets. SOURCE is a path, or NAME[:PATH], e.g. mini or locomo:locomo10.json."""


def _choosing(command: F) -> F:
    """The flags that choose among the samples of SOURCE."""
    for option in (
        click.option("-o", "--option", "options", multiple=True, help="option of the data set: NAME.key=value"),
        click.option("--overlay", help="overlay of the data set, e.g. the audit of its answer key"),
        click.option("--limit", type=click.IntRange(min=1), help="the first N samples only"),
        click.option("--sample", "samples", multiple=True, help="these samples only, by id"),
        click.option("--split", help="split of the data set"),
        click.argument("source"),
    ):
        command = option(command)
    return command


@data.command("stats")
@_choosing
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
def stats(source: str, *, as_json: bool, **flags: Any) -> None:
    """Count what a data set holds: sessions, turns, pictures, gold, questions."""
    from memarena.datastats import DataStats

    opened = _open(source, flags, check_pictures=False)
    counted = DataStats()
    for sample in opened:
        counted.add(sample)
    _refuse(opened)
    if as_json:
        report = {"counts": opened.report.counts, "licence": opened.report.licence}
        print_json({**counted.as_json(), "report": report})
        return
    from memarena.cli.data_tables import print_stats

    print_stats(counted, opened.report)


@data.command("validate")
@_choosing
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
def validate(source: str, *, as_json: bool, **flags: Any) -> None:
    """Read all of a data set and print what is odd; exit code 2 where a run would be refused."""
    from memarena.datachecks import check_all
    from memarena.protocols import LoadReport

    opened = _open(source, flags)
    checked = LoadReport(EXAMPLES)
    usable = 0
    for sample in opened:
        usable += 1
        for finding in check_all(opened, sample):
            checked.add(finding)
    report = opened.report
    if as_json:
        rows = [_finding_row(finding) for finding in report.findings]
        checks = {"counts": checked.counts, "findings": [_finding_row(finding) for finding in checked.findings]}
        accepted = usable > 0 and not report.refused
        found = {"counts": report.counts, "findings": rows, "checks": checks}
        print_json({"accepted": accepted, "samples": usable, **found})
    else:
        from memarena.cli.data_tables import print_checks, print_report

        print_checks(checked)
        print_report(report, usable)
    if report.refused or not usable:
        sys.exit(REFUSED)


@data.command("show")
@_choosing
@click.argument("sample")
@click.option("--session", "sessions", multiple=True, help="these sessions only, by id")
@click.option("--html", "page", type=click.Path(path_type=Path, dir_okay=False), help="write a page of HTML instead")
def show(source: str, sample: str, sessions: tuple[str, ...], page: Path | None, **flags: Any) -> None:
    """Show one sample: dialogue, pictures, gold, questions."""
    from memarena.catalog import did_you_mean
    from memarena.errors import UsageError

    found = _one_sample(source, sample, flags)
    names = [part.session_id for part in found.sessions]
    for name in sessions:
        if name not in names:
            raise UsageError(f"--session {name}: not in {sample}{did_you_mean(name, names)}")
    if page is None:
        from memarena.cli.data_page import print_sample

        print_sample(found, sessions)
        return
    from memarena.cli.data_html import sample_html

    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(sample_html(found, sessions), encoding="utf-8")
    click.echo(f"{page}: {page.stat().st_size / 1000:,.0f} kB")


@data.command("fetch")
@click.argument("name")
@click.option("--revision", help="commit, tag or branch, where the data set has several")
@click.option("--to", type=click.Path(path_type=Path), help="folder to fetch into [default: NAME]")
@click.option("--yes", is_flag=True, help="do not ask before it starts")
def fetch(name: str, revision: str | None, to: Path | None, *, yes: bool) -> None:
    """Fetch the files of a data set; says first what they cost in disk, and goes on where it was cut off."""
    from memarena import catalog
    from memarena.cli.data_tables import transfer
    from memarena.errors import UsageError

    entry = catalog.find("datasets", name)
    dataset = catalog.make(entry.load(), {}, who=str(entry))
    if not hasattr(dataset, "fetch"):
        raise UsageError(f"the data set {entry.name!r} has nothing to fetch")
    with transfer(entry.name) as progress:
        place = dataset.fetch(
            to or Path(entry.name), revision=revision, confirm=_agree if not yes else _tell, progress=progress
        )
    click.echo(f"{place}: use it with -d {entry.name}:{place}")


def _open(source: str, flags: dict[str, Any], **quick: Any) -> Opened:
    """What `source` means; `quick` are options that are set where the data set has them and nobody else did."""
    from memarena.datasets import open_data, resolve
    from memarena.selectors import parse_options

    choice = resolve(source)
    options = parse_options(flags["options"], [choice.name]).get(choice.name, {})
    fields = choice.fields()
    return open_data(
        source,
        split=flags["split"],
        samples=flags["samples"],
        overlay=flags["overlay"],
        limit=flags["limit"],
        options={**{key: value for key, value in quick.items() if key in fields}, **options},
    )


def _refuse(opened: Opened) -> None:
    """Print what would keep a run from starting, a line each, and exit."""
    for finding in opened.report.refused:
        click.echo(f"memarena: {_line(finding)}", err=True)
    if opened.report.refused:
        sys.exit(REFUSED)


def _one_sample(source: str, name: str, flags: dict[str, Any]) -> Sample:
    from memarena.errors import DataError

    opened = _open(source, {**flags, "samples": (name,), "limit": None})
    for sample in opened:
        return sample
    _refuse(opened)
    raise DataError(f"holds no sample {name!r}", file=source)


def _line(finding: Finding) -> str:
    return ": ".join(part for part in (finding.file, finding.path, finding.message) if part)


def _finding_row(finding: Finding) -> dict[str, str]:
    return {
        "level": finding.level,
        "code": finding.code,
        "file": finding.file,
        "path": finding.path,
        "message": finding.message,
    }


def _tell(cost: str) -> bool:
    click.echo(cost, err=True)
    return True


def _agree(cost: str) -> bool:
    from memarena.errors import UsageError

    if not sys.stdin.isatty():
        raise UsageError(f"{cost}: add --yes to go on")
    return click.confirm(f"{cost}. Go on?", err=True)
