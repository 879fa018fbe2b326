"""`memarena data build` and `memarena data verify`."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import click

FAULTY = 1
"""Exit code where a data set is not as it was built."""


@click.command("build")
@click.option("--preset", default="tiny", show_default=True, help="how much: tiny, small, paper or stress")
@click.option("--seed", default=0, show_default=True, help="another seed, another world")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="folder to build into")
@click.option("--jobs", default=1, show_default=True, type=click.IntRange(min=1), help="processes")
def build(preset: str, seed: int, out: Path, jobs: int) -> None:
    """Build a data set of hidden worlds: sessions, gold, pictures, questions. Goes on where it was stopped."""
    from memarena_builder import report
    from memarena_builder.build import build as build_set

    begun = time.monotonic()
    made = build_set(out, preset, seed, jobs, _tell)
    counts = report.total(made)
    questions = sum(number for name, number in counts.items() if name.startswith("questions "))
    points = sum(number for name, number in counts.items() if name.startswith("points "))
    click.echo(
        f"{counts['samples']} samples, {counts['sessions']:,} sessions, {counts['turns']:,} turns, {points:,} points, "
        f"{counts['pictures']:,} pictures, {questions:,} questions in {time.monotonic() - begun:.1f} s"
    )
    for name, row in report.problems(made).items():
        click.echo(f"{name}: {row['repaired']} made again, {row['left']} left")
    click.echo(f"{out}: use it with -d {out}")


@click.command("verify")
@click.argument("folder", type=click.Path(path_type=Path))
def verify(folder: Path) -> None:
    """Tell whether a data set that was built is still as it was; exit code 1 where it is not."""
    from memarena.errors import DataError
    from memarena_builder import manifest

    found = manifest.read(folder)
    if found is None:
        raise DataError("there is no data set that was built", file=str(folder / manifest.NAME))
    faults = list(manifest.faults(folder, found))
    for name, fault in faults:
        click.echo(f"{name}: {fault}")
    if faults:
        sys.exit(FAULTY)
    click.echo(f"{folder}: all {len(found.files):,} files are as {found.generator} built them")


def _tell(done: int, total: int, name: str) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{done}/{total} {name:<40}", nl=done == total, err=True)
