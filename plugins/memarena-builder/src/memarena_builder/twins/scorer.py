"""Do answers follow the one fact in which twin worlds differ? Group `memarena.scorers`, name `twins`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memarena import hookimpl
from memarena.records import JudgementRequest, Label, Metric, QuestionRecord, SampleRecord, SessionRecord, Stat
from memarena_arena.scorers import answers
from memarena_builder.twins.file import Side, side_of

AnyRecord = SessionRecord | QuestionRecord | SampleRecord

METRICS: Mapping[str, Metric] = {
    "twin_right": Metric(
        title="Follows",
        stage="twin worlds",
        about="Questions on the fact that differs, answered as it is in the world that was told.",
    ),
    "twin_leak": Metric(
        title="Leaks",
        stage="twin worlds",
        better="low",
        about="The same questions, answered as it is in the other world, of which nothing was told: by what is known "
        "from before, or from another sample.",
    ),
    "twin_causal": Metric(
        title="Causal use",
        stage="twin worlds",
        unit="points",
        about="Follows less leaks, over both worlds: the effect of the fact on the answer. 1: it decides; 0: the "
        "answer is the same whatever was told.",
    ),
}


class TwinScorer:
    """For samples with a twin: a row a question whose right answer differs between the two."""

    name = "twins"
    revision = 1
    metrics = METRICS

    @hookimpl
    def judgement_requests(self, record: AnyRecord) -> Mapping[str, JudgementRequest]:
        """Each answer against what is right in this world and in the other."""
        out = {}
        for question, other in _asked(record):
            if question.answer.text.strip():
                out[f"right {question.unit}"] = answers.request(question)
                out[f"leak {question.unit}"] = JudgementRequest(
                    task="answer", question=question.question.text, reference=other, answer=question.answer.text
                )
        return out

    @hookimpl
    def score(self, record: AnyRecord, labels: Mapping[str, Label | None]) -> Sequence[Stat]:
        """The rows of a sample; a question one of whose labels failed has none but an invalid one."""
        stats = []
        for question, _ in _asked(record):
            right, leak = (_held(labels, f"{kind} {question.unit}", question) for kind in ("right", "leak"))
            causal = None if right is None or leak is None else right - leak
            for metric, value in (("twin_right", right), ("twin_leak", leak), ("twin_causal", causal)):
                stats.append(
                    Stat.of(
                        record, self, n=value, d=None if value is None else 1.0, metric=metric, unit=question.unit,
                        invalid=int(value is None), facets={"type": question.question.type},
                    )
                )  # fmt: skip
        return stats


def _asked(record: AnyRecord) -> Sequence[tuple[QuestionRecord, str]]:
    """The questions of a whole sample that must follow the fact, each with the answer of the other world."""
    side: Side | None = side_of(record.sample.meta) if isinstance(record, SampleRecord) else None
    if side is None or not isinstance(record, SampleRecord):
        return ()
    return [(each, side.answers[each.unit]) for each in record.questions if each.unit in side.answers]


def _held(labels: Mapping[str, Label | None], name: str, question: QuestionRecord) -> float | None:
    """1.0 where the answer was judged correct; 0.0 for an empty one; None where the judgement failed."""
    if not question.answer.text.strip():
        return 0.0
    label = labels.get(name)
    verdict = label.verdicts[0] if label else None
    return None if verdict is None else float(verdict == "Correct")
