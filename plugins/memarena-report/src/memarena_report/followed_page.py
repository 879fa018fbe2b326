"""What the page shows of questions and facts that were followed: losses, costs of stages, curves over the sessions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from memarena_report.breakdowns import facet_table
from memarena_report.charts import Piece, described, stacked_bar
from memarena_report.curves import Curve, curve_of, without_oracles
from memarena_report.facts import state_table, updates_table
from memarena_report.followed import BY_SESSION, CHAIN, CORRECT, LOST, UPDATE_FORMS
from memarena_report.lost import (
    LOST_FACETS,
    forgetting_table,
    lost_by,
    lost_columns,
    lost_table,
    reach_table,
    reasons_table,
)
from memarena_report.scores import Number, Scores
from memarena_report.stagecosts import stage_costs
from memarena_report.survival import hazard_table, survival_by, survival_table
from memarena_report.table import Table
from memarena_report.trial import Trial, trial_of

if TYPE_CHECKING:
    from markupsafe import Markup

_SESSION = "session after which the question was asked"
_AFTER = "session"


@dataclass(frozen=True, slots=True)
class Bar:
    """A stacked bar with its name and how many units it rests on."""

    name: str
    role: str
    chart: Markup
    n: int


@dataclass(frozen=True, slots=True)
class Bars:
    """The bars of one facet, system by system."""

    title: str
    systems: Mapping[str, list[Bar]]


@dataclass(frozen=True, slots=True)
class LostSection:
    """Where answers are lost."""

    table: Table
    bars: list[Bar]
    key: list[tuple[str, str]]
    """Class and title of each part of a bar."""
    costs: Table | None
    why: Table | None
    reach: Table | None
    trial: Trial | None
    facets: list[Bars] = field(default_factory=list)
    curves: list[Curve] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class FactsSection:
    """The life of facts."""

    state: Table | None
    curves: list[Curve]
    hazard: Table | None
    survival: Curve | None
    survival_by: list[tuple[str, str, Curve]]
    updates: Table | None
    update_bars: list[Bar]
    update_key: list[tuple[str, str]]


def lost_section(scores: Scores) -> LostSection | None:
    """None where the run was not followed."""
    table = lost_table(scores)
    if table is None:
        return None
    titles = {column.key: column.title for column in table.columns}
    return LostSection(
        table=table,
        bars=_bars(table, _kinds()),
        key=[(_kinds()[name], title) for name, title in titles.items()],
        costs=stage_costs(scores),
        why=reasons_table(scores),
        reach=reach_table(scores),
        trial=trial_of(scores),
        facets=list(_facet_bars(scores)),
        curves=[curve_of(one, x_title) for one, x_title in _lost_curves(scores)],
    )


def facts_section(scores: Scores) -> FactsSection | None:
    """None where no fact was followed."""
    state, kept, updates = state_table(scores), survival_table(scores), updates_table(scores)
    if state is None and kept is None and updates is None:
        return None
    sessions = (without_oracles(facet_table(scores, "session", metric)) for metric in BY_SESSION if scores.has(metric))
    since = "sessions since a fact was first held"
    return FactsSection(
        state=state,
        curves=[curve_of(table, _AFTER) for table in sessions if table is not None],
        hazard=hazard_table(scores),
        survival=None if kept is None else curve_of(kept, since),
        survival_by=[(name, value, curve_of(table, since)) for name, value, table in survival_by(scores)],
        updates=updates,
        update_bars=_bars(updates, _form_kinds()) if updates else [],
        update_key=[(_form_kinds()[one.key], one.title) for one in updates.columns] if updates else [],
    )


def _lost_curves(scores: Scores) -> Iterator[tuple[Table, str]]:
    for metric in CHAIN:
        table = without_oracles(facet_table(scores, "session", metric)) if scores.has(metric) else None
        if table is not None:
            yield table, _SESSION
    table = without_oracles(forgetting_table(scores))
    if table is not None:
        yield table, "sessions since the oldest evidence was told"


def _facet_bars(scores: Scores) -> Iterator[Bars]:
    titles = {column.key: column.title for column in lost_columns(scores)}
    for facet, name in LOST_FACETS.items():
        systems: dict[str, list[Bar]] = {}
        for one in lost_by(scores, facet):
            shares = [(key, titles[key], one.shares[key]) for key in titles if key in one.shares]
            systems.setdefault(one.label, []).append(_bar(one.value, "", shares, _kinds()))
        if systems:
            yield Bars(f"By {name}", systems)


def _bars(table: Table, kinds: Mapping[str, str]) -> list[Bar]:
    return [
        _bar(
            row.key,
            row.role,
            [(column.key, column.title, number) for column, number in zip(table.columns, row.numbers, strict=True)],
            kinds,
        )
        for row in table.rows
        if any(number.value is not None for number in row.numbers)
    ]


def _bar(name: str, role: str, shares: list[tuple[str, str, Number]], kinds: Mapping[str, str]) -> Bar:
    pieces = [Piece(kinds[key], number.value or 0.0, f"{title}: {described(number)}") for key, title, number in shares]
    return Bar(name, role, stacked_bar(pieces, 1.0), max(number.n for _, _, number in shares))


def _kinds() -> dict[str, str]:
    return {**{metric: f"at-{stage}" for metric, stage in LOST.items()}, CORRECT: "at-end"}


def _form_kinds() -> dict[str, str]:
    return {metric: metric.replace("_", "-") for metric in UPDATE_FORMS}
