"""`memarena env`: virtual environments of adapters, and the programs that some of them drive."""

from __future__ import annotations

import click
import msgspec

from memarena import environments
from memarena.cli.output import print_columns, print_json
from memarena.environments import Environment


@click.group("env")
def env() -> None:
    """Keep adapters with rival dependencies apart, each in a virtual environment of its own."""


@env.command("create")
@click.argument("adapter")
@click.option(
    "--from", "source", default="", metavar="PATH|URL|SPEC", help="What brings it, e.g. a folder or memarena-mem0>=1."
)
@click.option("--python", default="", metavar="PYTHON", help="The interpreter to make it with.")
@click.option("--extra", "extras", multiple=True, metavar="NAME", help="An extra of its distribution.")
def create(adapter: str, source: str, python: str, extras: tuple[str, ...]) -> None:
    """Make the environment of ADAPTER: its distribution and the core, each from where it was installed here.

    The programs that it drives (codex, openclaw) are installed there too.
    """
    made = environments.create(adapter, source=source, python=python, extras=extras)
    click.echo(f"{made.adapter}: {_brought(made)} in {made.python}")


@env.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print a list of rows.")
def list_environments(as_json: bool) -> None:
    """List the environments that there are."""
    found = environments.known()
    if as_json:
        print_json(msgspec.to_builtins(found))
    elif found:
        print_columns([(one.adapter, _brought(one), one.python) for one in found])
    else:
        click.echo(f"no environments in {environments.root()}; make one: memarena env create ADAPTER", err=True)


@env.command("remove")
@click.argument("adapter")
def remove(adapter: str) -> None:
    """Remove the environment of ADAPTER."""
    environments.remove(adapter)


def _brought(made: Environment) -> str:
    """What an environment brings: `memarena-harness 1.0.0, codex 0.171.0`."""
    return ", ".join(
        f"{name} {version}" for name, version in [(made.distribution, made.version), *made.programs.items()]
    )
