"""The parts' own figures, and how scores spread over pairs: the worst pair, the middle half, the share of ruin."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from memarena_aha.suite.published import raw_values
from memarena_aha.suite.runcard import RunCard
from memarena_aha.suite.sheets import Sheet

__all__ = ["costs", "middle_mean", "raw_figures", "spreads"]


def raw_figures(card: RunCard) -> Iterator[Sheet]:
    """For each part the mean of every figure of its own, a column an arm; exploratory."""
    for part in filter(lambda name: card.holds([name]), card.scores.parts):
        names = _names(card, part)
        rows = [[name, *(_mean(card, label, name, part) for label in card.labels)] for name in names]
        about = "means over the evaluations after the plan; money in cents"
        yield Sheet(f"raw-{part}", f"Figures: {part}", about, ["figure", *card.labels], rows)


def _names(card: RunCard, part: str) -> list[str]:
    """The figures that are numbers in some evaluation of a part, in the order of appearance."""
    found: dict[str, None] = {}
    for pair_id, pair in card.results.pairs.items():
        if pair.part == part:
            for label in card.labels:
                outcome = card.results.headline(label, pair_id, 0)
                raw = outcome.line.raw if outcome is not None else {}
                found.update(dict.fromkeys(name for name, value in raw.items() if isinstance(value, int | float)))
    return list(found)


def _mean(card: RunCard, label: str, name: str, part: str) -> str:
    told = raw_values(card.scores, label, name, part).by_pair.values()
    if not told:
        return "–"
    value = sum(told) / len(told)
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.4g}"


def spreads(card: RunCard) -> Sheet:
    """How P spreads over pairs: a mean alone hides a run that went off the rails."""
    rows = []
    for arm in card.arms:
        for part in filter(lambda name: card.holds([name]), card.scores.parts):
            scores = sorted(card.scores.of(arm.label, "", [part]).by_pair.values())
            if scores:
                ruined = list(raw_values(card.scores, arm.label, "ruined", part).by_pair.values())
                numbers = [f"{value:.1f}" for value in (scores[0], middle_mean(scores), scores[-1])]
                rows.append([f"{arm.label}, {part}", *numbers, _share(scores, 100), _share(ruined, 1)])
    return Sheet(
        key="spreads",
        title="Over pairs",
        about="P of the worst and the best pair, mean of the middle half, and shares with Wilson's 95 % interval",
        columns=["memory, part", "worst", "middle half", "best", "all of 100", "ruined"],
        rows=rows,
    )


def middle_mean(scores: Sequence[float]) -> float:
    """The interquartile mean: a quarter of the values is left out at each end, in part where it is no whole number."""
    ordered, cut, end = sorted(scores), len(scores) / 4, len(scores) * 3 / 4
    weights = [max(0.0, min(place + 1, end) - max(place, cut)) for place in range(len(ordered))]
    return sum(weight * score for weight, score in zip(weights, ordered, strict=True)) / sum(weights)


def _share(values: Sequence[float], least: float) -> str:
    """How many of `values` reach `least`, with Wilson's interval."""
    from memarena_report.intervals import wilson

    if not values:
        return "–"
    hits = sum(value >= least for value in values)
    low, high = wilson(hits, len(values))
    return f"{hits} of {len(values)} ({100 * low:.0f} to {100 * high:.0f} %)"


def costs(card: RunCard) -> Iterator[Sheet]:
    """Seconds of the memories' calls, and what models used, as in any other report."""
    from memarena_report.costs import time_table, usage_table
    from memarena_report.scores import Scores
    from memarena_report.table import shown

    scores = Scores(card.store)
    for table in (time_table(scores), usage_table(scores)):
        if table is not None and any(number.value is not None for row in table.rows for number in row.numbers):
            rows = [
                [
                    row.key,
                    *(shown(one.value, column.unit) for one, column in zip(row.numbers, table.columns, strict=True)),
                ]
                for row in table.rows
            ]
            titles = [" ".join(filter(None, (column.group, column.title))) for column in table.columns]
            yield Sheet(table.key, table.title, table.about or table.level, ["memory", *titles], rows)
