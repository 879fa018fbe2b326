"""How far a build is, on a terminal that somebody looks at."""

from __future__ import annotations

import sys

import click


def tell(done: int, total: int, name: str) -> None:
    """Say that `done` of `total` samples are there, the last of them `name`."""
    if sys.stderr.isatty():
        click.echo(f"\r{done}/{total} {name:<40}", nl=done == total, err=True)
