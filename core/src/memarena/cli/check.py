"""`memarena check`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import click

from memarena import catalog
from memarena.cli.output import print_json
from memarena.selectors import parse_options
from memarena.testing.checks import CheckResult, run_checks


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
    results = []
    for result in _results(row, chosen):
        results.append(result)
        if not as_json:
            _print(result)
    failed = sum(result.outcome == "failed" for result in results)
    if as_json:
        print_json(
            [
                {"name": found.name, "outcome": found.outcome, "message": found.message, "repair": found.repair}
                for found in results
            ]
        )
    else:
        passed = sum(result.outcome == "passed" for result in results)
        click.echo(f"{row}: {passed} passed, {failed} failed, {len(results) - passed - failed} skipped")
    return int(failed > 0)


def _results(row: catalog.Entry, options: Mapping[str, Any]) -> Any:
    target = row.load()

    def make() -> Any:
        return catalog.make(target, options, who=str(row))

    make()
    own = {} if hasattr(target, "Options") else dict(options)
    return run_checks(make, "adapter", options=own)


def _print(result: CheckResult) -> None:
    click.echo(f"{result.outcome:8}{result.name}{': ' if result.message else ''}{result.message}")
    if result.outcome == "failed" and result.repair:
        click.echo(f"        repair: {result.repair}")
