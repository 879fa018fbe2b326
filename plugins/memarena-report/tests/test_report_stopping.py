"""Comparisons that stop early: decided rightly, soon where they are clear, and never against the whole set."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memarena_report.stopping import decide


def pairs(better: int, worse: int, same: int) -> np.ndarray:
    return np.array([1.0] * better + [-1.0] * worse + [0.0] * same)


def test_a_clear_pair_is_decided_after_few_questions() -> None:
    gains = pairs(600, 100, 300)
    looks = [decide(np.random.default_rng(seed).permutation(gains), 0.05) for seed in range(200)]
    assert {sign for _, sign in looks} == {1}
    assert np.mean([asked for asked, _ in looks]) < 0.1 * len(gains)


def test_the_sides_are_treated_alike() -> None:
    gains = np.random.default_rng(1).permutation(pairs(60, 20, 20))
    asked, sign = decide(gains, 0.05)
    assert decide(-gains, 0.05) == (asked, -sign)


def test_equal_systems_stay_undecided() -> None:
    gains = pairs(0, 0, 50)
    assert decide(gains, 0.05) == (50, 0)
    assert decide(np.array([]), 0.05) == (0, 0)


@pytest.mark.parametrize(("better", "worse"), [(50, 50), (51, 50), (110, 100)])
def test_a_true_tie_is_seldom_called_and_a_near_tie_seldom_the_wrong_way(better: int, worse: int) -> None:
    gains = pairs(better, worse, 100)
    calls = [decide(np.random.default_rng(seed).permutation(gains), 0.05)[1] for seed in range(400)]
    wrong = calls.count(-1) if better > worse else len(calls) - calls.count(0)
    assert wrong / len(calls) <= 0.05


@given(st.lists(st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0]), min_size=1, max_size=60))
def test_the_last_look_never_contradicts_what_was_seen(gains: list[float]) -> None:
    asked, sign = decide(np.array(gains), 0.05)
    assert 1 <= asked <= len(gains)
    if sign and asked == len(gains):
        assert np.sign(sum(gains)) == sign


def test_a_smaller_error_asks_for_more() -> None:
    gains = np.random.default_rng(3).permutation(pairs(60, 30, 110))
    assert decide(gains, 0.2)[0] <= decide(gains, 0.05)[0] <= decide(gains, 0.001)[0]
