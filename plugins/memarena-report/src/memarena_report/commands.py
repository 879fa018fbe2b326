"""`memarena report` and `memarena compare`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from memarena_report.checks import Outcome, Subject

_RUN = click.Path(path_type=Path)
_VARIANT = click.option(
    "--variant",
    type=click.Choice(("paper", "release", "strict")),
    default="paper",
    show_default=True,
    help="definitions of the paper, of the released code, or ours",
)


def _guards(command: Callable[..., None]) -> Callable[..., None]:
    """The flags of a command that can fail."""
    fail_if = click.option(
        "--fail-if",
        "fail_if",
        metavar="EXPR",
        multiple=True,
        help="Exit with 1 where this holds, e.g. 'qa_c < 0.4' or 'mem0.qa_c < bm25.qa_c - 0.02 on regime=lifelong'.",
    )
    file = click.Path(path_type=Path, dir_okay=False)
    junit = click.option("--junit", type=file, help="Write the checks and the cells as JUnit XML there.")
    return fail_if(junit(command))


@click.command("report")
@click.argument("run", type=_RUN)
@_VARIANT
@click.option("--json", "as_json", is_flag=True, help="Print all tables as one object.")
@click.option("--html/--no-html", default=True, help="Write the HTML report (default) or not.")
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="Write it there instead.")
@_guards
def report(
    run: Path,
    variant: str,
    as_json: bool,
    html: bool,
    out: Path | None,
    fail_if: Sequence[str],
    junit: Path | None,
) -> None:
    """Show the tables of a run and write its HTML report."""
    from memarena.store import RunStore
    from memarena_report.checks import Subject
    from memarena_report.scores import Scores
    from memarena_report.suites import report_of

    scores = Scores(RunStore.open(run))
    shown = report_of(scores, variant)
    subject = Subject.of(scores, variant)
    outcomes = subject.check(subject.read(fail_if))
    if as_json:
        _print_json({**shown.as_object(), **_checks(outcomes)})
    else:
        shown.print_all()
    if html:
        path = shown.write_to(out or run / "report.html")
        click.echo(f"report: {path}", err=as_json)
    _conclude(subject, outcomes, junit)


@click.command("compare")
@click.argument("runs", metavar="RUN...", type=_RUN, nargs=-1, required=True)
@click.option("-a", "--adapter", "labels", multiple=True, help="LABEL or RUN:LABEL; all by default.")
@click.option("--metric", "metrics", multiple=True, help="Scores to compare.  [default: qa_c, or the first]")
@_VARIANT
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
@click.option("--allow-unequal", is_flag=True, help="Compare runs that were made under other conditions.")
@click.option("--stop-early", is_flag=True, help="Say after how many questions each pair would have been decided.")
@click.option("--error", type=float, help="Chance that --stop-early decides a pair wrongly.  [default: 0.05]")
@click.option(
    "--seed", type=click.IntRange(min=0), help="Draws the order of the questions of --stop-early.  [default: 0]"
)
@_guards
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
    fail_if: Sequence[str],
    junit: Path | None,
) -> None:
    """Compare systems of one run or several, paired sample by sample: differences, intervals, tests.

    Refuses runs that differ in answerer, judge, k, prompts, pictures, captions, budget, data or code.
    """
    from memarena_report.comparison import Comparison
    from memarena_report.stopping import Rule

    rule = Rule.asked(stop_early=stop_early, error=error, seed=seed)
    comparison = Comparison.of(runs, labels, metrics, variant, allow_unequal=allow_unequal, stop=rule)
    outcomes = comparison.subject.check(comparison.subject.read(fail_if))
    if as_json:
        _print_json({**comparison.as_object(), **_checks(outcomes)})
    else:
        from rich.console import Console

        comparison.show(Console())
    _conclude(comparison.subject, outcomes, junit)


def _checks(outcomes: Sequence[Outcome]) -> dict[str, object]:
    return {"checks": [one.as_object() for one in outcomes]} if outcomes else {}


def _conclude(subject: Subject, outcomes: Sequence[Outcome], junit: Path | None) -> None:
    """Write the XML, say which checks did not pass, and exit with 1 where there is one."""
    if junit is not None:
        from memarena_report.junit import write

        write(junit, subject.name, outcomes, subject.cells)
    failed = [one for one in outcomes if not one.passed]
    for one in failed:
        click.echo(f"--fail-if {one}", err=True)
    if failed:
        sys.exit(1)


def _print_json(value: object) -> None:
    import json

    from memarena import codec

    click.echo(json.dumps(json.loads(codec.encode(value)), indent=2, ensure_ascii=False))
