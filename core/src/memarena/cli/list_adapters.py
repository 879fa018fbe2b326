"""`memarena list-adapters`."""

from __future__ import annotations

import click

from memarena.catalog import clashes, entries
from memarena.cli.output import print_columns, print_json, row_of


@click.command(name="list-adapters")
@click.option("--json", "as_json", is_flag=True, help="Print a list of rows.")
@click.option("--check", is_flag=True, help="Load each one in a process of its own and say whether it works.")
@click.option("--timeout", type=float, default=30.0, show_default=True, help="Seconds that --check gives to each.")
def list_adapters(as_json: bool, check: bool, timeout: float) -> int:
    """List the memory systems that are installed, without importing any.

    Exits with 1 where --check finds one that does not work.
    """
    rows = entries("memarena.adapters")
    shown = [row_of(row) for row in rows]
    broken = 0
    if check:
        from memarena.cli.probe import probe_all

        for row, result in zip(shown, probe_all(rows, timeout), strict=True):
            row.update(state=result.state, problem=result.problem)
            broken += result.state != "ok"
    if as_json:
        print_json(shown)
        return int(broken > 0)
    print_columns(
        [
            (
                row["name"],
                f"{row['distribution']} {row['version']}",
                row.get("problem") or row.get("state") or row["summary"],
            )
            for row in shown
        ]
    )
    for rivals in clashes(rows):
        picks = " or ".join(row.selector for row in rivals)
        click.echo(f"{rivals[0].name!r} is claimed {len(rivals)} times: say {picks}", err=True)
    return int(broken > 0)
