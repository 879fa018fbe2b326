"""What each stage costs: answers with gold in its place, less the answers of the system as it is."""

from __future__ import annotations

from collections.abc import Mapping

from memarena_report.levels import LEVELS, default_level
from memarena_report.pairing import paired
from memarena_report.scores import NOT_DONE, Number, Scores, System
from memarena_report.table import Column, Row, Table

_ABOUT: Mapping[str, str] = {
    "write": "the gold points of each session are told in place of its turns",
    "maintain": "a memory that has heard nothing is told what is true at each checkpoint",
    "retrieve": "the evidence itself is handed to the answerer",
}


def stage_costs(scores: Scores, variant: str = "paper") -> Table | None:
    """One row a system, one column a stage that an oracle replaces: the paired difference of QA-C; None: no oracle."""
    oracles = [system for system in scores.systems if system.role == "oracle"]
    stages = [stage for stage in _ABOUT if any(oracle.stage == stage for oracle in oracles)]
    if not stages or not scores.compared or not scores.has("qa_c"):
        return None
    columns = tuple(Column(stage, stage.capitalize(), "", "points", "low", _ABOUT[stage]) for stage in stages)
    rows = tuple(
        Row(system.label, system.role, tuple(_cost(scores, system, oracles, stage, variant) for stage in stages))
        for system in scores.compared
    )
    about = f"{scores.metrics['qa_c'].title} with gold in place of a stage, less that of the system as it is"
    level = LEVELS[default_level(variant)]
    return Table("stage-costs", "What each stage costs", columns, rows, variant, level, about)


def _cost(scores: Scores, system: System, oracles: list[System], stage: str, variant: str) -> Number:
    gold = next((one for one in oracles if one.stage == stage and one.of in ("", system.label)), None)
    if gold is None:
        return Number(None, note="there is no such row")
    if system.capabilities.answers and stage == "retrieve":
        return Number(None, note="answers by itself: the answerer of gold evidence is another")
    for one in (gold, system):
        if not scores.is_done(one.label):
            return Number(None, note=f"{one.label}: {_failure(scores, one.label)}")
    pair = paired(scores.frame, gold.label, system.label, "qa_c", variant, about=scores.metrics["qa_c"])
    seen = pair.difference
    if seen is None:
        return Number(None, note="no question was scored in both")
    note = "" if seen.lo is not None else "one sample: no interval"
    return Number(seen.value, seen.lo, seen.hi, n=pair.units, samples=seen.samples, note=note)


def _failure(scores: Scores, label: str) -> str:
    return next((cell.error for cell in scores.cells if cell.label == label and cell.error), NOT_DONE)
