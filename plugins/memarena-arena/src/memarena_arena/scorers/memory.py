"""Stages 1 and 2: what a session wrote and what is kept after it (paper, eq. 1-4)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from memarena import hookimpl
from memarena.records import GoldPoint, JudgementRequest, Label, Metric, SessionRecord, Stat
from memarena_arena.metrics import units
from memarena_arena.metrics.units import Ratio
from memarena_arena.metrics.variants import VARIANTS
from memarena_arena.scorers import facets, kept, verdicts
from memarena_arena.scorers.rows import AnyRecord, Better, Rows

_CORRECTNESS = {"corr": "correct", "hallu": "hallucination", "irrel": "irrelevant"}
_OUTCOMES = {
    "update_success": "updated",
    "update_both": "both",
    "update_outdated": "outdated",
    "update_missed": "missed",
}

Labels = Mapping[str, Label | None]


def _write(title: str, about: str, better: Better = "high", *, pooled: bool = False) -> Metric:
    return Metric(title=title, stage="write", better=better, pooled=pooled, about=about)


def _maintain(title: str, about: str, better: Better = "high", empty: float | None = None) -> Metric:
    return Metric(title=title, stage="maintain", pooled=True, better=better, empty=empty, about=about)


METRICS: Mapping[str, Metric] = {
    "recall": _write("Recall", "Weight of the gold points that their session wrote (paper, eq. 1)."),
    "recall_unweighted": _write("Recall (unweighted)", "Share of the gold points that their session wrote."),
    "corr": _write("Corr", "Share of the items written that are faithful (paper, eq. 2)."),
    "hallu": _write("Hallu", "Share of the items written that contradict the dialogue (paper, eq. 2).", "low"),
    "irrel": _write("Irrel", "Share of the items written that never happened (paper, eq. 2).", "low"),
    "update": _maintain("Update", "Updates: new kept and old gone 1, both kept 0.5, else 0 (paper, eq. 3).", empty=0.0),
    "update_success": _maintain("Updated", "Share of updates with the new kept and the old gone (paper, 4.4)."),
    "update_both": _maintain("Both kept", "Share of updates with both new and old kept.", "low"),
    "update_outdated": _maintain("Outdated", "Share of updates with only the old kept.", "low"),
    "update_missed": _maintain("Missed", "Share of updates with neither new nor old kept.", "low"),
    "int_rej": _maintain("IntRej", "Share of interference points that are not kept (paper, eq. 4).", empty=0.0),
    "point_written": _write("Points written", "Gold points that their session wrote, a row a point.", pooled=True),
    "point_updated": _maintain("Points updated", "Credit of update points (paper, eq. 3), a row a point."),
    "point_rejected": _maintain("Points rejected", "Interference points that are not kept, a row a point."),
}


class MemoryScorer:
    """Recall, correctness, update and rejection of interference: a row a session and, to group by kind, a row a point.

    A system whose state cannot be seen gets no rows. Update and rejection read the active items; `release` reads all.
    """

    name = "memory"
    revision = 1
    metrics = METRICS

    @hookimpl
    def judgement_requests(self, record: AnyRecord) -> Mapping[str, JudgementRequest]:
        """What is to be judged for a session; nothing where the answer is plain, as for an empty store."""
        if not isinstance(record, SessionRecord) or not record.capabilities.state:
            return {}
        requests: dict[str, JudgementRequest] = {}
        gold = tuple(point.content for point in record.session.gold("new", "update"))
        items = kept.written(record)
        if items and gold:
            requests["recall"] = JudgementRequest(task="recall", items=items, points=gold)
        if items:
            dialogue = tuple(turn.text for turn in record.session.turns)
            requests["correctness"] = JudgementRequest(task="correctness", items=items, points=gold, dialogue=dialogue)
        return requests | kept.requests(record)

    @hookimpl
    def score(self, record: AnyRecord, labels: Labels) -> Sequence[Stat]:
        """The rows of a session."""
        if not isinstance(record, SessionRecord) or not record.capabilities.state:
            return ()
        rows = Rows(record, self, facets.of_session(record))
        _recall_rows(rows, record, labels)
        _correctness_rows(rows, record, labels)
        _update_rows(rows, record, labels)
        _interference_rows(rows, record, labels)
        return rows.stats


def _recall_rows(rows: Rows, record: SessionRecord, labels: Labels) -> None:
    gold = record.session.gold("new", "update")
    wrote = bool(kept.written(record))
    found = verdicts.read(labels, "recall", len(gold), ("yes", "no")) if wrote else ["no"] * len(gold)
    covered = [None if verdict is None else verdict == "yes" for verdict in found]
    weights = [point.importance for point in gold]
    for metric, weighted in (("recall", True), ("recall_unweighted", False)):
        ratios = [units.recall(weights, covered, each, wrote=wrote, weighted=weighted) for each in VARIANTS]
        rows.add_variants(metric, *ratios)
    credits = [None if each is None else float(each) for each in covered]
    _point_rows(rows, record, "point_written", gold, credits)


def _correctness_rows(rows: Rows, record: SessionRecord, labels: Labels) -> None:
    written = kept.written(record)
    judged = verdicts.read(labels, "correctness", len(written), _CORRECTNESS.values())
    for metric, label in _CORRECTNESS.items():
        rows.add_variants(metric, *[units.correctness(judged, label, each) for each in VARIANTS])


def _update_rows(rows: Rows, record: SessionRecord, labels: Labels) -> None:
    points = record.session.gold("update")
    active, everything = kept.read(record, labels, "update", len(points))
    rows.add_variants(
        "update",
        units.update(active, "paper"),
        units.update(everything, "release"),
        units.update(active, "strict"),
    )
    for metric, outcome in _OUTCOMES.items():
        rows.add(metric, units.outcome(active, outcome))
    credits = [None if verdict is None else units.UPDATE_CREDIT[verdict] for verdict in active]
    _point_rows(rows, record, "point_updated", points, credits, active)


def _interference_rows(rows: Rows, record: SessionRecord, labels: Labels) -> None:
    points = record.session.gold("interference")
    active, everything = kept.read(record, labels, "interference", len(points))
    rows.add_variants(
        "int_rej",
        units.rejection(active, "paper"),
        units.rejection(everything, "release"),
        units.rejection(active, "strict"),
    )
    credits = [None if verdict is None else float(verdict == "rejected") for verdict in active]
    _point_rows(rows, record, "point_rejected", points, credits, active)


def _point_rows(
    rows: Rows,
    record: SessionRecord,
    metric: str,
    points: Sequence[GoldPoint],
    credits: Sequence[float | None],
    outcomes: Sequence[str | None] = (),
) -> None:
    """A row a point, whose unit is `<session>:<memory id>`, numbered from the second of its name."""
    seen: Counter[str] = Counter()
    for point, credit, outcome in zip(points, credits, outcomes or [None] * len(points), strict=True):
        seen[point.memory_id] += 1
        again = f"#{seen[point.memory_id]}" if seen[point.memory_id] > 1 else ""
        rows.add(
            metric,
            Ratio(None, None, 1) if credit is None else Ratio(credit, 1.0),
            unit=f"{record.unit}:{point.memory_id}{again}",
            facets=facets.of_point(record, point, outcome or ""),
        )
