"""Where each wrong answer was lost (metrics, section 5): never written, not maintained, not retrieved, not shown, not
used."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files
from typing import Any

from memarena import hookimpl
from memarena.explanations import Explanation
from memarena.records import JudgementRequest, Label, Metric, QuestionRecord, SampleRecord, Stat
from memarena_arena.metrics.units import Ratio
from memarena_arena.scorers import facets, facts, reasons, stages
from memarena_arena.scorers.explaining import explanations
from memarena_arena.scorers.facts import Holding, Support
from memarena_arena.scorers.rows import AnyRecord, Better, Facets, Rows
from memarena_arena.scorers.stages import Journey


def _share(title: str, stage: str, about: str, better: Better = "low") -> Metric:
    return Metric(title=title, stage=stage, better=better, about=about)


LOST: Mapping[str, str] = {
    stages.WRITE: "lost_write",
    stages.MAINTAIN: "lost_maintain",
    stages.RETRIEVE: "lost_retrieve",
    stages.SHOW: "lost_show",
    stages.USE: "lost_use",
    stages.UNSEEN: "lost_unseen",
}
"""Stage -> metric."""

METRICS: Mapping[str, Metric] = {
    "lost_write": _share("Never written", "write", "Questions lost because some evidence was never written."),
    "lost_maintain": _share(
        "Not maintained", "maintain", "Questions lost because written evidence was gone or out of date."
    ),
    "lost_retrieve": _share("Not retrieved", "retrieve", "Questions lost because kept evidence was not retrieved."),
    "lost_show": _share("Not shown", "retrieve", "Questions lost because a budget cut retrieved evidence."),
    "lost_use": _share("Not used", "use", "Questions answered wrongly with all their evidence at hand."),
    "lost_unseen": _share("Lost unseen", "retrieve", "Questions lost up to retrieval where the state is not seen."),
    "made_up": _share("Made up", "use", "Unanswerable questions that were answered."),
    "lucky": _share("Right by luck", "use", "Correct answers whose evidence was not all shown.", "neither"),
    "grounded": _share("Grounded", "use", "Values of the answers that stand in what was shown.", "high"),
    "reach_written": _share("Written", "write", "Questions whose evidence was all written.", "high"),
    "reach_kept": _share("Kept", "maintain", "Questions whose evidence was all written and kept.", "high"),
    "reach_retrieved": _share("Retrieved", "retrieve", "Questions whose evidence was all retrieved.", "high"),
    "reach_shown": _share("Shown", "retrieve", "Questions whose evidence was all shown.", "high"),
    "reach_used": _share("Used", "use", "Questions answered correctly with all their evidence shown.", "high"),
    "kept_if_written": _share("Kept | written", "maintain", "Of those written, those kept (figure 4c).", "high"),
    "retrieved_if_kept": _share("Retrieved | kept", "retrieve", "Of those kept, those retrieved (figure 4c).", "high"),
    "correct_if_retrieved": _share("Correct | retrieved", "use", "Of those retrieved, those correct (4c).", "high"),
    "correct_by_age": _share(
        "Correct", "use", "Questions with evidence answered correctly, to group by its `age` in sessions.", "high"
    ),
}  # fmt: skip


class DiagnosisScorer:
    """Follows the evidence of each question through write, keep, retrieve, show and use: rows a question.

    The shares `lost_...` and the correct answers add up to one over the questions whose evidence can be followed. Rows
    carry the facets of the question, `age` (sessions since its oldest evidence), `lost_at` and `reason`.
    """

    name = "diagnosis"
    revision = 1
    metrics = METRICS

    @hookimpl
    def judgement_requests(self, record: AnyRecord) -> Mapping[str, JudgementRequest]:
        """Which facts each text that was kept supports; the others are those of the other scorers, judged once."""
        if not isinstance(record, SampleRecord):
            return {}
        found = facts.requests(record) if record.capabilities.state else {}
        for question in record.questions:
            found.update(stages.requests(question))
        return found

    @hookimpl
    def score(self, record: AnyRecord, labels: Mapping[str, Label | None]) -> Sequence[Stat]:
        """The rows of all questions of a sample."""
        if not isinstance(record, SampleRecord):
            return ()
        support = Support(record, labels)
        holdings = support.holdings(record) if record.capabilities.state else []
        told = {session.session.session_id: session.index for session in record.sessions}
        stats: list[Stat] = []
        for question in record.questions:
            stats += self._rows(question, labels, record, support, holdings, told)
        return stats

    @staticmethod
    def trial() -> Mapping[str, Any]:
        """How often it was right when it was tried: what `memarena selftest --json` gave on the data set `mini`."""
        text = files("memarena_arena.selftest").joinpath("trial.json").read_text(encoding="utf-8")
        found: Mapping[str, Any] = json.loads(text)
        return found

    def explain(self, record: SampleRecord, labels: Mapping[str, Label | None]) -> Iterator[Explanation]:
        """What became of each question, in the order in which they were asked."""
        return explanations(record, labels)

    def _rows(
        self,
        question: QuestionRecord,
        labels: Mapping[str, Label | None],
        record: SampleRecord,
        support: Support,
        holdings: Sequence[Holding],
        told: Mapping[str, int],
    ) -> Sequence[Stat]:
        base = facets.of_question(question)
        if not question.question.answerable:
            rows = Rows(question, self, base)
            label = stages.answered(question, labels)
            rows.add("made_up", Ratio(None, None, 1) if label is None else Ratio(float(label != "Correct"), 1.0))
            return rows.stats
        way = stages.journey(question, labels, support, holdings)
        if way is None:
            return ()
        rows = Rows(question, self, {**base, **_own_facets(question, way, record, told)})
        _lost_rows(rows, way)
        _reach_rows(rows, way)
        if not question.capabilities.answers:
            grounded, values = reasons.groundedness(question)
            rows.add("grounded", Ratio(float(grounded), float(values)) if values else None)
        return rows.stats


def _own_facets(question: QuestionRecord, way: Journey, record: SampleRecord, told: Mapping[str, int]) -> Facets:
    found: dict[str, str | int | float | bool] = {}
    places = [told[point.session_id or ""] for point in way.points if point.session_id in told]
    if places:
        found["age"] = max(question.session_index - min(places), 0)
    lost_at = way.lost_at
    if lost_at:
        found["lost_at"] = lost_at
    if reason := reasons.of(question, record.sample, way):
        found["reason"] = reason
    return found


def _lost_rows(rows: Rows, way: Journey) -> None:
    lost_at = way.lost_at
    hidden = {stages.UNSEEN} if way.seen else {stages.WRITE, stages.MAINTAIN, stages.RETRIEVE}
    if not way.looked_up:
        hidden |= {stages.RETRIEVE, stages.SHOW, stages.UNSEEN}
    for stage, metric in LOST.items():
        if stage not in hidden:
            rows.add(metric, Ratio(None, None, 1) if lost_at is None else Ratio(float(lost_at == stage), 1.0))
    correct = way.label == "Correct"
    rows.add("correct_by_age", Ratio(None, None, 1) if way.label is None else Ratio(float(correct), 1.0))
    if correct and way.shown is not None:
        rows.add("lucky", Ratio(float(not way.shown), 1.0))


def _reach_rows(rows: Rows, way: Journey) -> None:
    correct = None if way.label is None else way.label == "Correct"
    if way.seen:
        rows.add("reach_written", _ratio(way.written))
        rows.add("reach_kept", _ratio(way.kept))
        rows.add("kept_if_written", _ratio(way.kept) if way.written else None)
    if way.looked_up:
        rows.add("reach_retrieved", _ratio(way.retrieved))
        rows.add("reach_shown", _ratio(way.shown))
        rows.add("retrieved_if_kept", _ratio(way.retrieved) if way.kept else None)
        rows.add("correct_if_retrieved", _ratio(correct) if way.retrieved else None)
        used = None if None in (correct, way.shown) else bool(correct and way.shown)
        rows.add("reach_used", _ratio(used))


def _ratio(passed: bool | None) -> Ratio:
    return Ratio(None, None, 1) if passed is None else Ratio(float(passed), 1.0)
