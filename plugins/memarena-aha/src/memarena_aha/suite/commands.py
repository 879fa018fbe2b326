"""`memarena aha`: what can be played, playing it, running the suite, and its score card."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from memarena.cli.setting_flags import setting_options
from memarena_aha.suite.options import PARTS

__all__ = ["aha"]

_PART = click.Choice(tuple(PARTS))
_RUN_SETTINGS = (
    *("adapters", "options", "agent", "models", "record", "replay_from", "top_k", "budget_tokens", "seed", "repeats"),
    *("jobs", "isolate", "python", "time_limit", "memory_limit", "allow_unsandboxed", "harness_context", "out"),
)


@click.group("aha")
def aha() -> None:
    """Experience, then evaluation: puzzles, tasks with numbers, a year of a vending machine."""


@aha.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print one object: the lists puzzle and euler, and vending.")
def list_(*, as_json: bool) -> None:
    """List what can be played."""
    from memarena.cli.output import print_json
    from memarena_aha.suite.listing import all_of_it, listed

    found = all_of_it()
    if as_json:
        print_json(found)
    else:
        click.echo("\n".join(listed(found)))


@aha.command("show")
@click.argument("name")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def show(name: str, *, as_json: bool) -> None:
    """Show a puzzle (P01), a family (F01) or a variant of vending, without giving anything away."""
    from memarena.cli.output import print_json
    from memarena_aha.suite.listing import described, one_of

    found = one_of(name)
    if as_json:
        print_json(found)
    else:
        click.echo("\n".join(described(found)))


@aha.command("play")
@click.argument("part", type=_PART)
@click.argument("name", default="")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Draws what is not named.")
@click.option("--days", type=click.IntRange(1, 365), help="Days of vending that are played [default: 30]")
def play(part: str, name: str, *, seed: int, days: int | None) -> None:
    """Play a part yourself, here in the terminal. NAME: a puzzle, a family, or a variant of vending."""
    from memarena_aha.suite.terminals import play_part

    play_part(part, name, seed=seed, days=days)


@aha.command("serve")
@click.argument("part", type=click.Choice(("puzzle", "vending")))
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False), required=True, help="Takes what is played.")
@click.option("--seed", type=click.IntRange(0), default=0, show_default=True, help="Draws the pairs.")
@click.option("--number", type=click.IntRange(0), default=0, show_default=True, help="Which pair of the seed.")
@click.option("-o", "--option", "options", multiple=True, help="Options of the part: key=value.")
@click.option("--score", "scored", is_flag=True, help="Serve nothing: score what the log holds.")
def serve(part: str, *, log: Path, seed: int, number: int, options: tuple[str, ...], scored: bool) -> None:
    """Serve one instance to any client of the Model Context Protocol, over standard input and output."""
    from memarena.selectors import parse_options
    from memarena_aha.mcp import serve as server

    if scored:
        found = server.score_file(log)
        click.echo(f"{found.score:.1f} of 100, {found.ended}")
        return
    chosen = parse_options([f"{part}.{text}" for text in options], [part]).get(part, {})
    server.serve(part, seed=seed, number=number, options=chosen, log=log)


@aha.command("run")
@setting_options(*_RUN_SETTINGS)
@click.option("--part", "parts", type=_PART, multiple=True, help="Parts that are played; all by default.")
@click.option("--pairs", type=click.IntRange(1, 100_000), help="Pairs of each part [default: 40, 120 and 10]")
@click.option(
    "--resume", is_flag=True, help="go on with the folder of --out, or begin it; its settings hold where none is given"
)
@click.option("--dry-run", is_flag=True, help="check everything and say what would be run; write nothing")
@click.option("--quiet", is_flag=True, help="no progress")
def run(*, parts: tuple[str, ...], pairs: int | None, resume: bool, dry_run: bool, quiet: bool, **flags: Any) -> None:
    """Measure the lift of memory systems: `memarena run --suite aha`, with its own flags."""
    import json

    from memarena.cli.run import run_with

    own = [f"aha.parts={json.dumps(list(parts))}"] if parts else []
    own += [f"aha.pairs={pairs}"] if pairs else []
    options = (*flags.pop("options"), *own)
    run_with({**flags, "suite": "aha", "options": options}, resume=resume, dry_run=dry_run, quiet=quiet)


@aha.command("score")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--json", "as_json", is_flag=True, help="Print the score card as one object.")
@click.option("--published", is_flag=True, help="Lay the published figures beside.")
def score(run: Path, *, as_json: bool, published: bool) -> None:
    """Score RUN again from its records, and show its score card."""
    from memarena import codec
    from memarena.cli.output import print_json
    from memarena.cli.progress import progress
    from memarena.errors import UsageError
    from memarena.runner import score_suite
    from memarena.store import RunStore
    from memarena.suites import load_suite
    from memarena_aha.suite.runcard import RunCard

    store = RunStore.resume(run)
    try:
        if store.suite != "aha":
            raise UsageError(f"{run} is a run of the suite {store.suite}; see memarena score")
        with progress(quiet=True) as shown:
            score_suite(load_suite("aha"), store, shown)
        card = RunCard(store)
        if as_json:
            print_json(codec.plain({**card.as_object(), **({"published": card.published()} if published else {})}))
            return
        _print(card, published=published)
    finally:
        store.close()


def _print(card: Any, *, published: bool) -> None:
    from rich.console import Console

    from memarena_aha.suite.terminal import scored

    console = Console()
    for renderable in scored(card, console.width, published=published):
        console.print(renderable)
    console.print("Where lessons are lost: memarena report; every figure: --json, or the page report.html", style="dim")
