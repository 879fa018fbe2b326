"""All stage scores of a run from its labels, at the level at which each variant is published.

`paper` and `strict` take the mean (or the pooled share) within a sample, then the mean over samples; `release` takes
everything in the run at once. The same functions for one unit serve the scorers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from typing import Any

from memarena_arena.metrics import units
from memarena_arena.metrics.units import Ratio
from memarena_arena.metrics.variants import Variant, checked

Unit = Callable[[Any], Ratio | None]

_CORRECTNESS = {"corr": "correct", "hallu": "hallucination", "irrel": "irrelevant"}
_ANSWERS = {"qa_c": "Correct", "qa_h": "Hallucination", "qa_o": "Omission"}


def summarise(samples: Sequence[Mapping[str, Any]], variant: str) -> dict[str, Any]:
    """`recall`, `recall_unweighted`, `corr`, `hallu`, `irrel`, `update`, `int_rej`, `qa_c`, `qa_h`, `qa_o`, `rc` and
    `avg_type` (shares, or None where there is nothing to average) and `by_type` (QA-C of each type that occurs).

    A sample has `sessions` (each with `points`: `importance` or None, `covered` or None; `delta`: a label an item;
    `updates`, `interference`: a verdict a point) and `questions` (`type`, `label`, `evidence`: number of points,
    `covered_evidence`). None as a label is a judgement that failed. Raises UsageError for an unknown variant.
    """
    reading = checked(variant)
    sessions = [list(sample["sessions"]) for sample in samples]
    questions = [list(sample["questions"]) for sample in samples]
    mean = partial(_mean, variant=reading)
    pool = partial(_mean, variant=reading, pooled=True)
    found: dict[str, Any] = {
        "recall": mean(sessions, lambda session: _recall(session, reading, weighted=True)),
        "recall_unweighted": mean(sessions, lambda session: _recall(session, reading, weighted=False)),
    }
    for name, label in _CORRECTNESS.items():
        found[name] = mean(sessions, partial(_correctness, label=label, variant=reading))
    found["update"] = pool(sessions, lambda session: units.update(session["updates"], reading))
    found["int_rej"] = pool(sessions, lambda session: units.rejection(session["interference"], reading))
    if reading == "release":
        found.update({name: found[name] or 0.0 for name in ("update", "int_rej")})
    for name, label in _ANSWERS.items():
        found[name] = mean(questions, partial(_answered, label=label))
    found["rc"] = mean(
        questions, lambda question: units.coverage(question["covered_evidence"], question["evidence"], reading)
    )
    return found | _types(questions, reading)


def _recall(session: Mapping[str, Any], variant: Variant, *, weighted: bool) -> Ratio | None:
    points = session["points"]
    return units.recall(
        [point["importance"] for point in points],
        [point["covered"] for point in points],
        variant,
        wrote=bool(session["delta"]),
        weighted=weighted,
    )


def _correctness(session: Mapping[str, Any], label: str, variant: Variant) -> Ratio | None:
    return units.correctness(session["delta"], label, variant)


def _answered(question: Mapping[str, Any], label: str) -> Ratio:
    return units.answered(question["label"], label)


def _mean(groups: Sequence[Sequence[Any]], unit: Unit, variant: Variant, *, pooled: bool = False) -> float | None:
    """The mean of a score: `groups` holds the units of each sample."""
    if variant == "release":
        groups = [[each for group in groups for each in group]]
    return _average([_within([unit(each) for each in group], pooled=pooled) for group in groups])


def _within(ratios: Iterable[Ratio | None], *, pooled: bool) -> float | None:
    valid = [ratio for ratio in ratios if ratio is not None and ratio.value is not None]
    if not pooled:
        return _average([ratio.value for ratio in valid])
    total = sum([ratio.d or 0.0 for ratio in valid])
    return sum([ratio.n or 0.0 for ratio in valid]) / total if total else None


def _average(values: Iterable[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) / len(known) if known else None


def _types(questions: Sequence[Sequence[Mapping[str, Any]]], variant: Variant) -> dict[str, Any]:
    """QA-C by type, and `Avg.`: the unweighted mean of the types of a sample, then over samples (B.5)."""
    correct = partial(_answered, label="Correct")
    names = dict.fromkeys(question["type"] for group in questions for question in group)
    by_type = {
        name: _mean([[each for each in group if each["type"] == name] for group in questions], correct, variant)
        for name in names
    }
    if variant == "release":
        return {"avg_type": _average(by_type.values()), "by_type": by_type}
    averages = [
        _average(_within([correct(each) for each in group if each["type"] == name], pooled=False) for name in names)
        for group in questions
    ]
    return {"avg_type": _average(averages), "by_type": by_type}
