"""The life of facts as tables: state, hazard, survival, forms of update."""

from __future__ import annotations

from memarena_report.followed import STATE, UPDATE_FORMS
from memarena_report.scores import Scores
from memarena_report.survival import hazard_table, survival_table
from memarena_report.table import Table
from memarena_report.tables import metrics_table


def state_table(scores: Scores, variant: str = "paper") -> Table | None:
    """What is true, superseded, come back, written and returned; None where no fact was followed."""
    metrics = [metric for metric in STATE if scores.has(metric)]
    return metrics_table(scores, "state", "State", metrics, variant) if metrics else None


def updates_table(scores: Scores, variant: str = "paper") -> Table | None:
    """How updates were done (paper, figure 4b); None where there were none."""
    metrics = [metric for metric in UPDATE_FORMS if scores.has(metric)]
    return metrics_table(scores, "update-forms", "How updates are done", metrics, variant) if metrics else None


def facts_tables(scores: Scores, variant: str = "paper") -> list[Table]:
    """Those that the run has."""
    found = (state_table(scores, variant), hazard_table(scores), survival_table(scores), updates_table(scores, variant))
    return [table for table in found if table is not None]
