"""What a sample costs: seconds by stage, and calls, tokens and money where they were counted."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING

from memarena_report.levels import LEVELS, Counts, Part, Quantity
from memarena_report.scores import Scores, System
from memarena_report.table import Column, Table, rows_of

if TYPE_CHECKING:
    from memarena.cells import CellInfo

STAGE_METHODS: Mapping[str, tuple[str, ...]] = {
    "write": ("reset", "ingest_turn", "end_session"),
    "retrieve": ("retrieve",),
    "answer": ("answer",),
    "inspect": ("snapshot_memories", "export_memory_delta"),
}
"""The methods of an adapter by stage; `answer` is that of agents which answer by themselves."""

TIMED = (*STAGE_METHODS["write"], *STAGE_METHODS["retrieve"], *STAGE_METHODS["answer"])
"""What a system needs to do its work; looking into its state is ours and not counted."""


def seconds_of(scores: Scores, system: System, methods: Iterable[str]) -> Quantity | None:
    """Seconds a sample in some methods, over all attempts; mean over repeats, then samples; None: not measured."""
    names = tuple(methods)

    def spent(cell: CellInfo) -> float | None:
        return sum(cell.seconds.get(name, 0.0) for name in names) if cell.seconds else None

    return a_sample(scores, system, spent)


def a_sample(scores: Scores, system: System, measure: Callable[[CellInfo], float | None]) -> Quantity | None:
    """`measure` of a done cell, as a mean over samples; None where no done cell has it."""
    import numpy as np

    places = {row["sample_id"]: place for place, row in enumerate(scores.header["data"]["samples"])}
    num, den = np.zeros(len(places)), np.zeros(len(places))
    for cell in scores.cells:
        value = measure(cell) if cell.label == system.label and cell.status == "done" else None
        if value is not None:
            num[places[cell.sample_id]] += value
            den[places[cell.sample_id]] += 1
    has = den > 0
    if not has.any():
        return None
    means = np.divide(num, den, out=np.zeros_like(num), where=has)
    return Quantity((Part(means, has.astype(np.float64)),), Counts(n=int(den.sum()), samples=int(has.sum())))


def usage_of(scores: Scores, system: System, field: str) -> Quantity | None:
    """`calls`, `tokens_in`, `tokens_out` or `cost` a sample over all stages; None where a part of it is unknown."""

    def used(cell: CellInfo) -> float | None:
        if cell.usage is None:
            return None
        values = [getattr(usage, field) for usage in cell.usage.values()]
        return None if None in values else float(sum(values))

    return a_sample(scores, system, used)


def time_table(scores: Scores) -> Table:
    """Seconds a sample by stage."""
    columns = tuple(
        Column(stage, stage, "", "seconds", "low", f"seconds a sample in {', '.join(methods)}")
        for stage, methods in STAGE_METHODS.items()
    )
    cells = {
        (system.label, stage): (seconds_of(scores, system, methods), "not measured")
        for system in scores.systems
        for stage, methods in STAGE_METHODS.items()
    }
    rows = rows_of(scores.systems, list(STAGE_METHODS), cells)
    return Table("time", "Seconds a sample by stage", columns, rows, "", LEVELS["samples"])


_USAGE: Mapping[str, tuple[str, str]] = {
    "calls": ("Model calls", "items"),
    "tokens_in": ("Tokens in", "tokens"),
    "tokens_out": ("Tokens out", "tokens"),
    "cost": ("Cost", "cost"),
}


def usage_table(scores: Scores) -> Table | None:
    """Model calls, tokens and cost a sample; None where nothing was counted in this run."""
    if all(cell.usage is None for cell in scores.cells):
        return None
    columns = tuple(
        Column(name, title, "", unit, "low", f"{title.lower()} a sample") for name, (title, unit) in _USAGE.items()
    )
    cells = {
        (system.label, name): (usage_of(scores, system, name), "not measured")
        for system in scores.systems
        for name in _USAGE
    }
    rows = rows_of(scores.systems, list(_USAGE), cells)
    return Table("usage", "Model calls a sample", columns, rows, "", LEVELS["samples"])
