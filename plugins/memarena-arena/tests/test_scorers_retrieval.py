from __future__ import annotations

from collections.abc import Sequence

import pytest

from memarena.records import (
    Answer,
    Capabilities,
    Evidence,
    GoldPoint,
    Label,
    MemoryItem,
    Question,
    QuestionRecord,
    Retrieval,
    RetrievedItem,
    Sample,
    SampleRecord,
    Session,
    SessionRecord,
    Shown,
    Stat,
    Turn,
)
from memarena_arena.scorers.retrieval import RetrievalScorer
from memarena_arena.scorers.selectivity import SelectivityScorer

VERBATIM = Capabilities(verbatim=True)
LYON = Evidence(evidence_id="mp_S02_1", content="moved to Lyon in May", session_id="S02")
LOST = Evidence(evidence_id="mp_S09_1", content=None)


def record(
    *evidence: Evidence,
    items: Sequence[RetrievedItem | str] = (),
    capabilities: Capabilities = VERBATIM,
    sources: tuple[tuple[str, ...], ...] = (),
    held_in: tuple[str | None, ...] = (),
    images: dict[str, str] | None = None,
    session_index: int = 2,
    top_k: int = 10,
    question_id: str = "QA00:Q001",
) -> QuestionRecord:
    listed = tuple(
        RetrievedItem(memory_id=f"m{place}", text=item) if isinstance(item, str) else item
        for place, item in enumerate(items, 1)
    )
    return QuestionRecord(
        label="x",
        sample_id="s1",
        regime="agentic",
        domain="agent/gui",
        checkpoint_id="QA00",
        session_index=session_index,
        question=Question(
            question_id=question_id,
            text="Where to?",
            reference="Lyon",
            type="TR",
            evidence=evidence,
        ),
        retrieval=Retrieval(query="Where to?", items=listed),
        sources=sources,
        held_in=held_in,
        shown=Shown(tokens=12),
        answer=Answer(question_id=question_id, text="Lyon"),
        capabilities=capabilities,
        images=images or {},
        top_k=top_k,
    )


def sample_record(*questions: QuestionRecord, sessions: tuple[Session, ...] = ()) -> SampleRecord:
    return SampleRecord(
        label="x",
        sample=Sample(sample_id="s1", sessions=sessions),
        sessions=(),
        questions=questions,
        capabilities=questions[0].capabilities,
    )


def ranked(
    of: QuestionRecord | SampleRecord, coverage: tuple[str | None, ...] | None = None
) -> dict[tuple[str, str], Stat]:
    labels = {"coverage": None if coverage is None else Label(verdicts=coverage)}
    return {(stat.metric, stat.variant): stat for stat in RetrievalScorer().score(record=of, labels=labels)}


def share(stat: Stat) -> tuple[float | None, float | None, int]:
    return stat.n, stat.d, stat.invalid


def test_variants_that_agree_share_one_row() -> None:
    found = ranked(record(LYON, items=["I moved to Lyon in May"]), ("yes",))
    assert share(found["recall@1", ""]) == (1.0, 1.0, 0)
    assert share(found["ndcg@10", ""]) == (1.0, 1.0, 0)
    assert share(found["mrr", ""]) == (1.0, 1.0, 0)
    assert share(found["rc", ""]) == (1.0, 1.0, 0)


def test_each_variant_has_its_row_where_they_differ() -> None:
    found = ranked(record(LYON, items=["x", "y"], sources=(("S01",), ("S02",)), held_in=("S05", "S05")), ("no",))
    assert share(found["recall@5", "paper"]) == (1.0, 1.0, 0)
    assert share(found["recall@5", "release"]) == (0.0, 1.0, 0)
    assert share(found["recall@5", "strict"]) == (0.0, 1.0, 0)
    assert found["ndcg@5", "paper"].n == pytest.approx(0.6309297535714575)


def test_release_takes_the_latest_session_that_held_the_item() -> None:
    found = ranked(record(LYON, items=["x"], sources=(("S01",),), held_in=("S02",)), ("no",))
    assert (found["recall@1", "paper"].n, found["recall@1", "release"].n) == (0.0, 1.0)


def test_release_takes_the_session_of_every_picture_whose_id_begins_one_in_the_text() -> None:
    of = record(LYON, items=["see s02_img_12"], sources=(("S01",),), held_in=(None,), images={"S02_img_1": "S02"})
    found = ranked(of, ("no",))
    assert (found["recall@1", "paper"].n, found["recall@1", "release"].n) == (0.0, 1.0)


def test_without_evidence_paper_and_release_count_zero_and_strict_nothing() -> None:
    found = ranked(record(items=["x"]))
    for metric in ("recall@1", "ndcg@10", "rc"):
        assert share(found[metric, "paper"]) == share(found[metric, "release"]) == (0.0, 1.0, 0)
        assert (metric, "strict") not in found
    assert not any(metric in {"mrr", "hit@1", "precision@10"} for metric, _ in found)


def test_one_of_four_points_is_a_quarter_of_recall() -> None:
    gold = [Evidence(evidence_id=f"e{n}", content=word) for n, word in enumerate(("red", "blue", "gold", "grey"))]
    found = ranked(record(*gold, items=["red"]), ("yes", "no", "no", "no"))
    assert (share(found["recall@5", ""]), share(found["hit@5", ""])) == ((1.0, 4.0, 0), (1.0, 1.0, 0))
    assert share(found["rc", ""]) == (1.0, 4.0, 0)


def test_an_unresolved_point_stays_in_the_denominator_except_in_release() -> None:
    of = record(LYON, LOST, items=["I moved to Lyon in May"])
    assert RetrievalScorer().judgement_requests(record=of)["coverage"].points == (LYON.content,)
    found = ranked(of, ("yes",))
    assert share(found["rc", "paper"]) == share(found["rc", "strict"]) == (1.0, 2.0, 0)
    assert share(found["rc", "release"]) == (1.0, 1.0, 0)
    assert share(found["recall@1", ""]) == (1.0, 2.0, 0)


def test_a_failed_coverage_is_left_out_except_in_release() -> None:
    found = ranked(record(LYON, items=["x"]), None)
    assert share(found["rc", "paper"]) == share(found["rc", "strict"]) == (None, None, 1)
    assert share(found["rc", "release"]) == (0.0, 1.0, 1)


def test_an_empty_list_covers_nothing_and_is_not_judged() -> None:
    of = record(LYON)
    assert RetrievalScorer().judgement_requests(record=of) == {}
    found = ranked(of)
    assert share(found["rc", ""]) == (0.0, 1.0, 0)
    assert share(found["empty_retrieval", ""]) == (1.0, 1.0, 0)
    assert ("duplicates", "") not in found


def test_pictures_go_to_the_judge_with_their_captions() -> None:
    seen = Evidence(evidence_id="S02_img_1", content="image_id: S02_img_1", image_id="S02_img_1", caption="a red door")
    of = record(seen, items=[RetrievedItem(memory_id="m1", text="", image_id="S02_img_1")])
    request = RetrievalScorer().judgement_requests(record=of)["coverage"]
    assert (request.item_images, request.point_images, request.point_captions) == (
        ("S02_img_1",),
        ("S02_img_1",),
        ("a red door",),
    )


def test_a_list_shorter_than_asked_for_is_flagged_and_its_recall_kept() -> None:
    found = ranked(record(LYON, items=["I moved to Lyon in May"], top_k=50), ("yes",))
    assert share(found["short_retrieval", ""]) == (1.0, 1.0, 0)
    assert share(found["returned", ""]) == (1.0, 1.0, 0)
    assert share(found["precision@10", ""]) == (1.0, 10.0, 0)


def test_repeated_items_are_counted() -> None:
    assert share(ranked(record(LYON, items=["x", "y", "x"]), ("no",))["duplicates", ""]) == (1.0, 3.0, 0)


def test_recall_within_tokens_counts_items_that_fit_whole() -> None:
    found = ranked(record(LYON, items=["word " * 300, "I moved to Lyon in May"]), ("yes",))
    assert share(found["recall@256t", ""]) == (0.0, 1.0, 0)
    assert share(found["recall@1024t", ""]) == (1.0, 1.0, 0)


def test_one_bundle_is_not_ranked_but_covered() -> None:
    bundle = Capabilities(ranked=False)
    found = ranked(record(LYON, items=["I moved to Lyon in May"], capabilities=bundle), ("yes",))
    assert {metric for metric, _ in found} == {"rc", "shown_tokens"}


def test_a_system_scored_on_answers_only_has_no_retrieval_scores() -> None:
    unseen = Capabilities(ranked=False, state=False)
    of = record(LYON, items=["everything"], capabilities=unseen)
    assert RetrievalScorer().judgement_requests(record=of) == {}
    assert {metric for metric, _ in ranked(of)} == {"shown_tokens"}
    assert ranked(record(LYON, capabilities=Capabilities(ranked=False, state=False, answers=True))) == {}


def test_strict_does_not_measure_a_system_that_rewrites_without_naming_turns() -> None:
    of = record(LYON, items=["relocation: Lyon"], capabilities=Capabilities(verbatim=False))
    found = ranked(of, ("yes",)) | ranked(sample_record(of))
    assert ("recall@1", "paper") in found
    assert not any(
        metric.startswith(("recall", "ndcg", "hit", "mrr")) and variant in ("strict", "") for metric, variant in found
    )


def test_strict_measures_a_system_that_rewrites_by_the_turns_that_it_names() -> None:
    gold = Evidence(evidence_id="D1:3", content="I moved to Lyon", turn_ids=("D1:3",))
    named = RetrievedItem(memory_id="m1", text="relocation: France", turn_ids=("D1:3",))
    rewriting = Capabilities(verbatim=False)
    found = record(gold, items=[named], capabilities=rewriting)
    empty = record(gold, capabilities=rewriting, question_id="QA00:Q002")
    stats = RetrievalScorer().score(record=sample_record(found, empty), labels={})
    recalls = {stat.unit: stat.n for stat in stats if (stat.metric, stat.variant) == ("recall@1", "strict")}
    assert recalls == {"QA00:Q001": 1.0, "QA00:Q002": 0.0}


MOVES = (
    Session(
        session_id="S00",
        points=(GoldPoint(memory_id="mp_S00_1", content="lives in Paris", session_id="S00"),),
    ),
    Session(
        session_id="S01",
        points=(
            GoldPoint(
                memory_id="mp_S01_1",
                content="lives in Lyon",
                session_id="S01",
                kind="update",
                replaces=("lives in Paris",),
            ),
            GoldPoint(memory_id="mp_S01_2", content="won a lottery", session_id="S01", kind="interference"),
        ),
    ),
    Session(
        session_id="S02",
        points=(
            GoldPoint(
                memory_id="mp_S02_1",
                content="lives in Paris",
                session_id="S02",
                kind="update",
                replaces=("lives in Lyon",),
            ),
        ),
    ),
)


def test_superseded_facts_and_interference_in_the_list_are_counted() -> None:
    of = record(LYON, items=["she lives in Paris", "she lives in Lyon", "she won a lottery", "x"], session_index=1)
    found = ranked(sample_record(of, sessions=MOVES))
    assert share(found["stale", ""]) == (1.0, 4.0, 0)
    assert share(found["interference", ""]) == (1.0, 4.0, 0)


def test_a_fact_that_is_true_again_is_not_stale() -> None:
    of = record(LYON, items=["she lives in Paris", "she lives in Lyon"], session_index=2)
    assert share(ranked(sample_record(of, sessions=MOVES))["stale", ""]) == (1.0, 2.0, 0)


def test_nothing_is_stale_before_the_first_update() -> None:
    of = record(LYON, items=["she lives in Paris"], session_index=0)
    assert ranked(sample_record(of, sessions=MOVES)) == {}


def test_compression_is_what_is_kept_against_what_was_said() -> None:
    said = Session(
        session_id="S00", turns=(Turn(turn_id="S00:T000", session_id="S00", index=0, text="one two six ten"),)
    )
    heard = SessionRecord(
        label="x",
        sample_id="s1",
        regime="external",
        domain="",
        index=0,
        session=said,
        snapshot=(MemoryItem(memory_id="m1", text="six"),),
        capabilities=Capabilities(),
    )
    of = SampleRecord(
        label="x",
        sample=Sample(sample_id="s1", sessions=(said,)),
        sessions=(heard,),
        questions=(),
        capabilities=Capabilities(),
    )
    (row,) = SelectivityScorer().score(record=of, labels={})
    assert (row.metric, row.n, row.d, row.unit) == ("compression", 1.0, 4.0, "s1")


def test_a_scorer_leaves_records_of_other_stages_alone() -> None:
    assert SelectivityScorer().score(record=record(LYON), labels={}) == ()
