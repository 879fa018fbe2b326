"""`memarena data rewrite`."""

from __future__ import annotations

from pathlib import Path

import click


@click.command("rewrite")
@click.argument("folder", type=click.Path(path_type=Path, exists=True, file_okay=False))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="folder for the same data in other words")
@click.option("--model", required=True, help="model that rewords, e.g. offline")
@click.option("--gateway", type=click.Path(path_type=Path, dir_okay=False), help="TOML file with the upstreams")
def rewrite(folder: Path, out: Path, model: str, gateway: Path | None) -> None:
    """Put a data set that was built into other words by a model: what is told, asked and right stays as it is."""
    from memarena_builder.dataset import cache
    from memarena_builder.rewriting.folder import rewrite as rewrite_folder
    from memarena_builder.rewriting.model import rewriter

    with rewriter(model, gateway, cache().parent / "rewrites") as reword:
        counts = rewrite_folder(folder, out, reword)
    for name, count in sorted(counts.items()):
        click.echo(f"{name}: {count:,} turns")
    click.echo(f"{out}: use it with -d {out}")
