from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memarena.errors import UsageError
from memarena_arena.metrics import aggregate, units
from memarena_arena.metrics.units import Ratio
from memarena_arena.metrics.variants import VARIANTS


def recall(weights: list[float | None], covered: list[bool | None], **how: Any) -> list[Ratio | None]:
    settled = {"wrote": True, **how}
    return [units.recall(weights, covered, variant, **settled) for variant in VARIANTS]


def session(**parts: Any) -> dict[str, Any]:
    return {"points": [], "delta": [], "updates": [], "interference": [], **parts}


def sample(*sessions: dict[str, Any], questions: list[dict[str, Any]] | None = None) -> dict[str, Any]:
    return {"sample_id": "s", "sessions": list(sessions), "questions": questions or []}


def question(label: str | None, kind: str = "FR", evidence: int = 1, covered: int | None = 1) -> dict[str, Any]:
    return {"type": kind, "label": label, "evidence": evidence, "covered_evidence": covered}


def test_a_session_without_points_has_no_recall() -> None:
    assert recall([], []) == [None, None, None]


def test_a_missing_weight_counts_one_and_in_release_nothing() -> None:
    assert recall([None, 0.5], [True, False]) == [Ratio(1.0, 1.5), Ratio(0.0, 0.5), Ratio(1.0, 1.5)]


def test_weights_of_zero_are_invalid_and_in_release_equal() -> None:
    assert recall([0.0, 0.0], [True, False]) == [Ratio(None, None), Ratio(1.0, 2.0), Ratio(None, None)]


@pytest.mark.parametrize("odd", [math.nan, math.inf, -math.inf])
def test_a_weight_that_is_no_number_is_missing(odd: float) -> None:
    assert recall([odd, 0.5], [True, True])[0] == Ratio(1.5, 1.5)


def test_a_negative_weight_counts_nothing() -> None:
    assert recall([-1.0, 0.5], [True, False]) == [Ratio(0.0, 0.5)] * 3


def test_an_empty_delta_covers_nothing_whatever_the_judge_and_the_weights_say() -> None:
    assert [ratio.value for ratio in recall([0.0, 0.0], [True, True], wrote=False) if ratio] == [0.0, 0.0, 0.0]
    assert [ratio.value for ratio in recall([1.0], [None], wrote=False) if ratio] == [0.0, 0.0, 0.0]


def test_a_failed_judgement_is_invalid_and_in_release_zero_where_weighted() -> None:
    assert recall([0.5], [None]) == [Ratio(None, None, 1), Ratio(0.0, 0.5, 1), Ratio(None, None, 1)]
    assert recall([0.5], [None], weighted=False) == [Ratio(None, None, 1)] * 3


def test_an_empty_delta_has_no_correctness_and_in_release_zero() -> None:
    assert [units.correctness([], "correct", variant) for variant in VARIANTS] == [None, Ratio(0.0, 1.0), None]
    assert [units.correctness([], "hallucination", variant) for variant in VARIANTS] == [None, None, None]


def test_a_failed_correctness_makes_items_irrelevant_in_release_only() -> None:
    assert units.correctness([None, None], "irrelevant", "release") == Ratio(2.0, 2.0, 2)
    assert units.correctness([None, None], "irrelevant", "paper") == Ratio(None, None, 2)


def test_a_failed_update_leaves_the_denominator_except_in_release() -> None:
    labels = ["updated", "both", "missed", None]
    assert units.update(labels, "paper") == Ratio(1.5, 3.0, 1)
    assert units.update(labels, "release") == Ratio(1.5, 4.0, 1)


def test_updates_that_all_failed_are_invalid() -> None:
    assert units.update([None], "paper") == Ratio(None, None, 1)


def test_rejection_counts_the_rejected() -> None:
    assert units.rejection(["rejected", "memorized"], "paper") == Ratio(1.0, 2.0)


def test_release_divides_coverage_by_the_resolved_points() -> None:
    found = [units.coverage(1, 2, variant, resolved=1) for variant in VARIANTS]
    assert found == [Ratio(1.0, 2.0), Ratio(1.0, 1.0), Ratio(1.0, 2.0)]


def test_without_evidence_coverage_is_zero_and_in_strict_left_out() -> None:
    assert [units.coverage(None, 0, variant) for variant in VARIANTS] == [Ratio(0.0, 1.0), Ratio(0.0, 1.0), None]


def test_a_failed_coverage_is_zero_in_release_only() -> None:
    found = [units.coverage(None, 2, variant) for variant in VARIANTS]
    assert found == [Ratio(None, None, 1), Ratio(0.0, 2.0, 1), Ratio(None, None, 1)]


def test_more_points_covered_than_there_are_is_all_of_them() -> None:
    assert units.coverage(5, 2, "paper") == Ratio(2.0, 2.0)


def test_updates_are_pooled_within_a_sample_and_averaged_over_samples() -> None:
    samples = [
        sample(session(updates=["updated", "updated"]), session(updates=["outdated"])),
        sample(session(updates=["both"])),
    ]
    assert aggregate.summarise(samples, "paper")["update"] == pytest.approx((2 / 3 + 0.5) / 2)
    assert aggregate.summarise(samples, "release")["update"] == pytest.approx(2.5 / 4)


def test_nothing_to_average_is_none_and_in_release_zero_for_updates() -> None:
    paper, release = (aggregate.summarise([sample()], variant) for variant in ("paper", "release"))
    assert (paper["update"], paper["int_rej"], paper["recall"]) == (None, None, None)
    assert (release["update"], release["int_rej"], release["recall"]) == (0.0, 0.0, None)


def test_a_sample_counts_once_however_many_questions_it_has() -> None:
    samples = [sample(questions=[question("Correct")] * 3), sample(questions=[question("Omission")])]
    assert aggregate.summarise(samples, "paper")["qa_c"] == 0.5
    assert aggregate.summarise(samples, "release")["qa_c"] == 0.75


def test_a_failed_label_leaves_numerator_and_denominator() -> None:
    found = aggregate.summarise([sample(questions=[question("Correct"), question(None)])], "paper")
    assert (found["qa_c"], found["qa_h"], found["qa_o"]) == (1.0, 0.0, 0.0)


def test_the_average_of_types_is_taken_within_a_sample_first() -> None:
    samples = [
        sample(questions=[question("Correct", "FR"), question("Omission", "DU"), question(None, "TR")]),
        sample(questions=[question("Correct", "DU")]),
    ]
    paper, release = (aggregate.summarise(samples, variant) for variant in ("paper", "release"))
    assert paper["by_type"] == {"FR": 1.0, "DU": 0.5, "TR": None}
    assert paper["avg_type"] == pytest.approx((0.5 + 1.0) / 2)
    assert release["avg_type"] == pytest.approx((1.0 + 0.5) / 2)


def test_an_unknown_variant_is_refused() -> None:
    with pytest.raises(UsageError, match="choose one of paper, release, strict"):
        aggregate.summarise([], "published")


SESSION = st.fixed_dictionaries(
    {
        "points": st.lists(
            st.fixed_dictionaries(
                {"importance": st.sampled_from([None, 0.0, 0.2, 1.0]), "covered": st.sampled_from([None, True, False])}
            ),
            max_size=4,
        ),
        "delta": st.lists(st.sampled_from([None, "correct", "hallucination", "irrelevant"]), max_size=4),
        "updates": st.lists(st.sampled_from([None, "updated", "both", "outdated", "missed"]), max_size=3),
        "interference": st.lists(st.sampled_from([None, "rejected", "memorized"]), max_size=3),
    }
)
QUESTION = st.fixed_dictionaries(
    {
        "type": st.sampled_from(["FR", "DU", "UNKNOWN"]),
        "label": st.sampled_from([None, "Correct", "Hallucination", "Omission"]),
        "evidence": st.integers(0, 3),
        "covered_evidence": st.none() | st.integers(0, 3),
    }
)
SAMPLES = st.lists(
    st.fixed_dictionaries({"sessions": st.lists(SESSION, max_size=3), "questions": st.lists(QUESTION, max_size=4)}),
    max_size=3,
)


@settings(deadline=None)
@given(SAMPLES, st.sampled_from(VARIANTS))
def test_every_score_is_a_share_or_nothing(samples: list[Any], variant: str) -> None:
    found = aggregate.summarise(samples, variant)
    for value in [*found.pop("by_type").values(), *found.values()]:
        assert value is None or 0.0 <= value <= 1.0 + 1e-12


@settings(deadline=None)
@given(SAMPLES, st.sampled_from(VARIANTS))
def test_the_order_of_samples_changes_nothing(samples: list[Any], variant: str) -> None:
    found, turned = aggregate.summarise(samples, variant), aggregate.summarise(samples[::-1], variant)
    assert found.pop("by_type") == pytest.approx(turned.pop("by_type"))
    assert found == pytest.approx(turned)


@settings(deadline=None)
@given(SAMPLES)
def test_the_three_labels_of_answers_add_up_to_one(samples: list[Any]) -> None:
    found = aggregate.summarise(samples, "paper")
    if found["qa_c"] is not None:
        assert found["qa_c"] + found["qa_h"] + found["qa_o"] == pytest.approx(1.0)
