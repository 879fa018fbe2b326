"""`memarena install`."""

from __future__ import annotations

import click

from memarena.catalog import entries
from memarena.installing import install_here, requirement_from, requirement_of_adapter


@click.command()
@click.argument("adapter")
@click.option("--from", "source", default="", metavar="PATH|URL|SPEC", help="What brings it, if not what is known.")
@click.option("--extra", "extras", multiple=True, metavar="NAME", help="An extra of its distribution.")
def install(adapter: str, source: str, extras: tuple[str, ...]) -> None:
    """Install what brings ADAPTER into the environment that memarena runs in, with the tool that made it."""
    there = [row for row in entries("adapters") if adapter in (row.name, row.selector)]
    if there and not source and not extras:
        click.echo(f"{adapter} is installed: {there[0].distribution} {there[0].version}")
        return
    install_here(requirement_from(source, extras) if source else requirement_of_adapter(adapter, extras))
