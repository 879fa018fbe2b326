"""`memarena score`: judge and score a run folder again, from its records alone."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from memarena.store import RunStore


@click.command("score")
@click.argument("run", type=click.Path(path_type=Path))
@click.option("--judge", help="another judge than that of the run")
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True, help="cells at work at one time")
@click.option("--json", "as_json", is_flag=True, help="print the scores, without paths and times")
@click.option("--model", "models", multiple=True, help="models, where not those of the run: [ROLE=]NAME")
@click.option(
    "--record", type=click.Choice(("live", "record", "replay", "auto")), help="model calls, as in memarena run"
)
@click.option("--quiet", is_flag=True, help="no progress")
def score(
    run: Path,
    *,
    judge: str | None,
    jobs: int,
    models: tuple[str, ...],
    record: str | None,
    as_json: bool,
    quiet: bool,
) -> None:
    """Judge and score RUN again, into its folder, without the memory systems; what is judged already costs nothing."""
    from memarena.cli.progress import progress
    from memarena.config import settings
    from memarena.models import JUDGE, choose
    from memarena.parts import judge_identity, load_part, load_scorers
    from memarena.run_settings import ARENA
    from memarena.scoring import score_run
    from memarena.store import RunStore

    store = RunStore.resume(run)
    try:
        if store.suite != ARENA:
            if judge or models or record:
                store.only_of_arena("nothing is judged there; leave out --judge, --model and --record")
            _score_suite(store, as_json=as_json, quiet=quiet)
            return
        part: dict[str, Any] = store.header["plugins"]["judge"]
        name = judge or f"{part['name']}@{part['distribution']}"
        options = part["options"] if not judge else {}
        made, row = load_part("judges", name, options)
        known = store.header["models"].get("names", {}).get(JUDGE)
        asked = models or ((f"{JUDGE}={known}",) if known else ())
        wanted = {JUDGE: made.name} if getattr(made, "needs_model", False) else {}
        chosen = choose(settings({"models": asked, "record": record}), {}, wanted)
        done = sum(cell.status == "done" for cell in store.cells())
        with progress(quiet=quiet or as_json) as shown, chosen.open(store):
            shown.phase("scores", done)
            judgements = score_run(
                store,
                [scorer for _, scorer in load_scorers()],
                made,
                judge_identity(made, row, chosen),
                jobs=jobs,
                tick=lambda spec: shown.step(spec.cell_id),
            )
        why = f" (the first: {judgements.problem})" if judgements.problem else ""
        if as_json:
            _print_scores(run)
        else:
            click.echo(
                f"{done} cells scored, {judgements.judged} judgements made, {judgements.failed} of them failed{why}; "
                f"see memarena report {run}"
            )
    finally:
        store.close()


def _score_suite(store: RunStore, *, as_json: bool, quiet: bool) -> None:
    """Score a run of a suite that is a plugin."""
    from memarena.cli.progress import progress
    from memarena.runner import score_suite
    from memarena.suites import load_suite

    with progress(quiet=quiet or as_json) as shown:
        outcome = score_suite(load_suite(store.suite), store, shown)
    if as_json:
        _print_scores(store.path)
    else:
        done = len(outcome.cells) - len(outcome.failed)
        click.echo(f"{done} cells scored; see memarena report {store.path}")


def _print_scores(run: Path) -> None:
    click.echo(b"[\n" + b",\n".join((run / "scores.jsonl").read_bytes().splitlines()) + b"\n]")
