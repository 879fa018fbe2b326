"""`memarena check`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import redirect_stdout
from dataclasses import asdict
from typing import Any, TextIO

import click

from memarena import catalog
from memarena.cli.output import print_json
from memarena.selectors import parse_options
from memarena.testing.checks import CheckResult, run_checks

OUTCOMES = ("passed", "failed", "skipped")


@click.command()
@click.argument("adapter")
@click.option("-o", "options", multiple=True, metavar="KEY=VALUE", help="An option of the adapter.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of results.")
def check(adapter: str, options: tuple[str, ...], as_json: bool) -> int:
    """Put ADAPTER (NAME or NAME@DISTRIBUTION) through the contract of its kind.

    Each check is passed, failed or skipped; one that failed says how to repair. Exits with 1 where one failed.
    """
    row = catalog.find("memarena.adapters", adapter)
    chosen = parse_options([f"{row.name}.{text}" for text in options], [row.name]).get(row.name, {})
    results: list[CheckResult] = []
    stdout = sys.stdout
    with redirect_stdout(sys.stderr):  # what an adapter prints is no part of the results
        for result in _results(row, chosen):
            results.append(result)
            if not as_json:
                _print(result, stdout)
    counts = Counter(str(result.outcome) for result in results)
    if as_json:
        print_json([asdict(result) for result in results])
    else:
        click.echo(f"{row}: " + ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES))
    return int(counts["failed"] > 0)


def _results(row: catalog.Entry, options: Mapping[str, Any]) -> Iterator[CheckResult]:
    """The results as they come; an adapter that cannot even be made raises before the first."""
    target = row.load()

    def make() -> Any:
        return catalog.make(target, options, who=str(row))

    make()
    return run_checks(make, "adapter", options={} if hasattr(target, "Options") else options)


def _print(result: CheckResult, stdout: TextIO) -> None:
    click.echo(f"{result.outcome:8}{result.name}{': ' if result.message else ''}{result.message}", file=stdout)
    if result.outcome == "failed" and result.repair:
        click.echo(f"        repair: {result.repair}", file=stdout)
