"""`memarena selftest`: how sure is the diagnosis?"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from memarena_arena.selftest.confusion import Confusion

FAILED = 1
"""Exit code where a bar is not held."""


@click.command("selftest")
@click.option("-d", "--data", default="mini", show_default=True, help="data set on which faults are planted")
@click.option(
    "--seed",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    help="draws which facts and questions a fault befalls",
)
@click.option("--limit", type=click.IntRange(min=1), help="samples, at most")
@click.option("--memory", "names", multiple=True, help="only this planted memory; all by default")
@click.option("--json", "as_json", is_flag=True, help="print one JSON object")
def selftest(data: str, seed: int, limit: int | None, names: tuple[str, ...], as_json: bool) -> None:
    """Plant faults of known place in a perfect memory, and see whether the diagnosis puts them there; exit code 1 where
    it finds less than 95 % of them or blames more than 1 % of the right answers."""
    from memarena.datasets import open_data
    from memarena_arena.selftest.confusion import Confusion
    from memarena_arena.selftest.runner import choose, run

    chosen = choose(names)
    samples = list(open_data(data, limit=limit))
    found = Confusion(run(samples, chosen, seed=seed, tick=_tell))
    if as_json:
        from memarena.cli.output import print_json

        print_json({"data": data, "samples": len(samples), "seed": seed, "judge": "lexical", **found.as_object()})
    else:
        click.echo(f"{len(samples)} samples, {len(chosen)} memories: {found.losses:,} losses were planted")
        _print(found)
    if not found.passes:
        sys.exit(FAILED)


def _print(found: Confusion) -> None:
    from memarena.cli.output import print_columns
    from memarena_arena.selftest.confusion import LEAST_RIGHT, MOST_BLAMED

    click.echo()
    print_columns(_aligned(found.matrix()))
    click.echo()
    rows = [["memory", "losses", "at their stage", "right answers", "blamed", "elsewhere"]]
    for row in found.rows:
        astray = ", ".join(f"{planted} as {diagnosed} {count}" for planted, diagnosed, count in row.astray)
        rows.append([row.memory, *map(str, (row.losses, row.right, row.healthy, row.blamed)), astray])
    print_columns(_aligned(rows, last=1))
    if found.reasons:
        click.echo()
        counted = sorted(found.reasons.items())
        reasons = [["planted reason", "diagnosed reason", "count"]]
        print_columns([*reasons, *([planted, diagnosed or "-", str(count)] for (planted, diagnosed), count in counted)])
    click.echo()
    if found.right is not None:
        click.echo(f"planted losses at their stage: {found.right:.1%} (at least {LEAST_RIGHT:.0%})")
    if found.blamed is not None:
        click.echo(f"right answers blamed: {found.blamed:.1%} of {found.healthy:,} (at most {MOST_BLAMED:.0%})")


def _aligned(rows: list[list[str]], last: int = 0) -> list[list[str]]:
    """Rows with the columns behind the first, but for the `last`, put to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    end = len(widths) - last
    return [
        [
            text.rjust(width) if 0 < place < end else text
            for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ]
        for row in rows
    ]


def _tell(done: int, total: int) -> None:
    if sys.stderr.isatty():
        click.echo(f"\r{done}/{total} memories", nl=done == total, err=True)
