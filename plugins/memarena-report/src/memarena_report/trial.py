"""How far the stages can be believed: planted and diagnosed stages, as the scorer's own trial found them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memarena_report.explaining import explainer_of
from memarena_report.scores import Scores

STAGES = ("write", "maintain", "retrieve", "show", "use", "made up", "nothing")


@dataclass(frozen=True, slots=True)
class Trial:
    """The confusion matrix of a diagnosis."""

    about: str
    stages: tuple[str, ...]
    rows: list[tuple[str, list[int]]]
    """Planted stage, and how many of its questions each of `stages` was diagnosed for."""


def trial_of(scores: Scores) -> Trial | None:
    """None where the scorer that put the answers at their stages was never tried, or is not installed."""
    tried = getattr(explainer_of(scores.metrics), "trial", None)
    return None if tried is None else as_matrix(tried())


def as_matrix(given: Mapping[str, Any]) -> Trial:
    """The matrix of `memarena selftest --json`."""
    counts = {(one["planted"], one["diagnosed"]): int(one["count"]) for one in given["stages"]}
    return Trial(
        about=(
            f"{100 * given['right']:.1f} % of {given['losses']:,} planted losses at their stage, "
            f"{100 * given['blamed']:.1f} % of {given['healthy']:,} right answers blamed "
            f"(data set {given['data']}, judge {given['judge']}; memarena selftest)"
        ),
        stages=STAGES,
        rows=[(planted, [counts.get((planted, one), 0) for one in STAGES]) for planted in STAGES],
    )
