"""Questions for which several sets of evidence are each enough: retrieval is scored by the best of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from test_scorers_retrieval import LOST, VERBATIM, record, sample_record, share

from memarena.records import Capabilities, Evidence, Label, Question, QuestionRecord, RetrievedItem, Stat
from memarena_arena.metrics.units import Ratio, best
from memarena_arena.scorers.retrieval import RetrievalScorer

if TYPE_CHECKING:
    from wma_folder import Folder

RULE = Evidence(evidence_id="mp_S01_1", content="bills of Heron above 500 go to Ida", session_id="S01")
ONE_CASE = Evidence(evidence_id="mp_S02_1", content="the bill of 620 went through with Ida", session_id="S02")
OTHER_CASE = Evidence(evidence_id="mp_S03_1", content="stationery for 740 was signed at once", session_id="S03")


def either(*items: RetrievedItem | str, of: tuple[tuple[Evidence, ...], ...] = ((RULE, OTHER_CASE),)) -> QuestionRecord:
    """A question that rests on the rule and either case, of which the first set names the first."""
    made = record(RULE, ONE_CASE, items=items)
    return replace(made, question=replace(made.question, evidence_alternatives=of))


def ranked(of: QuestionRecord, **judged: tuple[str, ...] | None) -> dict[str, Stat]:
    labels = {
        name.replace("_", " "): Label(verdicts=found) if found is not None else None for name, found in judged.items()
    }
    return {
        stat.metric: stat for stat in RetrievalScorer().score(record=of, labels=labels) if stat.variant in ("", "paper")
    }


def test_each_score_is_that_of_the_set_for_which_it_is_highest() -> None:
    """The list has the other case and the rule: of the first set one point of two, at rank 2; of the second both."""
    found = ranked(
        either(OTHER_CASE.content or "", RULE.content or ""), coverage=("yes", "no"), coverage_1=("yes", "yes")
    )
    assert share(found["recall@1"]) == (1.0, 2.0, 0)
    assert share(found["recall@5"]) == (2.0, 2.0, 0)
    assert share(found["ndcg@5"]) == (1.0, 1.0, 0)
    assert share(found["mrr"]) == (1.0, 1.0, 0)
    assert share(found["precision@10"]) == (2.0, 10.0, 0)
    assert share(found["recall@256t"]) == (2.0, 2.0, 0)
    assert share(found["rc"]) == (2.0, 2.0, 0)


def test_with_one_set_alone_the_same_list_has_half() -> None:
    found = ranked(either(OTHER_CASE.content or "", RULE.content or "", of=()), coverage=("yes", "no"))
    assert share(found["recall@1"]) == (0.0, 2.0, 0)
    assert share(found["recall@5"]) == (1.0, 2.0, 0)
    assert share(found["mrr"]) == (0.5, 1.0, 0)
    assert share(found["precision@10"]) == (1.0, 10.0, 0)
    assert share(found["rc"]) == (1.0, 2.0, 0)


def test_the_first_set_counts_where_it_is_the_best_and_a_smaller_one_is_divided_by_its_own_points() -> None:
    full = ranked(either(RULE.content or "", ONE_CASE.content or ""), coverage=("yes", "yes"), coverage_1=("yes", "no"))
    assert share(full["recall@5"]) == (2.0, 2.0, 0) and share(full["rc"]) == (2.0, 2.0, 0)
    alone = ranked(either(OTHER_CASE.content or "", of=((OTHER_CASE,),)), coverage=("no", "no"), coverage_1=("yes",))
    assert share(alone["recall@5"]) == (1.0, 1.0, 0) and share(alone["rc"]) == (1.0, 1.0, 0)


def test_every_set_is_judged_by_itself() -> None:
    asked = RetrievalScorer().judgement_requests(record=either("x"))
    assert {name: request.points for name, request in asked.items()} == {
        "coverage": (RULE.content, ONE_CASE.content), "coverage 1": (RULE.content, OTHER_CASE.content),
    }  # fmt: skip
    assert list(RetrievalScorer().judgement_requests(record=either("x", of=()))) == ["coverage"]
    assert list(RetrievalScorer().judgement_requests(record=either("x", of=((LOST,),)))) == ["coverage"]


def test_a_judgement_that_failed_leaves_it_open_unless_another_set_is_there_whole() -> None:
    listed = either(OTHER_CASE.content or "", RULE.content or "")
    assert share(ranked(listed, coverage=("yes", "no"), coverage_1=None)["rc"])[:2] == (None, None)
    assert share(ranked(listed, coverage=("yes", "yes"), coverage_1=None)["rc"]) == (2.0, 2.0, 0)


@pytest.mark.parametrize(
    ("ratios", "found"),
    [
        ([Ratio(1.0, 2.0), Ratio(2.0, 3.0)], Ratio(2.0, 3.0)),
        ([Ratio(1.0, 2.0), Ratio(2.0, 4.0)], Ratio(1.0, 2.0)),
        ([Ratio(0.0, 2.0), Ratio(None, None, 1)], Ratio(None, None, 1)),
        ([Ratio(None, None, 1), Ratio(3.0, 3.0)], Ratio(3.0, 3.0)),
        ([None, Ratio(1.0, 2.0)], Ratio(1.0, 2.0)),
        ([None, None], None),
    ],
)
def test_the_best_of_several_is_the_highest_that_can_be_known(ratios: list[Ratio | None], found: Ratio | None) -> None:
    assert best(ratios) == found


def test_turns_that_a_rewriting_system_names_count_for_the_best_set_too() -> None:
    told = [replace(point, turn_ids=(f"{point.session_id}:T000",)) for point in (RULE, ONE_CASE, OTHER_CASE)]
    made = record(
        *told[:2],
        items=[RetrievedItem(memory_id="m1", text="x", turn_ids=("S03:T000",))],
        capabilities=Capabilities(verbatim=False),
    )
    made = replace(made, question=replace(made.question, evidence_alternatives=((told[2],),)))
    rows = RetrievalScorer().score(record=sample_record(made), labels={})
    assert {share(row) for row in rows if row.metric == "recall@1"} == {(1.0, 1.0, 0)}


POINTS = [
    Evidence(evidence_id=f"mp_S0{number}_1", content=f"the word {word} alone", session_id=f"S0{number}")
    for number, word in enumerate(("amber", "birch", "cedar", "delta", "ember"))
]
SETS = st.lists(st.sampled_from(POINTS), min_size=1, max_size=4, unique=True).map(tuple)


@given(
    first=SETS,
    further=st.lists(SETS, max_size=3),
    items=st.lists(st.sampled_from([point.content or "" for point in POINTS] + ["nothing"]), max_size=6),
)
def test_no_score_is_below_that_of_any_set_and_none_above_all(
    first: tuple[Evidence, ...], further: list[tuple[Evidence, ...]], items: list[str]
) -> None:
    def scores(*sets: tuple[Evidence, ...]) -> dict[tuple[str, str], float]:
        made = record(*sets[0], items=items, capabilities=VERBATIM)
        made = replace(made, question=replace(made.question, evidence_alternatives=sets[1:]))
        rows = RetrievalScorer().score(record=made, labels={})
        named = [
            (row, variant)
            for row in rows
            for variant in ([row.variant] if row.variant else ("paper", "release", "strict"))
        ]
        return {(row.metric, variant): row.n / row.d for row, variant in named if row.n is not None and row.d}

    together = scores(first, *further)
    alone = [scores(some) for some in (first, *further)]
    for name, value in together.items():
        if name[0].partition("@")[0] in ("recall", "ndcg", "hit", "mrr", "precision"):
            assert value == max(each[name] for each in alone)


def test_a_question_with_one_set_is_written_as_before() -> None:
    written = msgspec.json.encode(Question(question_id="Q", text="?", reference="!", evidence=(RULE,)))
    assert b"alternatives" not in written
    assert Question(question_id="Q", text="?", reference="!", evidence=(RULE,)).evidence_sets == ((RULE,),)


def test_further_sets_are_read_from_a_file(folder: Folder) -> None:
    raw = folder.good()
    asked = next(each for stop in raw["qa_checkpoints"] for each in stop["questions"] if each["evidence"])
    first = asked["evidence"][0]
    asked["evidence_alternatives"] = [[first, {"memory_id": "gone"}], []]
    sample = folder.one(raw)
    (read,) = [each for stop in sample.checkpoints for each in stop.questions if each.evidence_alternatives]
    (further,) = read.evidence_alternatives
    assert further[0] == read.evidence[0] and (further[1].evidence_id, further[1].content) == ("gone", None)
    assert folder.findings() == {
        "odd_alternative": "$.qa_checkpoints[0].questions[0].evidence_alternatives[1]",
        "unresolved_evidence": "$.qa_checkpoints[0].questions[0].evidence_alternatives[0][1]",
    }


def test_a_further_set_without_a_first_and_one_that_is_no_list_are_said(folder: Folder) -> None:
    raw = folder.good()
    asked = next(each for stop in raw["qa_checkpoints"] for each in stop["questions"] if each["evidence"])
    asked["evidence_alternatives"], asked["evidence"] = [asked["evidence"]], []
    sample = folder.one(raw)
    assert not any(each.evidence_alternatives for stop in sample.checkpoints for each in stop.questions)
    assert folder.findings()["odd_alternative"] == "$.qa_checkpoints[0].questions[0].evidence_alternatives[0]"
    asked["evidence_alternatives"] = [{"memory_id": "gone"}]
    folder.write(raw)
    assert folder.findings()["bad_container"] == "$.qa_checkpoints[0].questions[0].evidence_alternatives[0]"
