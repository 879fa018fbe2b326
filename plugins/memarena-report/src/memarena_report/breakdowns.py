"""Answers broken down: by question type and axis, and by every facet that has more than one value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from memarena.records import AXES, TYPES
from memarena_report.frame import Facet
from memarena_report.levels import LEVELS, Level, Quantity, average, axis, default_level
from memarena_report.scores import Scores
from memarena_report.table import Column, Table, metric_column, rows_of
from memarena_report.tables import main_metrics

FACETS: Mapping[str, str] = {
    "raw_type": "category of the data set",
    "domain": "domain",
    "regime": "regime",
    "difficulty": "difficulty",
    "modality": "modality of the evidence",
    "evidence": "number of evidence points",
    "session": "session index",
}
"""Facets of questions that get a table where they have more than one value, and what they are called."""

POINT_FACETS: Mapping[str, str] = {
    "kind": "kind of point",
    "fact_kind": "kind of fact",
    "modality": "modality",
    "update_type": "type of update",
}
"""The same for gold points."""

OF_ANSWERS: Mapping[str, str] = {"age": "age of the evidence, in sessions"}
"""Facets that only followed questions have."""

_POINTS = ("point_written", "point_updated", "point_rejected")
_STAGE_FACETS = ("type", "domain", "session")


def type_table(scores: Scores, metric: str = "qa_c", variant: str = "paper", level: Level | None = None) -> Table:
    """A metric by question type, grouped by axis, with the mean of each axis and `Avg.`"""
    level = level or default_level(variant)
    cells: dict[tuple[str, str], tuple[Quantity | None, str]] = {}
    seen: dict[Facet, None] = {}
    for system in scores.systems:
        types = scores.by_facet(system.label, metric, variant, "type", level)
        seen.update(dict.fromkeys(types))
        for name, one in types.items():
            cells[system.label, str(name)] = one, _why_empty(one)
        cells[system.label, "avg_type"] = average(types, level), "no type has a value"
        for name, members in AXES.items():
            cells[system.label, f"axis:{name}"] = axis(types, members), "none of its types occurs"
    columns = _type_columns(scores, metric, [str(name) for name in seen])
    rows = rows_of(scores.systems, [column.key for column in columns], cells)
    title = f"{scores.metrics[metric].title} by question type"
    return Table(f"type-{metric}", title, columns, rows, variant, LEVELS[level])


def _type_columns(scores: Scores, metric: str, seen: Sequence[str]) -> tuple[Column, ...]:
    kind = metric_column(scores, metric)
    columns = []
    for name, members in AXES.items():
        found = [member for member in members if member in seen]
        columns += [replace(kind, key=member, title=member, group=name, about="") for member in found]
        if len(found) > 1:
            about = f"unweighted mean of the types {', '.join(found)}"
            columns.append(replace(kind, key=f"axis:{name}", title="mean", group=name, about=about))
    others = sorted(name for name in seen if name not in TYPES)
    columns += [replace(kind, key=name, title=name, group="other", about="") for name in others]
    about = "unweighted mean of the values of the types"
    columns.append(replace(kind, key="avg_type", title="Avg.", group="all", about=about))
    return tuple(columns)


def facet_table(
    scores: Scores, facet: str, metric: str = "qa_c", variant: str = "paper", level: Level | None = None
) -> Table | None:
    """A metric by the values of a facet; None where it has fewer than two."""
    level = level or default_level(variant)
    cells: dict[tuple[str, str], tuple[Quantity | None, str]] = {}
    seen: dict[Facet, None] = {}
    for system in scores.systems:
        found = scores.by_facet(system.label, metric, variant, facet, level)
        seen.update(dict.fromkeys(found))
        for value, one in found.items():
            cells[system.label, str(value)] = one, _why_empty(one)
    if len(seen) < 2:
        return None
    kind = metric_column(scores, metric)
    columns = tuple(
        replace(kind, key=str(value), title=value_title(facet, value), group="", about="")
        for value in sorted(seen, key=rank)
    )
    rows = rows_of(scores.systems, [column.key for column in columns], cells)
    names = POINT_FACETS if metric in _POINTS else {**FACETS, **OF_ANSWERS}
    title = f"{scores.metrics[metric].title} by {names.get(facet, facet)}"
    return Table(f"{facet}-{metric}", title, columns, rows, variant, LEVELS[level])


def facet_tables(scores: Scores, metric: str = "qa_c", variant: str = "paper") -> list[Table]:
    """The tables of all facets that have more than one value; none where the run has no such metric."""
    if not scores.has(metric):
        return []
    tables = [facet_table(scores, facet, metric, variant) for facet in FACETS]
    return [table for table in tables if table is not None]


def value_title(facet: str, value: Facet) -> str:
    """A value as a person reads it: sessions are counted from 1."""
    return str(value + 1) if facet == "session" and isinstance(value, int) else str(value)


_ORDERS = {name: place for place, name in enumerate(("easy", "medium", "hard"))}


def stage_facet_tables(scores: Scores, variant: str = "paper") -> list[Table]:
    """Gold points by what they are; the scores of the main table before the answers by type, domain and session."""
    before = [metric for metric in main_metrics(scores) if scores.metrics[metric].stage != "use"]
    wanted = [(metric, facet) for metric in _POINTS for facet in POINT_FACETS]
    wanted += [(metric, facet) for metric in before for facet in _STAGE_FACETS]
    tables = [facet_table(scores, facet, metric, variant) for metric, facet in wanted if scores.has(metric)]
    return [table for table in tables if table is not None]


def rank(value: Facet) -> tuple[int, float, str]:
    """Numbers by size, degrees of difficulty by degree, types in the order of the axes, the rest by name."""
    if isinstance(value, int | float):
        return 0, float(value), ""
    return 1, float(_ORDERS.get(value, len(_ORDERS))), str(value)


def _why_empty(one: Quantity) -> str:
    return "all its judgements failed" if one.counts.invalid else "no such unit"


def abstention_table(scores: Scores, variant: str = "paper", level: Level | None = None) -> Table | None:
    """Answers to questions with and without an answer, and how often a system abstains on each; None: all have one."""
    level = level or default_level(variant)
    known = {
        value for value in (True, False) if len(scores.frame.where(scores.frame.asked("qa_c"), {"answerable": value}))
    }
    if False not in known:
        return None
    kind = metric_column(scores, "qa_c")
    parts = {True: "answerable", False: "unanswerable"}
    columns = [
        replace(kind, key=f"qa_c:{name}", title=f"{kind.title}, {name}", group="", about=f"{name} questions alone")
        for value, name in parts.items()
        if value in known
    ]
    pair = [name for name in ("abstain_right", "abstain_wrong") if scores.has(name)]
    columns += [replace(metric_column(scores, name), group="") for name in pair]
    cells: dict[tuple[str, str], tuple[Quantity | None, str]] = {}
    for system in scores.systems:
        for value, name in parts.items():
            one = scores.quantity(system.label, "qa_c", variant, level, {"answerable": value})
            cells[system.label, f"qa_c:{name}"] = one, _why_empty(one)
        for name in pair:
            one = scores.quantity(system.label, name, variant, level)
            cells[system.label, name] = one, _why_empty(one)
    rows = rows_of(scores.systems, [column.key for column in columns], cells)
    return Table("abstention", "Questions with and without an answer", tuple(columns), rows, variant, LEVELS[level])
