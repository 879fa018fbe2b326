"""Where answers are lost: the share of the questions that each stage loses, what is left, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from memarena_report.breakdowns import FACETS, facet_table, rank, value_title
from memarena_report.followed import BESIDE, BY_AGE, CORRECT, LOST, REACHED
from memarena_report.frame import Facet
from memarena_report.levels import LEVELS, Counts, Level, Part, Quantity, default_level
from memarena_report.scores import NOT_DONE, Number, Scores, System, numbers
from memarena_report.table import Column, Row, Table, metric_column, rows_of
from memarena_report.tables import metrics_table

LOST_FACETS: Mapping[str, str] = {
    "type": "question type",
    "fact_kind": "kind of fact",
    "modality": FACETS["modality"],
    "domain": FACETS["domain"],
    "session": FACETS["session"],
}
"""What the losses are broken down by, where it has more than one value."""

_REASONS = (
    "stale version",
    "set aside",
    "gone",
    "stale value",
    "interference value",
    "evidence ignored",
    "rule not applied",
    "contradicts what was shown",
)
_SEEN = frozenset({"lost_write", "lost_maintain", "lost_retrieve"})
_LISTED = frozenset({"lost_retrieve", "lost_show", "lost_unseen"})


def funnel(
    scores: Scores,
    label: str,
    variant: str = "paper",
    level: Level | None = None,
    where: Mapping[str, Facet] | None = None,
) -> dict[str, Quantity]:
    """The shares that a system loses at each stage, and `correct`: together one; {} where nothing can be followed.

    They are shares of the questions whose evidence can be followed; one of which a judgement failed is in none.
    """
    import numpy as np

    found = {
        metric: scores.quantity(label, metric, variant, level, where)
        for metric in LOST
        if scores.has(metric) and scores.frame.column(label, metric, variant) is not None
    }
    if not found:
        return {}
    first = next(iter(found.values()))
    den = first.parts[0].den
    lost = sum((one.parts[0].num for one in found.values()), np.zeros_like(den))
    hits = [one.counts.hits for one in found.values()]
    known = None if None in hits else first.counts.n - sum(hit or 0 for hit in hits)
    right = Quantity((Part(np.maximum(den - lost, 0.0), den),), replace(first.counts, hits=known))
    return {**found, CORRECT: right}


def lost_table(scores: Scores, variant: str = "paper") -> Table | None:
    """One row a system, one column a stage that loses questions, and what is left; None: the run was not followed."""
    level = default_level(variant)
    funnels = {system.label: funnel(scores, system.label, variant, level) for system in scores.systems}
    columns = lost_columns(scores)
    if not columns:
        return None
    cells = {
        (system.label, column.key): (
            funnels[system.label].get(column.key),
            _why(scores, system, column.key, funnels[system.label].get(column.key)),
        )
        for system in scores.systems
        for column in columns
    }
    rows = rows_of(scores.systems, [column.key for column in columns], cells)
    return Table("lost", "Where answers are lost", columns, rows, variant, LEVELS[level])


def lost_columns(scores: Scores) -> tuple[Column, ...]:
    """The stages at which the run counts losses, and `correct`; none where it counts none."""
    found = [replace(metric_column(scores, metric), group="") for metric in LOST if scores.has(metric)]
    about = "questions that no stage has lost"
    return (*found, Column(CORRECT, "Correct", about=about)) if found else ()


def _why(scores: Scores, system: System, metric: str, seen: Quantity | None) -> str:
    able = system.capabilities
    reasons = (
        (not scores.is_done(system.label), NOT_DONE),
        (metric in _LISTED and able.answers, "answers by itself: retrieves nothing here"),
        (metric in _SEEN and not able.state, "its state is not visible: what is lost so far is lost unseen"),
        (metric == "lost_unseen" and able.state, ""),
        (seen is not None and seen.counts.invalid > 0, "all its judgements failed"),
    )
    return next((text for holds, text in reasons if holds), "no question whose evidence can be followed")


@dataclass(frozen=True, slots=True)
class LostBy:
    """The losses of one system at one value of a facet."""

    label: str
    value: str
    shares: Mapping[str, Number]
    """By metric, and `correct`."""


def lost_by(scores: Scores, facet: str, variant: str = "paper") -> list[LostBy]:
    """The losses by the values of a facet, system by system (no oracles); [] where it has fewer than two values."""
    metrics = [metric for metric in LOST if scores.has(metric)]
    values = {
        value: None
        for metric in metrics
        for value in scores.frame.facet(facet)[1]
        if len(scores.frame.where(scores.frame.asked(metric), {facet: value}))
    }
    if len(values) < 2:
        return []
    level = default_level(variant)
    places: list[tuple[str, Facet, str]] = []
    flat: list[Quantity] = []
    for system in scores.compared:
        for value in sorted(values, key=rank):
            found = funnel(scores, system.label, variant, level, {facet: value})
            places += [(system.label, value, name) for name in found]
            flat += found.values()
    rows: dict[tuple[str, Facet], dict[str, Number]] = {}
    for (label, value, name), number in zip(places, numbers(flat), strict=True):
        if number.value is not None:
            rows.setdefault((label, value), {})[name] = number
    return [LostBy(label, value_title(facet, value), shares) for (label, value), shares in rows.items()]


def lost_facet_tables(scores: Scores, variant: str = "paper") -> Iterator[Table]:
    """For each facet a table with a row for each system and value."""
    columns = lost_columns(scores)
    for facet, name in LOST_FACETS.items():
        found = lost_by(scores, facet, variant)
        missing = Number(None, note="this stage cannot be seen")
        rows = tuple(
            Row(
                f"{one.label}: {one.value}",
                "value",
                tuple(one.shares.get(column.key, missing) for column in columns),
            )
            for one in found
        )
        if rows:
            title = f"Where answers are lost, by {name}"
            yield Table(f"lost-{facet}", title, columns, rows, variant, LEVELS[default_level(variant)])


def reasons_table(scores: Scores, variant: str = "paper") -> Table | None:
    """Why a stage lost what it lost: shares of the questions lost there, over the whole run; None: no reason known."""
    columns = [
        Column(f"{metric}:{reason}", reason, scores.metrics[metric].title, better="neither")
        for metric in LOST
        if scores.has(metric)
        for reason in _reasons_of(scores, metric)
    ]
    if not columns:
        return None
    cells: dict[tuple[str, str], tuple[Quantity | None, str]] = {}
    for system in scores.systems:
        for column in columns:
            metric, _, reason = column.key.partition(":")
            cells[system.label, column.key] = _share(scores, system.label, metric, variant, reason), "nothing lost here"
    rows = rows_of(scores.systems, [column.key for column in columns], cells)
    about = "shares of the questions that the stage lost"
    stages = ", ".join(dict.fromkeys(column.group for column in columns))
    return Table("lost-why", f"Why they are lost: {stages}", tuple(columns), rows, variant, LEVELS["run"], about)


def _reasons_of(scores: Scores, metric: str) -> list[str]:
    codes, values = scores.frame.facet("reason")
    asked = scores.frame.asked(metric)
    there = {str(values[code]) for code in set(codes[asked.facets[asked.n == 1]].tolist()) if code >= 0}
    return [*(one for one in _REASONS if one in there), *sorted(there - set(_REASONS))]


def _share(scores: Scores, label: str, metric: str, variant: str, reason: str) -> Quantity | None:
    import numpy as np

    column = scores.frame.column(label, metric, variant)
    if column is None:
        return None
    lost = column.take(column.n == 1)
    with_reason = scores.frame.where(lost, {"reason": reason})
    samples = len(scores.frame.samples)
    num, den = (np.bincount(one.sample, minlength=samples).astype(np.float64) for one in (with_reason, lost))
    counts = Counts(n=len(lost), samples=int((den > 0).sum()), hits=len(with_reason))
    return Quantity((Part(num, den),), counts)


def reach_table(scores: Scores, variant: str = "paper") -> Table | None:
    """How far the evidence of the questions comes, stage by stage and given the stage before; None: not followed."""
    metrics = [metric for metric in (*REACHED, *BESIDE) if scores.has(metric)]
    return metrics_table(scores, "reach", "How far evidence comes", metrics, variant) if metrics else None


def forgetting_table(scores: Scores, variant: str = "paper") -> Table | None:
    """Questions answered correctly by the age of their oldest evidence; None where all have one age."""
    return facet_table(scores, "age", BY_AGE, variant) if scores.has(BY_AGE) else None
