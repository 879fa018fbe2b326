"""`memarena check`."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from dataclasses import asdict
from typing import Any, TextIO

import click

from memarena import catalog
from memarena.cli.output import print_json
from memarena.records import Endpoint
from memarena.selectors import parse_options
from memarena.testing.checks import CheckResult, run_checks

OUTCOMES = ("passed", "failed", "skipped")


@click.command()
@click.argument("adapter")
@click.option("-o", "options", multiple=True, metavar="KEY=VALUE", help="An option of the adapter.")
@click.option("--model", "models", multiple=True, metavar="[ROLE=]NAME", help="A model that it may use, e.g. offline.")
@click.option("--json", "as_json", is_flag=True, help="Print a list of results.")
def check(adapter: str, options: tuple[str, ...], models: tuple[str, ...], as_json: bool) -> int:
    """Put ADAPTER (NAME or NAME@DISTRIBUTION) through the contract of its kind.

    Each check is passed, failed or skipped; one that failed says how to repair. Exits with 1 where one failed.
    """
    row = catalog.find("memarena.adapters", adapter)
    chosen = parse_options([f"{row.name}.{text}" for text in options], [row.name]).get(row.name, {})
    results: list[CheckResult] = []
    stdout = sys.stdout
    # What an adapter prints is no part of the results.
    with redirect_stdout(sys.stderr), _endpoints(models) as endpoints:
        for result in _results(row, chosen, endpoints):
            results.append(result)
            if not as_json:
                _print(result, stdout)
    counts = Counter(str(result.outcome) for result in results)
    if as_json:
        print_json([asdict(result) for result in results])
    else:
        click.echo(f"{row}: " + ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES))
    return int(counts["failed"] > 0)


@contextmanager
def _endpoints(models: tuple[str, ...]) -> Iterator[Mapping[str, Endpoint]]:
    """Where the models are reached that the adapter may use: `model` and `embedding`, each where one was chosen."""
    from memarena.config import settings
    from memarena.models import choose

    chosen = choose(settings({"models": models}), {}, {})
    if chosen.gateway is None:
        yield {}
        return
    chosen.gateway.start(None, chosen.names)
    try:
        roles = {"model": "inner", "embedding": "embed"}
        yield {name: chosen.gateway.endpoint("check", role) for name, role in roles.items() if role in chosen.names}
    finally:
        chosen.gateway.stop()


def _results(
    row: catalog.Entry, options: Mapping[str, Any], endpoints: Mapping[str, Endpoint]
) -> Iterator[CheckResult]:
    """The results as they come; an adapter that cannot even be made raises before the first."""
    target = row.load()

    def make() -> Any:
        return catalog.make(target, options, who=str(row))

    make()
    return run_checks(make, "adapter", options={} if hasattr(target, "Options") else options, **endpoints)


def _print(result: CheckResult, stdout: TextIO) -> None:
    click.echo(f"{result.outcome:8}{result.name}{': ' if result.message else ''}{result.message}", file=stdout)
    if result.outcome == "failed" and result.repair:
        click.echo(f"        repair: {result.repair}", file=stdout)
