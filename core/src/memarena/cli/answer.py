"""`memarena answer`: new answers from the retrievals of a run, without the memory systems."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import click

from memarena.cli.setting_flags import setting_options


@click.command("answer")
@click.argument("run", type=click.Path(path_type=Path))
@setting_options(
    "answerer", "top_k", "evidence_mode", "pictures", "max_pictures", "budget_tokens", "captions",
    "judge", "models", "record", "out",
)  # fmt: skip
@click.option("--jobs", type=click.IntRange(1), default=2, show_default=True, help="answers at work at one time")
@click.option("--quiet", is_flag=True, help="no progress")
def answer(run: Path, *, jobs: int, quiet: bool, **flags: Any) -> None:
    """Answer the questions of RUN again from what was retrieved then, into a run folder of their own.

    What is not given stays as it was in RUN. --captions changes those of questions and of whole sessions
    (--evidence-mode session), not what a memory kept.
    """
    from memarena.cli.executing import finish
    from memarena.cli.progress import progress
    from memarena.config import settings
    from memarena.models import JUDGE, choose
    from memarena.parts import judge_identity, load_part, load_scorers, needs_model
    from memarena.planning import ANSWER
    from memarena.reanswering import CHANGEABLE, answer_again, derive
    from memarena.store import RunStore

    given = {name: value for name, value in flags.items() if value not in (None, ())}
    asked = settings(given)
    old = RunStore.open(run)
    old.only_of_arena("no questions are asked there, so there is nothing to answer again")
    answerer, answerer_row = _part(old, "answerer", "answerers", given.get("answerer"), load_part)
    judge, judge_row = _part(old, "judge", "judges", given.get("judge"), load_part)
    known = old.header["models"].get("names", {})
    roles = {ANSWER: answerer, JUDGE: judge}
    if not given.get("models"):
        asked.values["models"] = tuple(f"{role}={known[role]}" for role in roles if role in known)
    models = choose(asked, {}, {role: part.name for role, part in roles.items() if needs_model(part)})
    changes = {name: asked[name] for name in CHANGEABLE if name in given}
    if "judge" in given:
        changes["judge"] = given["judge"]
    folder = Path(given["out"]) if "out" in given else _beside(run)
    models.check()
    with progress(quiet=quiet) as shown:
        store = derive(old, folder, changes, {"answerer": answerer_row, "judge": judge_row}, models)
        try:
            outcome = answer_again(
                store,
                answerer,
                judge,
                judge_identity(judge, judge_row, models),
                models,
                scorers=[scorer for _, scorer in load_scorers()],
                jobs=jobs,
                progress=shown,
            )
        finally:
            store.close()
    finish(store, outcome)


def _part(old: Any, role: str, group: str, name: str | None, load: Any) -> tuple[Any, dict[str, Any]]:
    """The answerer or the judge that is asked for, or that of the old run with its options."""
    row = old.header["plugins"][role]
    made: tuple[Any, dict[str, Any]] = (
        load(group, name, {}) if name else load(group, f"{row['name']}@{row['distribution']}", row["options"])
    )
    return made


def _beside(run: Path) -> Path:
    """The first free name beside RUN."""
    return next(path for n in count(1) if not (path := run.parent / f"{run.resolve().name}-answers-{n}").exists())
