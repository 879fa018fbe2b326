"""What `memarena data` prints for people: totals, a row a sample, the load report, the progress of a transfer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TransferSpeedColumn
from rich.table import Table
from rich.text import Text

from memarena.cli.counted import counted

if TYPE_CHECKING:
    from memarena.datastats import DataStats
    from memarena.protocols import LoadReport

MOST_ROWS = 40
"""Samples that are listed one by one."""

_STYLES = {"refused": "bold red", "warning": "yellow", "note": "dim"}


def print_stats(stats: DataStats, report: LoadReport) -> None:
    """A row a sample, the totals below, then what was odd, by kind."""
    console = Console()
    console.print(_samples(stats))
    console.print(_totals(stats.totals(), report))


def print_checks(report: LoadReport) -> None:
    """A line a check that found something, with the first of what it found below."""
    from memarena.datachecks import CHECKS, OF_A_BUILD

    console = Console(soft_wrap=True, highlight=False)
    told = {**CHECKS, **OF_A_BUILD}
    for name, count in report.counts.items():
        about = f": {told[name]}" if name in told else ""
        console.print(Text.assemble((f"{name}: ", "bold yellow"), f"{count:,} not so{about}"))
        for finding in report.findings:
            if finding.code == name:
                console.print(Text(f"  {finding.file}: {finding.path}: {finding.message}", style="dim"))


def print_report(report: LoadReport, usable: int) -> None:
    """A line a finding, then the counts and whether a run would start."""
    console = Console(soft_wrap=True, highlight=False)
    for finding in report.findings:
        place = ": ".join(part for part in (finding.file, finding.path) if part)
        line = Text.assemble((f"{finding.level}: ", _STYLES[finding.level]), (f"{place}: " if place else "", "bold"))
        console.print(line.append(f"{finding.message} [{finding.code}]"))
    hidden = sum(report.counts.values()) - len(report.findings)
    if hidden:
        console.print(f"and {hidden} more of the same kinds")
    if report.licence:
        console.print(f"licence: {report.licence}")
    counts = ", ".join(f"{code} {count}" for code, count in sorted(report.counts.items())) or "nothing odd"
    refused = len(report.refused)
    verdict = f"{refused} refused: a run would not start" if refused else "a run would start"
    console.print(
        f"{counted(usable, 'sample')} can be used; {counts}; {verdict if usable else 'there is nothing to run'}"
    )


@contextmanager
def transfer(name: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on stderr; yields the function that is told the bytes that are here and the bytes in all."""
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TransferSpeedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(name, total=None, visible=False)

        def told(done: int, total: int) -> None:
            bar.update(task, completed=done, total=total, visible=True)

        yield told


def _samples(stats: DataStats) -> Table:
    """A row a sample, or a row a folder where there are many samples."""
    many = len(stats.rows) > MOST_ROWS
    groups: dict[str, list[dict[str, Any]]] = {}
    for row in stats.rows:
        groups.setdefault(row["domain"] if many else row["sample_id"], []).append(row)
    table = Table(box=None, header_style="bold")
    table.add_column("folder" if many else "sample", overflow="fold")
    for title in ("sessions", "turns", "pictures", "gold", "questions", "tokens"):
        table.add_column(title, justify="right", no_wrap=True)
    for name, rows in groups.items():
        gold = (len(ids) for row in rows for points in row["gold"].values() for ids in points.values())
        numbers = (
            sum(len(row["sessions"]) for row in rows),
            sum(row["turns"] for row in rows),
            sum(row["attachments"] for row in rows),
            sum(gold),
            sum(row["questions_reachable"] for row in rows),
            sum(row["tokens"] for row in rows),
        )
        label = f"{name} ({counted(len(rows), 'sample')})" if many else name
        table.add_row(Text(label), *(f"{number:,}" for number in numbers))
    return table


def _totals(totals: dict[str, Any], report: LoadReport) -> Table:
    table = Table(box=None, show_header=False)
    table.add_column(style="bold")
    table.add_column()
    rows = {
        "samples": f"{totals['samples']:,} ({_counted(totals['regimes'])})",
        "sessions": f"{totals['sessions']:,}",
        "turns": f"{totals['turns']:,}, about {totals['tokens']:,} tokens",
        "pictures": f"{totals['attachments']:,}, {totals['missing_images']:,} of them missing",
        "gold": _counted(totals["gold"]),
        "checkpoints": f"{totals['checkpoints_reachable']:,}",
        "questions": f"{totals['questions_reachable']:,}, {totals['unanswerable']:,} of them unanswerable",
        "by type": _counted(totals["questions_by_type"]),
        "licence": report.licence,
        "odd": _counted(dict(sorted(report.counts.items()))),
    }
    for name, text in rows.items():
        if text:
            table.add_row(name, Text(text))
    return table


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(f"{name} {count:,}" for name, count in counts.items())
