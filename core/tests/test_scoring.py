"""Scorers are asked apart, labels reach their owner, and a failed judgement is invalid, not zero."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from memarena import (
    Answer,
    Capabilities,
    JudgementRequest,
    Label,
    Metric,
    Question,
    Retrieval,
    Stat,
    hookimpl,
    scorefile,
)
from memarena.cells import CellSpec
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


class Misbehaving(Asking):
    """Gives what it is told to."""

    def __init__(self, requests: Any, rows: Any) -> None:
        super().__init__("mine", "x")
        self.requests, self.given = requests, rows

    @hookimpl
    def judgement_requests(self, record: Any) -> Any:
        if isinstance(self.requests, BaseException):
            raise self.requests
        return self.requests

    @hookimpl
    def score(self, record: Any) -> Any:
        if isinstance(self.given, BaseException):
            raise self.given
        return self.given


@pytest.mark.parametrize(
    ("requests", "problem"),
    [
        (ValueError("boom"), "ValueError: boom"),
        (SystemExit(3), "SystemExit: 3"),
        (["answer"], "AttributeError"),
        ({"answer": "judge this"}, "'answer' is a str, not a JudgementRequest"),
    ],
)
def test_a_scorer_that_fails_to_ask_is_named_with_the_record(requests: Any, problem: str) -> None:
    with pytest.raises(PluginError) as caught:
        Scorers([Misbehaving(requests, ())]).requests(RECORD)
    assert str(caught.value).startswith("scorer 'mine' failed in judgement_requests of question 'C:Q001' of s: ")
    assert problem in str(caught.value)


@pytest.mark.parametrize("rows", [ValueError("boom"), SystemExit(3), 5])
def test_a_scorer_that_fails_to_score_is_named_with_the_record(rows: Any) -> None:
    with pytest.raises(PluginError, match="scorer 'mine' failed in score of question 'C:Q001' of s: "):
        list(Scorers([Misbehaving({}, rows)]).rows(RECORD, {}))


def test_what_is_no_row_is_refused() -> None:
    with pytest.raises(PluginError, match="scorer 'mine' gives a str where a Stat belongs"):
        list(Scorers([Misbehaving({}, ["x"])]).rows(RECORD, {}))


@pytest.mark.parametrize(
    ("fields", "problem"),
    [
        ({"n": float("nan"), "d": 1.0}, "n=nan"),
        ({"n": 1.0, "d": float("inf")}, "d=inf"),
        ({"n": "1", "d": 1.0}, "n='1'"),
        ({"n": 1.0, "d": 1.0, "weight": float("nan")}, "weight=nan"),
    ],
)
def test_a_number_that_is_none_is_refused_and_never_dropped(fields: dict[str, Any], problem: str) -> None:
    row = Stat(sample_id="s", unit="u", scorer="mine", revision=1, metric="x", **fields)
    with pytest.raises(PluginError) as caught:
        scorefile.lines(CellSpec(label="a", sample_id="s"), [row])
    assert str(caught.value) == (
        f"scorer 'mine' gives {problem} for 'x' of 'u': it is to be finite, or None where invalid"
    )


class Nameless:
    revision = 1


class Unmeasured:
    name, revision, metrics = "unmeasured", 1, ("x",)


class Misspelt:
    name, revision = "misspelt", 1

    @hookimpl
    def score(self, record: Any, label: Any) -> Any:
        return ()


@pytest.mark.parametrize(
    ("scorer", "problem"),
    [(Nameless(), "needs a `name`"), (Unmeasured(), "`metrics` is to map names"), (Misspelt(), "'label'|label")],
)
def test_a_scorer_that_does_not_keep_the_contract_is_refused_before_anything_runs(scorer: Any, problem: str) -> None:
    with pytest.raises(PluginError, match=problem):
        Scorers([scorer]).metrics()
