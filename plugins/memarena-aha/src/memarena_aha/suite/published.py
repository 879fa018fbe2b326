"""The paper's own score card, as published (arXiv 2609.05435), and the figures of its panel.

What the paper does not say is our choice, and is marked as one: `ours` names the figures that are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena.records import Record
from memarena_aha.suite.card import Scores
from memarena_aha.suite.conditions import COLD, SUPPORTED
from memarena_aha.suite.controls import BASELINE
from memarena_aha.suite.statistics import Figure, Values, mean, ratio

__all__ = ["NOT_HERE", "PUBLISHED", "PaperCard", "Published", "paper_card"]


class Published(NamedTuple):
    """A row of the paper's panel; None: not published."""

    model: str
    initial: float | None
    post: float | None
    lift: float | None
    note: str = ""


PUBLISHED: Sequence[Published] = (
    Published("Claude Opus 4.6", 38.5, 64.3, 25.8, "Initial is P - lift"),
    Published("Gemini 3.1 Pro", 55.2, 63.4, 8.2, "Initial is P - lift"),
    Published("GPT-5.4", None, 42.5, None),
    Published("Hy3 Preview", None, None, 12.2),
)
"""The figures that are public, of other instances and with no memory system: to be laid beside, not to be compared."""


NOT_HERE = Figure(note="not defined in this part")


class PaperCard(Record, frozen=True, kw_only=True):
    """One arm in one part, by the definitions of the paper."""

    part: str
    initial: Figure
    post: Figure
    lift: Figure
    support: Figure
    """S_sup: of a puzzle the mean over its course; of euler, S_full."""
    support_gap: Figure
    """S_sup - Post."""
    process_gap: Figure
    """S_full - S_partial."""
    retention: Figure
    slope: Figure
    """Late minus early, cents of profit a day."""
    early_profit: Figure = NOT_HERE
    """Cents, of the first third."""
    profit: Figure = NOT_HERE
    """Cents, of the whole run."""
    ours: Mapping[str, str] = {}
    """Field -> what of it the paper leaves open, and what stands here."""


_SAME_INSTANCE = "the paper measures Initial on other instances; here it is the same instance, cold"


def paper_card(scores: Scores, label: str, part: str) -> PaperCard:
    """The card of one arm in one part."""
    return {"puzzle": _puzzle, "euler": _euler, "vending": _vending}[part](scores, label)


def _puzzle(scores: Scores, label: str) -> PaperCard:
    cold, post = scores.of(BASELINE, COLD, ["puzzle"]), scores.of(label, "", ["puzzle"])
    course, ours = _course(scores, label), scores.of(BASELINE, SUPPORTED, ["puzzle"])
    return PaperCard(
        part="puzzle",
        initial=mean(cold),
        post=mean(post),
        lift=mean(post.minus(cold)),
        support=mean(course, nothing="no unit of the course shows a trace"),
        support_gap=mean(course.minus(post), nothing="no unit of the course shows a trace"),
        process_gap=NOT_HERE,
        retention=ratio(post.minus(cold), ours.minus(cold)),
        slope=NOT_HERE,
        ours={
            "initial": _SAME_INSTANCE,
            "retention": "its S_sup is that of the same puzzle with a prefix, not the mean over the course",
        },
    )


def _euler(scores: Scores, label: str) -> PaperCard:
    cold = scores.of(BASELINE, COLD, ["euler"])
    partial, full = scores.of(label, "partial", ["euler"]), scores.of(label, "full", ["euler"])
    return PaperCard(
        part="euler",
        initial=mean(cold),
        post=mean(partial),
        lift=mean(partial.minus(cold)),
        support=mean(full),
        support_gap=mean(full.minus(partial)),
        process_gap=mean(full.minus(partial)),
        retention=ratio(partial.minus(cold), full.minus(cold)),
        slope=NOT_HERE,
        ours={"support": "the teaching reaches the agent through the memory of the arm, not in its prompt"},
    )


def _vending(scores: Scores, label: str) -> PaperCard:
    cold, post = scores.of(BASELINE, COLD, ["vending"]), scores.of(label, "", ["vending"])
    return PaperCard(
        part="vending",
        initial=mean(cold),
        post=mean(post),
        lift=mean(post.minus(cold)),
        support=NOT_HERE,
        support_gap=NOT_HERE,
        process_gap=NOT_HERE,
        retention=NOT_HERE,
        slope=mean(raw_values(scores, label, "slope_change", "vending")),
        early_profit=mean(raw_values(scores, label, "early_third_profit", "vending")),
        profit=mean(raw_values(scores, label, "profit", "vending")),
        ours={
            "initial": "the paper takes an early window of profit; here it is the same seed, cold, as a score",
            "post": "the paper does not say how profit becomes a score; here it is measured against an oracle",
            "early_profit": "the paper does not say how long early is; here it is the first third",
        },
    )


def _course(scores: Scores, label: str) -> Values:
    """The mean score of the units in which a trace was shown, a pair."""
    found: dict[str, float] = {}
    for pair_id, pair in scores.results.pairs.items():
        if pair.part != "puzzle":
            continue
        outcomes = [scores.results.headline(label, pair_id, repeat) for repeat in scores.results.repeats]
        units = [line.score for one in outcomes if one is not None for line in one.practice if line.supported]
        if units:
            found[pair_id] = sum(units) / len(units)
    return Values(found, scores.places)


def raw_values(scores: Scores, label: str, name: str, part: str) -> Values:
    """A figure of the part's own after the plan of the headline, a pair; where it is a number."""
    found: dict[str, float] = {}
    for pair_id, pair in scores.results.pairs.items():
        if pair.part != part:
            continue
        outcomes = [scores.results.headline(label, pair_id, repeat) for repeat in scores.results.repeats]
        told = [one.line.raw.get(name) for one in outcomes if one is not None]
        numbers = [float(value) for value in told if isinstance(value, int | float)]
        if numbers:
            found[pair_id] = sum(numbers) / len(numbers)
    return Values(found, scores.places)
