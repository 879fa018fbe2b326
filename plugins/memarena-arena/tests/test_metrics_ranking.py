from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memarena.errors import UsageError
from memarena.records import Evidence, RetrievedItem
from memarena_arena.metrics import ranking


def item(text: str = "", rank: int | None = None, **fields: Any) -> dict[str, Any]:
    found = {"memory_id": "", "backend_id": "", "image_path": "", "text": text, **fields}
    return found if rank is None else {"rank": rank, **found}


def point(content: str | None = "", evidence_id: str = "", **fields: Any) -> dict[str, Any]:
    return {"id": evidence_id, "content": content, **fields}


def matches(one: dict[str, Any], gold: dict[str, Any], variant: str, sessions: Sequence[str] = ()) -> bool:
    return ranking.relevance([one], [gold], {"1": sessions}, variant) == [1]


def everywhere(one: dict[str, Any], gold: dict[str, Any], sessions: Sequence[str] = ()) -> list[bool]:
    return [matches(one, gold, variant, sessions) for variant in ("paper", "release", "strict")]


@pytest.mark.parametrize(
    ("points", "gains", "paper", "release"),
    [
        (3, [1, 0, 1], (0.703918, 0.703918), (0.619906, 0.619906)),
        (2, [0, 1, 1], (0.693426, 0.693426), (0.815465, 0.815465)),
        (1, [0, 0, 0, 0, 1], (0.386853, 0.386853), (0.430677, 0.430677)),
        (3, [1], (0.469279, 0.469279), (0.380094, 0.380094)),
        (5, [1, 1, 0, 1, 0, 0, 1], (0.699215, 0.812268), (0.701930, 0.801944)),
    ],
)
def test_the_published_vectors_of_ndcg_come_out(
    points: int, gains: list[int], paper: tuple[float, float], release: tuple[float, float]
) -> None:
    for variant, expected in (("paper", paper), ("release", release)):
        found = tuple(ranking.ndcg(gains, points, k, variant) for k in (5, 10))
        assert found == pytest.approx(expected, abs=5e-7)


def test_an_id_in_a_memory_id_matches() -> None:
    assert everywhere(item(memory_id="mp_S02_1/v2"), point("x", "mp_S02_1")) == [True, True, True]
    assert everywhere(item(backend_id="DB:MP_S02_1"), point("x", "mp_S02_1")) == [True, True, True]


def test_an_id_that_is_the_beginning_of_another_does_not_match_in_strict() -> None:
    assert everywhere(item(memory_id="S04_img_12"), point("x", "S04_img_1")) == [True, True, False]


def test_only_release_and_strict_look_for_the_id_in_text_and_path() -> None:
    assert everywhere(item("see S04_img_1."), point("x", "S04_img_1")) == [False, True, True]
    assert everywhere(item(image_path="images/s/S04_img_1.png"), point("x", "S04_img_1")) == [False, True, True]


def test_the_id_of_a_carried_picture_counts_in_strict_only() -> None:
    assert everywhere(item(image_id="S04_img_1"), point("x", "S04_img_1")) == [False, False, True]


def test_an_id_of_several_tokens_is_found_as_a_whole() -> None:
    assert everywhere(item(memory_id="D1:3"), point("x", "D1:3")) == [True, True, True]
    assert everywhere(item(memory_id="D1:31"), point("x", "D1:3")) == [True, True, False]


def test_the_session_of_an_id_counts_outside_strict() -> None:
    assert everywhere(item("x"), point("y", "mp_S02_1"), ["S01", "S02"]) == [True, True, False]
    assert everywhere(item("x"), point("y", "mp_S02_1"), ["S01"]) == [False, False, False]


def test_the_id_of_a_picture_names_no_session() -> None:
    assert everywhere(item("x"), point("y", "S02_img_1"), ["S02"]) == [False, False, False]


def test_a_turn_of_the_evidence_counts_in_strict() -> None:
    gold = point("y", "D1:3", turn_ids=("D1:3",))
    assert everywhere(item("x", turn_ids=("D1:2", "D1:3")), gold) == [False, False, True]
    assert everywhere(item("x", turn_ids=("D1:2",)), gold) == [False, False, False]


def test_content_is_found_between_other_words() -> None:
    assert everywhere(item("They said: lives in Lyon!"), point("lives in Lyon")) == [True, True, True]


def test_content_inside_longer_words_does_not_match_in_strict() -> None:
    assert everywhere(item("12 people"), point("1")) == [True, True, False]


def test_three_of_four_distinct_tokens_are_enough() -> None:
    assert everywhere(item("red green blue"), point("red green blue gold")) == [True, True, True]
    assert everywhere(item("red green"), point("red green blue")) == [False, False, False]


@pytest.mark.parametrize("gold", [point(""), point(None), point("...", "")])
def test_a_point_without_id_and_content_matches_nothing(gold: dict[str, Any]) -> None:
    assert everywhere(item("anything", memory_id="m1"), gold) == [False, False, False]


def test_a_point_that_cannot_be_matched_stays_in_the_denominator() -> None:
    found = ranking.scores([item("lives in Lyon")], [point("lives in Lyon"), point(None, "mp_S01_9")], {})
    assert found[1]["recall"] == 0.5


def test_everything_is_compared_in_lower_case() -> None:
    assert everywhere(item("LIVES IN LYON"), point("lives in lyon")) == [True, True, True]
    assert everywhere(item("x"), point("y", "MP_s02_1"), ["S02"]) == [True, True, False]


def test_an_item_takes_one_point_and_in_release_all_that_it_matches() -> None:
    items, evidence = [item("red blue"), item("red"), item("blue")], [point("red"), point("blue")]
    assert ranking.relevance(items, evidence, {}, "paper") == [1, 0, 1]
    assert ranking.relevance(items, evidence, {}, "release") == [1, 0, 0]


def test_one_of_four_points_is_a_recall_of_a_quarter_and_a_hit() -> None:
    matched = ranking.match([item("red")], [point(word) for word in ("red", "blue", "gold", "grey")], {})
    assert (matched.recall(1), matched.hit(1)) == (0.25, True)


def test_mrr_takes_the_first_item_that_matches() -> None:
    items = [item("grey"), item("red"), item("red")]
    assert ranking.match(items, [point("red")], {}).reciprocal_rank() == 0.5
    assert ranking.match(items, [point("blue")], {}).reciprocal_rank() == 0.0


def test_among_equal_scores_the_given_order_is_kept() -> None:
    items = [RetrievedItem(memory_id=name, text=name, score=1.0) for name in ("d3", "d1", "d2")]
    evidence = [Evidence(evidence_id="d3", content=None)]
    assert ranking.match(items, evidence, ()).reciprocal_rank() == 1.0
    assert ranking.match(items[::-1], evidence, ()).reciprocal_rank() == pytest.approx(1 / 3)


def test_the_order_of_keys_and_of_sources_changes_nothing() -> None:
    items = [item("x", rank=1), item("y", rank=2)]
    turned = [dict(reversed(each.items())) for each in items]
    evidence, sources = [point("z", "mp_S02_1")], {"1": ["S01"], "2": ["S02"]}
    assert ranking.scores(turned, evidence, dict(reversed(sources.items()))) == ranking.scores(items, evidence, sources)


def test_ranks_decide_where_the_list_is_out_of_order() -> None:
    assert ranking.match([item("blue", rank=2), item("red", rank=1)], [point("red")], {}).reciprocal_rank() == 1.0


def test_a_repeated_item_brings_nothing_in_strict() -> None:
    items = [item("red blue", memory_id="d1")] * 3
    evidence = [point("red"), point("blue")]
    assert ranking.relevance(items, evidence, {}, "paper") == [1, 1, 0]
    assert ranking.relevance(items, evidence, {}, "strict") == [1, 0, 0]
    assert ranking.scores(items, evidence, {}, variant="strict")[10]["recall"] == 1.0


def test_two_texts_under_one_id_are_two_items() -> None:
    items = [item("red", memory_id="d1"), item("blue", memory_id="d1")]
    assert ranking.relevance(items, [point("red"), point("blue")], {}, "strict") == [1, 1]


def test_without_evidence_strict_leaves_the_question_out() -> None:
    assert ranking.scores([item("x")], [], {}, ks=(1,)) == {1: {"recall": 0.0, "ndcg": 0.0}}
    assert ranking.scores([item("x")], [], {}, ks=(1,), variant="release") == {1: {"recall": 0.0, "ndcg": 0.0}}
    assert ranking.scores([item("x")], [], {}, ks=(1,), variant="strict") == {1: {"recall": None, "ndcg": None}}


def test_k_beyond_the_list_is_the_whole_list() -> None:
    assert ranking.scores([item("red")], [point("red")], {}, ks=(50,))[50] == {"recall": 1.0, "ndcg": 1.0}


def test_records_and_mappings_score_the_same() -> None:
    records = ranking.scores(
        [RetrievedItem(memory_id="m1", text="red"), RetrievedItem(memory_id="m2", text="x")],
        [Evidence(evidence_id="mp_S02_1", content="blue"), Evidence(evidence_id="e2", content="red")],
        (("S01",), ("S02",)),
    )
    mappings = ranking.scores(
        [item("red", memory_id="m1", rank=1), item("x", memory_id="m2", rank=2)],
        [point("blue", "mp_S02_1"), point("red", "e2")],
        {"1": ["S01"], "2": ["S02"]},
    )
    assert records == mappings
    assert records[5]["recall"] == 1.0


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(UsageError, match="choose one of paper, release, strict"):
        ranking.scores([], [], {}, variant="reference")


def test_a_long_text_is_compared_like_a_short_one() -> None:
    assert everywhere(item("word " * 5000 + "lives in Lyon"), point("lives in Lyon")) == [True, True, True]


WORDS = st.lists(st.sampled_from(["red", "blue", "gold", "redder", "1", "12"]), max_size=4).map(" ".join)
ITEMS = st.lists(st.builds(item, WORDS, memory_id=st.sampled_from(["", "m1", "mp_S01_1", "mp_S01_12"])), max_size=12)
EVIDENCE = st.lists(st.builds(point, WORDS, st.sampled_from(["", "mp_S01_1", "S01_img_1"])), max_size=5)
VARIANT = st.sampled_from(["paper", "release", "strict"])


@settings(deadline=None)
@given(ITEMS, EVIDENCE, VARIANT)
def test_scores_stay_between_zero_and_one(items: list[Any], evidence: list[Any], variant: str) -> None:
    for scores in ranking.scores(items, evidence, {"1": ["S01"]}, ks=(1, 3, 10), variant=variant).values():
        assert all(value is None or 0.0 <= value <= 1.0 + 1e-12 for value in scores.values())


@settings(deadline=None)
@given(ITEMS, EVIDENCE, VARIANT)
def test_recall_never_falls_as_k_grows(items: list[Any], evidence: list[Any], variant: str) -> None:
    matched = ranking.match(items, evidence, {}, variant)
    recalls = [matched.recall(k) for k in range(14)]
    assert recalls == sorted(recalls)


@settings(deadline=None)
@given(ITEMS, EVIDENCE, VARIANT, st.randoms(use_true_random=False))
def test_the_order_of_the_evidence_does_not_change_recall(
    items: list[Any], evidence: list[Any], variant: str, chance: Any
) -> None:
    shuffled = chance.sample(evidence, len(evidence))
    assert ranking.match(items, shuffled, {}, variant).recall(5) == ranking.match(items, evidence, {}, variant).recall(
        5
    )


@settings(deadline=None)
@given(ITEMS, EVIDENCE, VARIANT)
def test_all_relevant_items_first_is_a_perfect_ranking(items: list[Any], evidence: list[Any], variant: str) -> None:
    gains = sorted(ranking.relevance(items, evidence, {}, variant), reverse=True)
    found = sum(gains)
    if found:
        assert ranking.ndcg(gains, found, len(gains), variant) == pytest.approx(1.0)
