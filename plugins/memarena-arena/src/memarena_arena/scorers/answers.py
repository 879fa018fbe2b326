"""Stage 4: the answers (paper, eq. 5-8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memarena import hookimpl
from memarena.records import JudgementRequest, Label, Metric, QuestionRecord, Stat
from memarena_arena.metrics import text, units
from memarena_arena.metrics.units import Ratio
from memarena_arena.scorers import evidence, facets, verdicts
from memarena_arena.scorers.rows import AnyRecord, Rows

_LABELS = {"qa_c": "Correct", "qa_h": "Hallucination", "qa_o": "Omission"}

METRICS: Mapping[str, Metric] = {
    "qa_c": Metric(title="QA-C", stage="use", about="Answers labelled Correct / valid labels (paper, eq. 5)."),
    "qa_h": Metric(
        title="QA-H", stage="use", better="low", about="Answers labelled Hallucination / valid labels (paper, eq. 6)."
    ),
    "qa_o": Metric(
        title="QA-O", stage="use", better="low", about="Answers labelled Omission / valid labels (paper, eq. 7)."
    ),
    "f1": Metric(title="F1", stage="use", about="F1 of Porter-stemmed tokens with the reference (paper, eq. 8)."),
    "bleu1": Metric(title="BLEU-1", stage="use", about="Unigram BLEU with brevity penalty (paper, appendix B)."),
    "exact": Metric(title="Exact", stage="use", about="Answers that are the reference once both are normalised."),
    "abstain_right": Metric(
        title="Abstains rightly", stage="use", about="Unanswerable questions at which the system abstains."
    ),
    "abstain_wrong": Metric(
        title="Abstains wrongly", stage="use", better="low", about="Answerable questions at which the system abstains."
    ),
}


class AnswerScorer:
    """The judged label, F1, BLEU-1 and exact match of each answer, and whether the system abstained: a row a question.

    An empty answer is an Omission and is not judged. Of several right answers that counts to which it comes closest. In
    `strict`, F1 and BLEU-1 also read scripts without blanks.
    """

    name = "answers"
    revision = 1
    metrics = METRICS

    @hookimpl
    def judgement_requests(self, record: AnyRecord) -> Mapping[str, JudgementRequest]:
        """One label a question that was answered."""
        if not isinstance(record, QuestionRecord) or not record.answer.text.strip():
            return {}
        return {"answer": request(record)}

    @hookimpl
    def score(self, record: AnyRecord, labels: Mapping[str, Label | None]) -> Sequence[Stat]:
        """The rows of a question."""
        if not isinstance(record, QuestionRecord):
            return ()
        rows = Rows(record, self, facets.of_question(record))
        given, references = record.answer.text, (record.reference, *record.question.aliases)
        label = label_of(record, labels, "answer")
        for metric, wanted in _LABELS.items():
            rows.add(metric, units.answered(label, wanted))
        same = all(text.words(each) == text.words(each, "strict") for each in (given, *references))
        for metric, measure in (("f1", text.f1), ("bleu1", text.bleu1)):
            plain = Ratio(max(measure(given, each) for each in references), 1.0)
            strict = plain if same else Ratio(max(measure(given, each, tokens="strict") for each in references), 1.0)
            rows.add_variants(metric, plain, plain, strict)
        rows.add("exact", Ratio(max(text.exact(given, each) for each in references), 1.0))
        abstained = Ratio(float(text.abstains(given)), 1.0)
        rows.add("abstain_wrong" if record.question.answerable else "abstain_right", abstained)
        return rows.stats


def request(record: QuestionRecord) -> JudgementRequest:
    """Asks for the label of an answer that is not empty."""
    return JudgementRequest(
        task="answer",
        question=record.question.text,
        reference=record.reference,
        aliases=record.question.aliases,
        answer=record.answer.text,
        points=tuple(point.content or "" for point in evidence.resolved(record)),
    )


def label_of(record: QuestionRecord, labels: Mapping[str, Label | None], name: str) -> str | None:
    """The label of an answer, from the judgement `name`; an empty answer is an Omission. None: it failed."""
    if not record.answer.text.strip():
        return "Omission"
    return verdicts.read(labels, name, 1, _LABELS.values())[0]
