"""The tables of a run as data; how they look is decided in `terminal.py` and in the templates."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from memarena.records import AXES, TYPES

from memarena_report.frame import Facet
from memarena_report.levels import LEVELS, Counts, Level, Part, Quantity, average, axis, default_level
from memarena_report.scores import Number, Scores, System, numbers

Better = Literal["high", "low", "neither"]

STAGES: Mapping[str, str] = {
    "write": "Write",
    "maintain": "Maintain",
    "retrieve": "Retrieve",
    "use": "Use",
    "cost": "Cost",
}
"""The stages of a memory, in the order in which they happen, as they are titled."""

_BEFORE_RANKING = ("recall", "corr", "hallu", "irrel", "update", "int_rej", "rc")
_AFTER_RANKING = ("qa_c", "qa_h", "qa_o", "f1", "bleu1")

FACETS: Mapping[str, str] = {
    "raw_type": "category of the data set",
    "domain": "domain",
    "regime": "regime",
    "difficulty": "difficulty",
    "modality": "modality of the evidence",
    "evidence": "number of evidence points",
    "kind": "kind of fact",
    "session": "session index",
}
"""Facets of questions that get a table where they have more than one value, and what they are called."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of numbers of one kind."""

    key: str
    title: str
    group: str = ""
    unit: str = "share"
    better: Better = "high"
    about: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A row; `role` is `floor` or `oracle` where it is no system under test."""

    key: str
    role: str
    numbers: tuple[Number, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """A table with everything that a reader needs to understand it."""

    key: str
    title: str
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    variant: str = ""
    level: str = ""
    about: str = ""

    def transposed(self) -> Table:
        """Rows and columns exchanged; all columns of `self` must be of one kind."""
        kind = self.columns[0]
        columns = tuple(replace(kind, key=row.key, title=row.key, group="", about="") for row in self.rows)
        rows = tuple(
            Row(column.title, "", tuple(row.numbers[place] for row in self.rows))
            for place, column in enumerate(self.columns)
        )
        return replace(self, columns=columns, rows=rows)


def main_metrics(scores: Scores) -> list[str]:
    """The metrics of the main table that the run has; all metrics where it has none of them."""
    ranking = [f"{kind}@{_deepest(scores, kind)}" for kind in ("recall", "ndcg")]
    wanted = [*_BEFORE_RANKING, *ranking, *_AFTER_RANKING]
    return [name for name in wanted if scores.has(name)] or [name for name in scores.metrics if scores.has(name)]


def _deepest(scores: Scores, kind: str) -> int:
    """The largest k of `recall@k` or `ndcg@k` that the run has and that does not exceed its top_k."""
    depths = [int(name.partition("@")[2]) for name in scores.metrics if name.startswith(f"{kind}@")]
    return max((depth for depth in depths if depth <= scores.settings["top_k"]), default=min(depths, default=0))


def main_table(scores: Scores, variant: str = "paper", level: Level | None = None) -> Table:
    """One row a system, one column a score, and the time that a sample takes."""
    return _table_of(scores, "main", "Scores", main_metrics(scores), variant, level, timed=True)


def stage_tables(scores: Scores, variant: str = "paper", level: Level | None = None) -> list[Table]:
    """For each stage the scores that the main table leaves out."""
    main = set(main_metrics(scores))
    tables = []
    for stage in dict.fromkeys([*STAGES, *(metric.stage for metric in scores.metrics.values())]):
        names = [name for name, about in scores.metrics.items() if about.stage == stage and name not in main]
        names = [name for name in names if scores.has(name)]
        if names:
            title = f"{STAGES.get(stage, stage)}: further scores"
            tables.append(_table_of(scores, f"stage-{stage}", title, names, variant, level))
    return tables


def _table_of(
    scores: Scores,
    key: str,
    title: str,
    metrics: Sequence[str],
    variant: str,
    level: Level | None,
    *,
    timed: bool = False,
) -> Table:
    level = level or default_level(variant)
    columns = [_column(scores, name) for name in metrics]
    if timed:
        columns.append(Column("time", "Time", STAGES["cost"], "seconds", "low", TIME))
    cells: dict[tuple[str, str], tuple[Quantity | None, str]] = {}
    for system in scores.systems:
        for name in metrics:
            seen = scores.quantity(system.label, name, variant, level)
            cells[system.label, name] = seen, scores.why(system, name, variant, seen) if seen.value is None else ""
        if timed:
            cells[system.label, "time"] = seconds_of(scores, system, TIMED), "no cell finished"
    rows = _rows(scores.systems, [column.key for column in columns], cells)
    return Table(key, title, tuple(columns), rows, variant, LEVELS[level])


TIMED = ("ingest_turn", "end_session", "retrieve")
TIME = "seconds in ingest_turn, end_session and retrieve, a sample; mean over samples"


def seconds_of(scores: Scores, system: System, methods: Iterable[str]) -> Quantity | None:
    """Seconds a sample in some methods of an adapter, over all attempts and repeats; None where no cell is done."""
    import numpy as np

    names = {cell.sample_id: place for place, cell in enumerate(scores.cells)}
    num, den = np.zeros(len(scores.cells)), np.zeros(len(scores.cells))
    n = 0
    for cell in scores.cells:
        if cell.label == system.label and cell.status == "done":
            num[names[cell.sample_id]] += sum(cell.seconds.get(method, 0.0) for method in methods)
            den[names[cell.sample_id]] += 1
            n += 1
    if not n or not any(cell.seconds for cell in scores.cells if cell.label == system.label):
        return None
    has = den > 0
    means = np.divide(num, den, out=np.zeros_like(num), where=has)
    return Quantity((Part(means, has.astype(np.float64)),), Counts(n=n, samples=int(has.sum())))


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
    rows = _rows(scores.systems, [column.key for column in columns], cells)
    title = f"{scores.metrics[metric].title} by question type"
    return Table(f"type-{metric}", title, columns, rows, variant, LEVELS[level])


def _type_columns(scores: Scores, metric: str, seen: Sequence[str]) -> tuple[Column, ...]:
    kind = _column(scores, metric)
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
    kind = _column(scores, metric)
    columns = tuple(
        replace(kind, key=str(value), title=str(value), group="", about="") for value in sorted(seen, key=_rank)
    )
    rows = _rows(scores.systems, [column.key for column in columns], cells)
    title = f"{scores.metrics[metric].title} by {FACETS.get(facet, facet)}"
    return Table(f"{facet}-{metric}", title, columns, rows, variant, LEVELS[level])


def facet_tables(scores: Scores, metric: str = "qa_c", variant: str = "paper") -> list[Table]:
    """The tables of all facets that have more than one value."""
    tables = [facet_table(scores, facet, metric, variant) for facet in FACETS]
    return [table for table in tables if table is not None]


_ORDERS = {name: place for place, name in enumerate(("easy", "medium", "hard"))}


def _rank(value: Facet) -> tuple[int, float, str]:
    """Numbers by size, degrees of difficulty by degree, types in the order of the axes, the rest by name."""
    if isinstance(value, int | float):
        return 0, float(value), ""
    return 1, float(_ORDERS.get(value, len(_ORDERS))), str(value)


def _column(scores: Scores, metric: str) -> Column:
    about = scores.metrics[metric]
    group = STAGES.get(about.stage, about.stage)
    return Column(metric, about.title, group, about.unit, about.better, about.about)


def _why_empty(one: Quantity) -> str:
    return "all its judgements failed" if one.counts.invalid else "no such unit"


def _rows(
    systems: Sequence[System], keys: Sequence[str], cells: Mapping[tuple[str, str], tuple[Quantity | None, str]]
) -> tuple[Row, ...]:
    """All numbers of a table at once, so that their intervals share the draws."""
    places = [(system.label, key) for system in systems for key in keys]
    found = [cells.get(place, (None, "no such unit")) for place in places]
    flat = numbers([one for one, _ in found], {place: why for place, (_, why) in enumerate(found)})
    width = len(keys)
    return tuple(
        Row(system.label, system.role, tuple(flat[place * width : (place + 1) * width]))
        for place, system in enumerate(systems)
    )


FORMATS: Mapping[str, Callable[[float], str]] = {
    "share": lambda value: f"{100 * value:.1f}",
    "seconds": lambda value: f"{value:.3g} s" if value < 1000 else f"{value:,.0f} s",
    "tokens": lambda value: f"{value:,.0f}",
    "items": lambda value: f"{value:,.1f}",
}


def shown(value: float | None, unit: str = "share") -> str:
    """`value` as a table shows it: shares in percent, `–` where it is undefined."""
    if value is None:
        return "–"
    return FORMATS[unit](value) if unit in FORMATS else f"{value:.3g}"
