"""What a run would do: `memarena run --dry-run`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from memarena.cli.counted import counted

if TYPE_CHECKING:
    from memarena.planning import Plan
    from memarena.suites import SuitePlan


def describe(plan: Plan | SuitePlan, *, repeats: int) -> None:
    """Print what `plan` would run."""
    from memarena.suites import SuitePlan

    rows = [row["label"] for row in plan.header["adapters"]]
    if isinstance(plan, SuitePlan):
        click.echo("\n".join(plan.about))
        click.echo(f"{_listed(rows)}, {counted(_cells(plan.header), 'cell')}")
    else:
        _describe_arena(plan, rows, repeats)
    for role, name in plan.models.names.items():
        click.echo(f"{role} model: {name}")
    for adapter in plan.adapters.values():
        if adapter.failure:
            click.echo(f"{adapter.label} cannot be run: {adapter.failure}")
    click.echo("nothing was written")


def _listed(rows: Sequence[str]) -> str:
    return f"{counted(len(rows), 'row')} ({', '.join(rows)})"


def _cells(header: Mapping[str, Any]) -> int:
    return len(header["adapters"]) * len(header["data"]["samples"]) * int(header["settings"]["repeats"])


def _describe_arena(plan: Plan, rows: Sequence[str], repeats: int) -> None:
    totals = plan.totals
    cells = len(rows) * totals["samples"] * repeats
    questions = len(rows) * totals["questions"] * repeats
    click.echo(
        ", ".join(counted(totals[f"{each}s"], each) for each in ("sample", "session", "turn", "checkpoint", "question"))
    )
    click.echo(f"{_listed(rows)}, {counted(cells, 'cell')}, {counted(questions, 'answer')}")
    judgements, tokens = _needs(plan)
    judgements *= len(rows) * repeats
    click.echo(f"at most {judgements} judgements; about {tokens * repeats:,} tokens of turns for each system to hear")
    if repeats > 1:
        click.echo("to tell which stage varies, all retrievals are made twice, answers 3 times, judgements 4 times")


def _needs(plan: Plan) -> tuple[int, int]:
    """Judgements that one row needs at most, and tokens of all turns, estimated."""
    from memarena.meter import estimate_tokens

    judgements = tokens = 0
    for sample in plan.samples():
        for session in sample.sessions:
            kinds = [point.kind for point in session.points]
            judgements += 2 + bool(set(kinds) - {"interference"}) + ("update" in kinds) + ("interference" in kinds)
            tokens += sum(estimate_tokens(turn.text) for turn in session.turns)
        for checkpoint in sample.checkpoints:
            if checkpoint.after_session is not None:
                judgements += sum(1 + 2 * bool(question.evidence) for question in checkpoint.questions)
    return judgements, tokens
