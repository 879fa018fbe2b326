"""Charts of the suite as inline SVG: lifts, and the forgetting curve."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from memarena_aha.suite.controls import CONTROLS
from memarena_aha.suite.funnel import CurvePoint
from memarena_aha.suite.runcard import RunCard
from memarena_aha.suite.statistics import Figure

if TYPE_CHECKING:
    from markupsafe import Markup

    from memarena_report.scores import Number

__all__ = ["COLOURS", "Chart", "forgetting_charts", "lift_bars"]

COLOURS = 8


class Chart(NamedTuple):
    """A picture, its title, and what its colours mean."""

    title: str
    about: str
    chart: Markup
    legend: Sequence[tuple[int, str]]


def lift_bars(card: RunCard) -> list[tuple[str, str, Markup, str]]:
    """For each arm its label, role, a bar of its lift over all parts, and the lift as text."""
    from memarena_aha.suite.sheets import points
    from memarena_report.charts import signed_bar

    lifts = [(arm.label, arm.aggregate.lift) for arm in card.arms if card.holds(card.scores.parts)]
    ends = [abs(end) for _, one in lifts for end in (one.lo, one.value, one.hi) if end is not None]
    most = max(ends, default=1.0) or 1.0
    return [
        (label, "floor" if label in CONTROLS else "", signed_bar(_number(one, 1.0), most), points(one))
        for label, one in lifts
    ]


def forgetting_charts(card: RunCard) -> list[Chart]:
    """One chart for each plan that comes with distractors: the score of each arm over their number."""
    from memarena_report.charts import Series, line_chart

    plans = dict.fromkeys((point.part, point.plan) for point in card.curves if card.holds([point.part]))
    found = []
    for part, plan in plans:
        own = [point for point in card.curves if (point.part, point.plan) == (part, plan)]
        ticks = sorted({point.distractors for point in own})
        series = [
            Series(label, place % COLOURS, _line(own, label, ticks), quiet=label in CONTROLS)
            for place, label in enumerate(dict.fromkeys(point.label for point in own))
        ]
        title = f"{part}, {plan}: score over distractor sessions"
        chart = line_chart(series, [str(tick) for tick in ticks], title, "distractor sessions before the evaluation")
        about = "Score (0 to 100) of the evaluation; what a memory forgets shows as a line that falls."
        found.append(Chart(title, about, chart, [(one.colour, one.name) for one in series]))
    return found


def _line(points: Sequence[CurvePoint], label: str, ticks: Sequence[int]) -> list[Number | None]:
    known = {point.distractors: point.score for point in points if point.label == label}
    return [_number(known[tick], 100.0) if tick in known else None for tick in ticks]


def _number(figure: Figure, whole: float) -> Number:
    from memarena_report.scores import Number

    def share(value: float | None) -> float | None:
        return None if value is None else value / whole

    return Number(share(figure.value), share(figure.lo), share(figure.hi), n=figure.n, note=figure.note)
