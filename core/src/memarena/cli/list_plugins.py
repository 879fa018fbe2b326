"""`memarena list-plugins`."""

from __future__ import annotations

import click

from memarena.catalog import GROUPS, did_you_mean, full_group, scan
from memarena.cli.output import print_columns, print_json, row_of
from memarena.errors import UsageError


@click.command(name="list-plugins")
@click.argument("group", required=False)
@click.option("--json", "as_json", is_flag=True, help="Print a list of rows.")
def list_plugins(group: str | None, as_json: bool) -> None:
    """List the plugins that are installed, without importing any; with GROUP (e.g. scorers) those of one group."""
    if group and full_group(group) not in GROUPS:
        raise UsageError(f"no group of plugins {group!r}{did_you_mean(group, map(_short, GROUPS))}")
    rows = [row for row in scan() if not group or row.group == full_group(group)]
    if as_json:
        print_json([{"group": _short(row.group), **row_of(row)} for row in rows])
    else:
        print_columns([(_short(row.group), row.name, f"{row.distribution} {row.version}", row.target) for row in rows])


def _short(group: str) -> str:
    return group.removeprefix("memarena.")
