"""Scorers are asked apart, labels reach their owner, and a failed judgement is invalid, not zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from memarena import Answer, Capabilities, JudgementRequest, Label, Metric, Question, Retrieval, Stat, hookimpl
from memarena.errors import PluginError
from memarena.records import QuestionRecord
from memarena.scoring import Scorers

RECORD = QuestionRecord(
    label="a",
    sample_id="s",
    regime="external",
    domain="",
    checkpoint_id="C",
    session_index=0,
    question=Question(question_id="C:Q001", text="Where?", reference="Leeds"),
    retrieval=Retrieval(query="Where?"),
    answer=Answer(question_id="C:Q001", text="Leeds"),
    capabilities=Capabilities(),
)


class Asking:
    """Asks one judgement and gives one row."""

    revision = 1

    def __init__(self, name: str, metric: str) -> None:
        self.name = name
        self.metrics: Mapping[str, Metric] = {metric: Metric(title=metric, stage="use")}
        self.metric = metric

    @hookimpl
    def judgement_requests(self, record: Any) -> Mapping[str, JudgementRequest]:
        return {"answer": JudgementRequest(task="answer", answer=self.name)}

    @hookimpl
    def score(self, record: Any, labels: Mapping[str, Label | None]) -> Sequence[Stat]:
        label = labels["answer"]
        n = None if label is None else float(label.verdicts == ("Correct",))
        return (Stat.of(record, self, n=n, d=None if n is None else 1.0, invalid=int(n is None), metric=self.metric),)


def test_two_scorers_may_use_one_name_for_their_requests() -> None:
    scorers = Scorers([Asking("b", "y"), Asking("a", "x")])
    requests = scorers.requests(RECORD)
    assert {key: request.answer for key, request in requests.items()} == {("a", "answer"): "a", ("b", "answer"): "b"}
    rows = list(scorers.rows(RECORD, {("a", "answer"): Label(verdicts=("Correct",)), ("b", "answer"): None}))
    assert [(row.metric, row.n, row.d, row.invalid) for row in rows] == [("x", 1.0, 1.0, 0), ("y", None, None, 1)]


def test_the_row_of_a_record_names_its_scorer_and_unit() -> None:
    row = Stat.of(RECORD, Asking("a", "x"), n=0.5)
    assert (row.sample_id, row.unit, row.scorer, row.revision, row.metric, row.d) == ("s", "C:Q001", "a", 1, "a", 1.0)


def test_two_scorers_cannot_claim_one_metric() -> None:
    with pytest.raises(PluginError, match="two scorers give the metric 'x'"):
        Scorers([Asking("a", "x"), Asking("b", "x")]).metrics()


def test_a_row_of_a_metric_that_is_not_named_is_refused() -> None:
    scorer = Asking("a", "x")
    scorer.metric = "z"
    scorers = Scorers([scorer])
    with pytest.raises(PluginError, match="gives rows of 'z', which its `metrics` does not name"):
        list(scorers.rows(RECORD, {("a", "answer"): None}))


class ContainsGold:
    """The 12-line scorer of the docs."""

    name, revision = "contains-gold", 1

    @hookimpl
    def score(self, record: Any, labels: Mapping[str, Label | None]) -> Sequence[Stat]:
        if record.kind != "question":
            return ()
        hit = record.reference.casefold() in record.answer.text.casefold()
        return (Stat.of(record, self, n=float(hit), d=1.0),)


def test_a_scorer_that_judges_nothing_needs_a_name_a_revision_and_one_hook() -> None:
    scorers = Scorers([ContainsGold()])
    assert scorers.requests(RECORD) == {}
    assert list(scorers.metrics()) == ["contains-gold"]
    assert [row.n for row in scorers.rows(RECORD, {})] == [1.0]
