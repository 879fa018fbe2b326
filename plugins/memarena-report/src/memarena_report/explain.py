"""`memarena explain`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from collections.abc import Sequence


@click.command("explain")
@click.argument("run", type=click.Path(path_type=Path))
@click.argument("question")
@click.option("-a", "--adapter", "labels", multiple=True, help="LABEL; all systems by default, oracles only if asked.")
@click.option("--json", "as_json", is_flag=True, help="Print one object.")
def explain(run: Path, question: str, labels: Sequence[str], as_json: bool) -> None:
    """Tell what became of one question: what was said, written, changed, kept, returned, shown and answered.

    QUESTION is SAMPLE/QUESTION, or a part of it that no other question has.
    """
    from memarena import codec
    from memarena.cli.output import print_json
    from memarena.store import RunStore
    from memarena_report.questions import Untold, chosen_labels, explanations, find_question

    store = RunStore.open(run)
    store.only_of_arena("no questions are asked there; see memarena report")
    found = find_question(store, question)
    told = explanations(store, found, chosen_labels(store, labels))
    if as_json:
        print_json(
            {
                "sample_id": found.sample_id,
                "question_id": found.question.question_id,
                "systems": [codec.plain(one) for one in told if not isinstance(one, Untold)],
                "missing": [codec.plain(one) for one in told if isinstance(one, Untold)],
            }
        )
        return
    from rich.console import Console

    from memarena_report.explainpage import page

    console = Console(highlight=False)
    for renderable in page(found, told):
        console.print(renderable)
