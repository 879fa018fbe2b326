"""`memarena report` and `memarena compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence

    from memarena_report.scores import Scores

_RUN = click.Path(path_type=Path)
_VARIANT = click.option(
    "--variant",
    type=click.Choice(("paper", "release", "strict")),
    default="paper",
    show_default=True,
    help="definitions of the paper, of the released code, or ours",
)


@click.command("report")
@click.argument("run", type=_RUN)
@_VARIANT
@click.option("--json", "as_json", is_flag=True, help="Print all tables as one object.")
@click.option("--html/--no-html", default=True, help="Write the HTML report (default) or not.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write it there instead.")
def report(run: Path, variant: str, as_json: bool, html: bool, out: Path | None) -> None:
    """Show the tables of a run and write its HTML report."""
    from memarena.store import RunStore
    from memarena_report.html import HtmlReport
    from memarena_report.scores import Scores

    scores = Scores(RunStore.open(run))
    if as_json:
        _print_json(as_object(scores, variant))
    else:
        _print_tables(scores, variant)
    if html:
        path = HtmlReport().write_to(out or run / "report.html", scores)
        click.echo(f"report: {path}", err=as_json)


def as_object(scores: Scores, variant: str) -> dict[str, object]:
    """All that `report --json` prints: no paths and no times of day."""
    from memarena_report.flags import flags
    from memarena_report.lost import lost_facet_tables
    from memarena_report.summary import all_tables

    return {
        "variant": variant,
        "settings": scores.settings,
        "flags": flags(scores),
        "tables": [table.as_object() for table in (*all_tables(scores, variant), *lost_facet_tables(scores, variant))],
    }


@click.command("compare")
@click.argument("runs", metavar="RUN...", type=_RUN, nargs=-1, required=True)
@click.option("-a", "--adapter", "labels", multiple=True, help="LABEL or RUN:LABEL; all by default.")
@click.option("--metric", "metrics", multiple=True, default=("qa_c",), show_default=True, help="Scores to compare.")
@_VARIANT
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@click.option("--allow-unequal", is_flag=True, help="Compare runs that were made under other conditions.")
@click.option("--stop-early", is_flag=True, help="Say after how many questions each pair would have been decided.")
@click.option("--error", type=float, help="Chance that --stop-early decides a pair wrongly.  [default: 0.05]")
@click.option("--seed", type=int, help="Draws the order of the questions of --stop-early.  [default: 0]")
def compare(
    runs: Sequence[Path],
    labels: Sequence[str],
    metrics: Sequence[str],
    variant: str,
    as_json: bool,
    allow_unequal: bool,
    stop_early: bool,
    error: float | None,
    seed: int | None,
) -> None:
    """Compare systems of one run or several, paired sample by sample: differences, intervals, tests.

    Refuses runs that differ in answerer, judge, k, prompts, pictures, captions, budget, data or code.
    """
    from memarena_report.comparison import Comparison
    from memarena_report.stopping import Rule

    rule = Rule.asked(stop_early=stop_early, error=error, seed=seed)
    comparison = Comparison.of(runs, labels, metrics, variant, allow_unequal=allow_unequal, stop=rule)
    if as_json:
        _print_json(comparison.as_object())
    else:
        from rich.console import Console

        comparison.show(Console())


def _print_tables(scores: Scores, variant: str) -> None:
    from rich.console import Console

    from memarena_report.summary import full_summary

    console = Console()
    for renderable in full_summary(scores, console.width, variant):
        console.print(renderable)


def _print_json(value: object) -> None:
    import json

    from memarena import codec

    click.echo(json.dumps(json.loads(codec.encode(value)), indent=2, ensure_ascii=False))
