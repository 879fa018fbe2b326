"""The money of vending runs over their days, with the incidents marked, as inline SVG."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from memarena_aha.suite.charts import COLOURS, Chart
from memarena_aha.suite.conditions import COLD
from memarena_aha.suite.controls import BASELINE, CONTROLS
from memarena_aha.suite.results import PairRow
from memarena_aha.suite.runcard import RunCard
from memarena_aha.vending.series import Incident, read_curve, read_incidents

if TYPE_CHECKING:
    from markupsafe import Markup

__all__ = ["Balance", "balance_chart", "balances"]

_WIDTH, _HEIGHT, _LEFT, _RIGHT, _TOP, _BOTTOM = 1120, 340, 70, 16, 26, 40
MOST = 6
"""Pairs whose money is drawn; the page stays small."""


class Balance(NamedTuple):
    """The money of one run over its days."""

    name: str
    cents: Sequence[int]
    quiet: bool = False
    """Drawn thin and dashed: no system under test."""


def balances(card: RunCard) -> list[Chart]:
    """For some vending pairs: equity over days, cold and in each arm, with the incidents of the cold run marked."""
    pairs = [pair for pair in card.results.pairs.values() if pair.part == "vending"][:MOST]
    return [chart for pair in pairs if (chart := _chart_of(card, pair)) is not None]


def _chart_of(card: RunCard, pair: PairRow) -> Chart | None:
    lines: list[Balance] = []
    marks: list[Incident] = []
    for label, condition in [(BASELINE, COLD), *((label, pair.headline) for label in card.labels)]:
        outcome = card.results.outcome(label, pair.sample_id, 0, condition)
        raw = outcome.line.raw if outcome is not None else {}
        if isinstance(raw.get("curve"), str):
            quiet = label == BASELINE or label in CONTROLS
            lines.append(Balance(COLD if label == BASELINE else label, read_curve(str(raw["curve"])), quiet))
            marks = marks or read_incidents(str(raw["incidents"]))
    if not lines:
        return None
    title = f"{pair.sample_id}: money over days"
    about = "Equity in dollars; the marks above are what the cold run met with."
    legend = [(place % COLOURS, line.name) for place, line in enumerate(lines)]
    return Chart(title, about, balance_chart(lines, marks, title), legend)


def balance_chart(lines: Sequence[Balance], marks: Sequence[Incident], title: str) -> Markup:
    """One line a run over one axis of days, and a mark with its words at the day of each incident."""
    from markupsafe import Markup

    days = max(1, max(len(line.cents) for line in lines) - 1)
    low = min(0, *(min(line.cents) for line in lines))
    high = max(1, *(max(line.cents) for line in lines))

    def x(day: float) -> float:
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * day / days

    def y(cents: float) -> float:
        return _TOP + (_HEIGHT - _TOP - _BOTTOM) * (1 - (cents - low) / (high - low))

    parts = [Markup("<title>{}</title>").format(title), *_axes(x, y, days, low, high), *_marks(x, marks)]
    for place, line in enumerate(lines):
        points = " ".join(f"{x(day):.1f},{y(cents):.1f}" for day, cents in enumerate(line.cents))
        drawn = Markup('<g class="series c{}{}"><polyline class="line" points="{}"><title>{}</title></polyline></g>')
        parts.append(drawn.format(place % COLOURS, " quiet" if line.quiet else "", points, line.name))
    return Markup('<svg class="lines" viewBox="0 0 {} {}" role="img" aria-label="{}">{}</svg>').format(
        _WIDTH, _HEIGHT, title, Markup("").join(parts)
    )


def _axes(x: Callable[[float], float], y: Callable[[float], float], days: int, low: int, high: int) -> Iterator[Markup]:
    """Five lines of dollars, and about twelve days."""
    from markupsafe import Markup

    tick = Markup('<text class="tick" text-anchor="{}" x="{:.1f}" y="{:.1f}">{}</text>')
    for step in range(5):
        cents = low + (high - low) * step / 4
        grid = Markup('<line class="grid" x1="{}" x2="{}" y1="{:.1f}" y2="{:.1f}"/>')
        yield grid.format(_LEFT, _WIDTH - _RIGHT, y(cents), y(cents))
        yield tick.format("end", _LEFT - 8, y(cents) + 4, f"{cents / 100:,.0f}")
    for day in range(0, days + 1, max(1, days // 12)):
        yield tick.format("middle", x(day), _HEIGHT - _BOTTOM + 18, day)


def _marks(x: Callable[[float], float], marks: Sequence[Incident]) -> Iterator[Markup]:
    from markupsafe import Markup

    for mark in marks:
        told = f"day {mark.day}, {mark.kind}: {mark.what}"
        line = Markup('<line class="grid" x1="{0:.1f}" x2="{0:.1f}" y1="{1}" y2="{2}"><title>{3}</title></line>')
        yield line.format(x(mark.day), 8, _HEIGHT - _BOTTOM, told)
        dot = Markup('<g class="series c1"><circle cx="{:.1f}" cy="10" r="3.4"><title>{}</title></circle></g>')
        yield dot.format(x(mark.day), told)
