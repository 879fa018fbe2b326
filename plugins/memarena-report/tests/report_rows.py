"""Score rows for tests: made by hand, or from the labels of a golden case as the definitions say."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from memarena.records import Metric, Stat

VARIANTS = ("paper", "release", "strict")

METRICS = {
    "recall": Metric(title="Recall", stage="write"),
    "recall_unweighted": Metric(title="Recall (unweighted)", stage="write"),
    "corr": Metric(title="Corr", stage="write"),
    "hallu": Metric(title="Hallu", stage="write", better="low"),
    "irrel": Metric(title="Irrel", stage="write", better="low"),
    "update": Metric(title="Update", stage="maintain", pooled=True, empty=0.0),
    "int_rej": Metric(title="IntRej", stage="maintain", pooled=True, empty=0.0),
    "qa_c": Metric(title="QA-C", stage="use"),
    "qa_h": Metric(title="QA-H", stage="use", better="low"),
    "qa_o": Metric(title="QA-O", stage="use", better="low"),
    "rc": Metric(title="RC", stage="retrieve"),
}

UPDATE = {"updated": 1.0, "both": 0.5, "outdated": 0.0, "missed": 0.0}


@dataclass(frozen=True)
class ScoreRow:
    """The shape of a row of `scores.jsonl`."""

    label: str
    stat: Stat
    repeat: int = 0


def row(
    sample: str,
    unit: str,
    metric: str = "qa_c",
    n: float | None = 1.0,
    d: float | None = 1.0,
    label: str = "a",
    repeat: int = 0,
    **more: Any,
) -> ScoreRow:
    """One row, with the values that most tests do not care about filled in."""
    d = None if n is None else d
    stat = Stat(sample_id=sample, unit=unit, scorer="test", revision=1, metric=metric, n=n, d=d, **more)
    return ScoreRow(label, stat, repeat)


def golden_rows(case: dict[str, Any]) -> Iterator[ScoreRow]:
    """The rows of one case of `aggregate.json`."""
    for sample in case["samples"]:
        for variant in VARIANTS:
            for number, session in enumerate(sample["sessions"]):
                yield from _session(sample["sample_id"], f"S{number:02d}", session, variant)
            for number, question in enumerate(sample["questions"]):
                yield from _question(sample["sample_id"], f"Q{number:03d}", question, variant)


def _session(sample: str, unit: str, session: dict[str, Any], variant: str) -> Iterator[ScoreRow]:
    release = variant == "release"
    points, delta = session["points"], session["delta"]
    failed = bool(points) and bool(delta) and any(point["covered"] is None for point in points)
    covered = [bool(delta) and bool(point["covered"]) for point in points]
    weights = [_weight(point["importance"], release) for point in points]
    if release and sum(weights) <= 0:
        weights = [1.0] * len(points)
    if points:
        n = sum(weight for weight, hit in zip(weights, covered, strict=True) if hit)
        d = sum(weights)
        if not delta:
            n, d = 0.0, d or 1.0
        if d > 0 or failed:
            lost = failed and not release
            yield row(sample, unit, "recall", None if lost else n, d, variant=variant, invalid=int(failed))
        yield row(
            sample,
            unit,
            "recall_unweighted",
            None if failed else float(sum(covered)),
            float(len(points)),
            variant=variant,
            invalid=int(failed),
        )
    yield from _delta(sample, unit, delta, variant)
    for name, key, value in (
        ("update", "updates", UPDATE),
        ("int_rej", "interference", {"rejected": 1.0, "memorized": 0.0}),
    ):
        for number, label in enumerate(session[key]):
            n = value[label] if label else (0.0 if release else None)
            place = f"{unit}#{number}"
            yield row(sample, place, name, n, variant=variant, invalid=int(label is None))


def _delta(sample: str, unit: str, delta: list[str | None], variant: str) -> Iterator[ScoreRow]:
    release = variant == "release"
    if not delta:
        if release:
            yield row(sample, unit, "corr", 0.0, variant=variant)
        return
    failed = any(label is None for label in delta)
    for name, wanted in (("corr", "correct"), ("hallu", "hallucination"), ("irrel", "irrelevant")):
        labels = ["irrelevant"] * len(delta) if failed else delta
        n = float(labels.count(wanted))
        lost = failed and not release
        yield row(sample, unit, name, None if lost else n, float(len(delta)), variant=variant, invalid=int(failed))


def _question(sample: str, unit: str, question: dict[str, Any], variant: str) -> Iterator[ScoreRow]:
    facets = {"type": question["type"]}
    label = question["label"]
    for name, wanted in (("qa_c", "Correct"), ("qa_h", "Hallucination"), ("qa_o", "Omission")):
        n = None if label is None else float(label == wanted)
        yield row(sample, unit, name, n, variant=variant, invalid=int(label is None), facets=facets)
    total, covered = question["evidence"], question["covered_evidence"]
    if not total:
        if variant != "strict":
            yield row(sample, unit, "rc", 0.0, variant=variant, facets=facets)
    elif covered is None:
        n = 0.0 if variant == "release" else None
        yield row(sample, unit, "rc", n, variant=variant, invalid=1, facets=facets)
    else:
        yield row(sample, unit, "rc", float(covered), float(total), variant=variant, facets=facets)


def _weight(importance: float | None, release: bool) -> float:
    if importance is None:
        return 0.0 if release else 1.0
    return importance
