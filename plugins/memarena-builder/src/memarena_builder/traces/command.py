"""`memarena data import`, `memarena data annotate` and `memarena data review`."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from memarena.cli.counted import counted

if TYPE_CHECKING:
    from memarena_builder.makers import Made
    from memarena_builder.traces.annotate import Reader


@click.command("import")
@click.argument("logs", nargs=-1, required=True, type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--format", "name", default="", help="chat, openai, otel, codex, claude-code or episodes; else found out")
@click.option(
    "--pictures",
    type=click.Path(path_type=Path, exists=True, file_okay=False),
    help="folder of the pictures; none is taken from elsewhere  [default: that of each log]",
)
@click.option("--join", default="", help="make one sample of this name of all LOGs: a session follows the other")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="new folder to write to")
def import_traces(logs: tuple[Path, ...], name: str, pictures: Path | None, join: str, out: Path) -> None:
    """Read traces that exist and write each LOG as a sample, without gold: `data annotate` adds it."""
    from memarena.errors import UsageError
    from memarena_builder.traces.importing import import_logs

    if out.exists() and any(out.iterdir()):
        raise UsageError(f"--out {out}: is not empty: choose another folder")
    for made, notes in import_logs(logs, out, name=name, pictures=pictures, join=join):
        lost = f", {made.missing} of them missing" if made.missing else ""
        click.echo(
            f"{made.sample_id}: {made.sessions} sessions, {made.turns:,} turns, {made.pictures + made.missing} "
            f"pictures{lost}"
        )
        for line in notes.lines():
            click.echo(f"  note: {line}")
    click.echo(f"{out}: add gold and questions with memarena data annotate {out} --out FOLDER")


@click.command("annotate")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--out", required=True, type=click.Path(path_type=Path), help="new folder to write to")
@click.option("--model", help="let this model read the turns, e.g. offline; without it, rules do")
@click.option("--gateway", type=click.Path(path_type=Path, dir_okay=False), help="TOML file with the upstreams")
@click.option("--questions", default=30, show_default=True, type=click.IntRange(min=1), help="of a sample, at most")
@click.option("--checkpoints", default=3, show_default=True, type=click.IntRange(min=1), help="of a sample")
@click.option("--seed", default=0, show_default=True, type=click.IntRange(min=0), help="another seed, other questions")
def annotate(
    folder: Path, out: Path, model: str | None, gateway: Path | None, questions: int, checkpoints: int, seed: int
) -> None:
    """Add gold points, updates and questions to the samples of FOLDER, which `data import` wrote."""
    from memarena.errors import UsageError
    from memarena_builder import manifest, report
    from memarena_builder.traces.folder import annotate_folder

    if out.exists() and any(out.iterdir()):
        raise UsageError(f"--out {out}: is not empty: choose another folder")
    if gateway is not None and model is None:
        raise UsageError("--gateway says where models are; name one with --model")
    with _reader(model, gateway) as read:
        made = annotate_folder(folder, out, read, questions=questions, checkpoints=checkpoints, seed=seed)
    report.write(out, made, {"test": [each.sample_id for each in made]})
    manifest.write(out, manifest.generator(), f"annotate {model or 'rules'}", seed)
    _tell(made, out)


@contextmanager
def _reader(model: str | None, settings: Path | None) -> Iterator[Reader]:
    """What reads the turns; what a model could not, it tells at the end."""
    from memarena_builder.traces.statements import by_session

    if model is None:
        yield by_session
        return
    from memarena_builder.traces.model import reading

    with reading(model, settings) as read:
        yield read
    for line in read.lines():
        click.echo(f"note: {line}")


def _tell(made: list[Made], out: Path) -> None:
    from memarena_builder import report

    click.echo(report.told(made, "sample", "session", "point", "question"))
    for line in report.lines(made):
        click.echo(line)
    empty = [each.sample_id for each in made if not any(name.startswith("points ") for name in each.counts)]
    if empty:
        click.echo(
            f"note: no points in {counted(len(empty), 'sample')}, e.g. {empty[0]}: rules read what is said plainly in "
            "English; let a model read them with --model"
        )
    click.echo(f"{out}: look at it with memarena data review {out}, use it with -d {out}")


@click.command("review")
@click.argument("folder", type=click.Path(exists=True, file_okay=False, path_type=Path))
@click.option("--page", type=click.Path(path_type=Path, dir_okay=False), help="write the page to review on")
@click.option("--apply", "saved", multiple=True, type=click.Path(exists=True, path_type=Path), help="a saved review")
@click.option("--out", type=click.Path(path_type=Path), help="new folder for the samples as they were reviewed")
def review(folder: Path, page: Path | None, saved: tuple[Path, ...], out: Path | None) -> None:
    """Let people accept, edit or reject points and questions of FOLDER on a page; then apply what they saved, and say
    how far they agree."""
    from memarena.errors import DataError, UsageError
    from memarena_builder import manifest
    from memarena_builder.traces.folder import prints_of, reviewed, samples_of
    from memarena_builder.traces.review import agreements, of_units, read_reviews, settle
    from memarena_builder.traces.reviewpage import review_page

    if page is None and not saved:
        raise UsageError("say --page FILE.html to write the page, or --apply FILE.json with what was saved on it")
    if out is not None and not saved:
        raise UsageError("--out is for what --apply makes of the samples; say both, or neither")
    if out is not None and out.exists() and any(out.iterdir()):
        raise UsageError(f"--out {out}: is not empty: choose another folder")
    if page is not None:
        if not page.parent.is_dir():
            raise UsageError(f"--page {page}: there is no folder {page.parent}")
        page.write_text(review_page(folder.resolve().name, samples_of(folder), page), encoding="utf-8")
        click.echo(f"{page}: open it, decide, save, and come back with --apply")
    if not saved:
        return
    known = of_units(read_reviews(saved), prints_of(folder))
    if not any(review.decisions for review in known.reviews):
        raise DataError("no decision is of a point or a question of it", file=str(folder))
    if known.elsewhere or known.outdated:
        click.echo(
            f"note: left out: {known.elsewhere} decisions of what is not in {folder}, {known.outdated} of what says "
            "something else by now"
        )
    for each in agreements(known.reviews):
        beyond = "none" if each.kappa is None else f"{each.kappa:.3f}"
        click.echo(f"{each.one} and {each.other}: {each.units} units, same {each.same:.1%}, Cohen's kappa {beyond}")
    settled = settle(known.reviews)
    open_ones = len({name for review in known.reviews for name in review.decisions} - set(settled))
    click.echo(f"{len(settled)} units decided, {open_ones} without a majority, which stay as they are")
    if out is not None:
        points, questions = reviewed(folder, out, settled)
        people = " and ".join(review.reviewer for review in known.reviews)
        manifest.write(out, manifest.generator(), f"reviewed by {people}", 0)
        click.echo(
            f"{out}: {points:,} points and {questions:,} questions are left; look with memarena data validate {out}"
        )
