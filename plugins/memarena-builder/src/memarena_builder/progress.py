"""How far a build is."""

from __future__ import annotations

import sys

import click


def tell(done: int, total: int, name: str) -> None:
    """Say on a terminal that `done` of `total` samples are there, the last of them `name`."""
    if sys.stderr.isatty():
        click.echo(f"\r{done}/{total} {name:<40}", nl=done == total, err=True)


def tell_all(done: int, total: int, name: str) -> None:
    """The same; where nobody looks, as in a log, a line for each tenth."""
    tell(done, total, name)
    if not sys.stderr.isatty() and done * 10 // total > (done - 1) * 10 // total:
        click.echo(f"{done}/{total} {name}", err=True)
