"""Numerator and denominator of one unit: a session or a question. Means over units are made elsewhere.

A function gives None where the unit has no such score, and a `Ratio` without numbers where the score exists but cannot
be known: its judgement failed, or its weights add up to 0. A verdict of None is a judgement that failed.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from memarena_arena.metrics.variants import Variant

UPDATE_CREDIT: Mapping[str, float] = {"updated": 1.0, "both": 0.5, "outdated": 0.0, "missed": 0.0}
"""What each verdict on an update point counts (eq. 3)."""


class Ratio(NamedTuple):
    """One unit of a score: n / d, with n between 0 and d for a share."""

    n: float | None
    d: float | None
    invalid: int = 0
    """Judgements of the unit that failed."""

    @property
    def value(self) -> float | None:
        """The share n / d; None where the unit is invalid."""
        return None if self.n is None or not self.d else self.n / self.d


def highest(ratios: Sequence[Ratio]) -> Ratio:
    """The first of those with the highest share; all have one."""
    return max(ratios, key=lambda ratio: ratio.value or 0.0)


def best(ratios: Sequence[Ratio | None]) -> Ratio | None:
    """What is right of several that are each enough: the highest share. One that is not known is right where no other
    is whole, for it might be the highest; None where there is no score at all."""
    there = [ratio for ratio in ratios if ratio is not None]
    known = [ratio for ratio in there if ratio.value is not None]
    unknown = next((ratio for ratio in there if ratio.value is None), None)
    top = highest(known) if known else None
    return top if top is not None and (unknown is None or top.value == 1) else unknown


def recall(
    weights: Sequence[float | None],
    covered: Sequence[bool | None],
    variant: Variant,
    *,
    wrote: bool,
    weighted: bool = True,
) -> Ratio | None:
    """Recall of a session over its new and update points (eq. 1); None without such points.

    `weights` and `covered` go point by point; a weight of None is missing. `wrote` says whether the session wrote
    anything at all: where it did not, it covers nothing, whatever the judge did and whatever the weights.
    """
    if not weights:
        return None
    shares = _weights(weights, variant) if weighted else [1.0] * len(weights)
    total = sum(shares)
    if not wrote:
        return Ratio(0.0, total or float(len(weights)))
    failed = sum(verdict is None for verdict in covered)
    if failed:
        return Ratio(0.0, total, failed) if variant == "release" and weighted else Ratio(None, None, failed)
    if not total:
        return Ratio(None, None)
    return Ratio(sum([share for share, verdict in zip(shares, covered, strict=True) if verdict], 0.0), total)


def _weights(importances: Sequence[float | None], variant: Variant) -> list[float]:
    missing = 0.0 if variant == "release" else 1.0
    weights = [missing if each is None or not math.isfinite(each) else max(float(each), 0.0) for each in importances]
    return [1.0] * len(weights) if variant == "release" and not any(weights) else weights


def correctness(labels: Sequence[str | None], label: str, variant: Variant) -> Ratio | None:
    """Share of the items written in a session that are `label`: correct, hallucination or irrelevant (eq. 2).

    None where nothing was written, except for `correct` in `release`, which is 0 then. There a failed judgement also
    makes the item irrelevant.
    """
    if not labels:
        return Ratio(0.0, 1.0) if variant == "release" and label == "correct" else None
    failed = labels.count(None)
    if variant == "release":
        hits = labels.count(label) + (failed if label == "irrelevant" else 0)
        return Ratio(float(hits), float(len(labels)), failed)
    if failed:
        return Ratio(None, None, failed)
    return Ratio(float(labels.count(label)), float(len(labels)))


def update(labels: Sequence[str | None], variant: Variant) -> Ratio | None:
    """Credit of the update points of a session (eq. 3); None without such points."""
    return _pooled([None if label is None else UPDATE_CREDIT[label] for label in labels], variant)


def rejection(labels: Sequence[str | None], variant: Variant) -> Ratio | None:
    """Interference points of a session that were rejected (eq. 4); None without such points."""
    return _pooled([None if label is None else float(label == "rejected") for label in labels], variant)


def outcome(labels: Sequence[str | None], wanted: str) -> Ratio | None:
    """Update points with the verdict `wanted` / those with a valid one; None without update points."""
    return _pooled([None if label is None else float(label == wanted) for label in labels], "paper")


def _pooled(credits: Sequence[float | None], variant: Variant) -> Ratio | None:
    """Sum of the credits / points with a valid verdict; `release` keeps a failed one in the denominator."""
    if not credits:
        return None
    valid = [credit for credit in credits if credit is not None]
    failed = len(credits) - len(valid)
    if variant == "release":
        return Ratio(sum(valid, 0.0), float(len(credits)), failed)
    return Ratio(sum(valid, 0.0), float(len(valid)), failed) if valid else Ratio(None, None, failed)


def answered(label: str | None, wanted: str) -> Ratio:
    """Whether an answer has the label `wanted`: Correct, Hallucination or Omission (eq. 5-7)."""
    return Ratio(None, None, 1) if label is None else Ratio(float(label == wanted), 1.0)


def coverage(covered: int | None, evidence: int, variant: Variant, *, resolved: int | None = None) -> Ratio | None:
    """RC: evidence points that the retrieved list supports / evidence points (eq. 9); None: left out.

    `covered` is None where the judgement failed. `release` divides by the `resolved` points (all, where not said).
    """
    if variant == "release":
        evidence = evidence if resolved is None else resolved
    if not evidence:
        return None if variant == "strict" else Ratio(0.0, 1.0)
    if covered is None:
        return Ratio(0.0, float(evidence), 1) if variant == "release" else Ratio(None, None, 1)
    return Ratio(float(min(covered, evidence)), float(evidence))
