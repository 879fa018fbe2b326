"""The contrasts that are declared before a run: each with its test, and Holm over those between memory systems."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import TYPE_CHECKING

from msgspec.structs import replace

from memarena.records import Record
from memarena_aha.suite.card import Scores
from memarena_aha.suite.conditions import COLD
from memarena_aha.suite.controls import BASELINE, CONTROLS, NULL
from memarena_aha.suite.statistics import Figure, Values, apart, mean

if TYPE_CHECKING:
    from memarena_report.levels import Part

__all__ = ["Contrast", "between_systems", "contrasts_of", "near_and_far"]

LONG_CONTEXT = "long-context"


class Contrast(Record, frozen=True, kw_only=True):
    """One difference of two means on the same pairs, in points."""

    left: str
    right: str
    parts: tuple[str, ...]
    figure: Figure
    p: float | None = None
    """Two-sided, sign flips over blocks; None with fewer than two blocks."""
    p_holm: float | None = None
    """After Holm's adjustment over the contrasts between memory systems; None where it is none of them."""
    detectable: float | None = None
    """The smallest difference that these data show with 80 % power at the 5 % level."""
    declared: bool = True
    """Declared before the run; all else is exploratory."""


def contrasts_of(scores: Scores) -> list[Contrast]:
    """P - B of each arm; then, with Holm, each system against null and long context, and all pairs of systems."""
    arms = [label for label in scores.results.labels if label not in (BASELINE, NULL)]
    tested = [label for label in arms if label not in CONTROLS]
    cold = scores.of(BASELINE, COLD)
    plain = [_contrast(scores, label, "B", scores.of(label, ""), cold) for label in arms]
    within = [one for label in arms for one in _within(scores, label)]
    return [*plain, *between_systems(scores, tested), *within]


def between_systems(scores: Scores, tested: Sequence[str]) -> list[Contrast]:
    """Systems against null, against long context, and against each other."""
    from memarena_report.differences import holm

    others = [label for label in (NULL, LONG_CONTEXT) if label in scores.results.labels]
    pairs = [(label, other) for label in tested for other in others]
    pairs += list(combinations(tested, 2))
    found = [_contrast(scores, left, right, scores.of(left, ""), scores.of(right, "")) for left, right in pairs]
    adjusted = holm([one.p for one in found])
    return [replace(one, p_holm=p) for one, p in zip(found, adjusted, strict=True)]


def _within(scores: Scores, label: str) -> Iterator[Contrast]:
    """Near and far transfer of puzzles, full and partial teaching of tasks, in one arm."""
    near, far = (_of_transfer(scores, label, kind) for kind in ("near", "far"))
    if near.by_pair and far.by_pair:
        yield Contrast(left=f"{label}: near", right="far", parts=("puzzle",), figure=apart(near, far))
    full, partial = (scores.of(label, condition, ["euler"]) for condition in ("full", "partial"))
    if full.by_pair and partial.by_pair:
        yield _contrast(scores, f"{label}: full", "partial", full, partial)


def _of_transfer(scores: Scores, label: str, kind: str) -> Values:
    pairs = scores.results.pairs
    values = scores.of(label, "", ["puzzle"])
    own = {pair_id: score for pair_id, score in values.by_pair.items() if pairs[pair_id].facets.get("transfer") == kind}
    return Values(own, scores.places)


def near_and_far(scores: Scores, label: str) -> tuple[Figure, Figure] | None:
    """P of puzzles whose mechanism occurred in the course, and of those whose did not; None where no pair says."""
    found = [mean(_of_transfer(scores, label, kind)) for kind in ("near", "far")]
    return (found[0], found[1]) if any(one.n for one in found) else None


def _contrast(scores: Scores, left: str, right: str, a: Values, b: Values) -> Contrast:
    from memarena_report.differences import difference
    from memarena_report.levels import Counts, Quantity

    a, b = a.on(b), b.on(a)
    figure = mean(a.minus(b))
    parts = tuple(part for part in scores.parts if any(scores.places[pair][0] == part for pair in a.by_pair))
    made = Contrast(left=left, right=right, parts=parts, figure=figure)
    if figure.blocks < 2 or figure.lo is None:
        return made
    sides = [Quantity(_parts(values, parts), Counts(n=len(values.by_pair))) for values in (a, b)]
    seen = difference(*sides)
    return made if seen is None else replace(made, p=seen.p, detectable=seen.detectable)


def _parts(values: Values, parts: Sequence[str]) -> tuple[Part, ...]:
    """One `Part` of the report's statistics for each part of the suite, over the blocks of all."""
    import numpy as np

    from memarena_report.levels import Part as Side

    sums = values.sums()
    sizes = [len(sums[part][0]) for part in parts]
    found = []
    for place, part in enumerate(parts):
        num, den = np.zeros(sum(sizes)), np.zeros(sum(sizes))
        start = sum(sizes[:place])
        num[start : start + sizes[place]], den[start : start + sizes[place]] = sums[part]
        found.append(Side(num, den))
    return tuple(found)
