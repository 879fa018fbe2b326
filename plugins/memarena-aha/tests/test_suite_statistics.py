"""Means, ratios and intervals over pairs, on values that can be worked out by hand or by another library."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from memarena_aha.suite.statistics import Values, apart, mean, ratio


def values(**by_pair: float) -> Values:
    """Values of pairs that are called `part_block_number`."""
    places = {name: (name.split("_")[0], "_".join(name.split("_")[:2])) for name in by_pair}
    return Values(by_pair, places)


def many(numbers: list[float]) -> Values:
    """One pair a block, in one part."""
    return values(**{f"a_{number}_0": value for number, value in enumerate(numbers)})


def test_the_mean_over_parts_is_the_mean_of_their_means() -> None:
    found = mean(values(a_1_0=10, a_2_0=20, b_1_0=40, b_2_0=60, b_3_0=80))
    assert found.value == pytest.approx((15 + 60) / 2)
    assert (found.n, found.blocks) == (5, 5)


def test_pairs_of_one_block_are_drawn_together() -> None:
    # Two blocks, 1+3 and 8+8: a draw is one of 2, 5, 8.
    found = mean(values(a_1_0=1, a_1_1=3, a_2_0=8, a_2_1=8))
    assert (found.value, found.lo, found.hi) == (5, 2, 8)


def test_a_single_block_has_no_interval() -> None:
    found = mean(values(a_1_0=1, a_1_1=3))
    assert (found.value, found.lo, found.note) == (2, None, "one block: no interval")


def test_nothing_has_no_mean() -> None:
    assert mean(values(), nothing="no such score here").note == "no such score here"


def test_a_difference_is_taken_on_the_pairs_that_both_have() -> None:
    assert values(a_1_0=5, a_2_0=9).minus(values(a_2_0=4, a_3_0=1)).by_pair == {"a_2_0": 5}


def test_a_ratio_is_that_of_means_and_no_mean_of_ratios() -> None:
    top, bottom = many([8, 4, 6] * 4), many([10, 40, 25] * 4)
    found = ratio(top, bottom)
    assert found.value == pytest.approx(18 / 75)
    assert found.lo is not None and found.hi is not None and found.lo < 18 / 75 < found.hi


def test_a_ratio_may_be_above_one_and_below_zero() -> None:
    assert ratio(many([30] * 3), many([20] * 3)).value == 1.5
    assert ratio(many([-10] * 3), many([20] * 3)).value == -0.5


@pytest.mark.parametrize("gains", [[5.0, 5.0, 5.0], [0.0, 0.0, 0.0], [-4.0, 2.0, 30.0], [60.0, 0.0, 0.0]])
def test_a_ratio_over_a_gain_that_is_not_safely_above_five_points_is_not_given(gains: list[float]) -> None:
    found = ratio(many([5.0, 5.0, 5.0]), many(gains))
    assert (found.value, found.note) == (None, "n/a (no supported gain)")


def test_the_intervals_are_those_of_another_library() -> None:
    numbers = np.random.default_rng(3).gamma(2.0, 10.0, size=40)
    found = mean(many(list(numbers)))
    for method, ends in (("percentile", (found.lo, found.hi)), ("BCa", (found.bca_lo, found.bca_hi))):
        other = stats.bootstrap((numbers,), np.mean, n_resamples=20_000, method=method, random_state=5)
        spread = numbers.std() / np.sqrt(len(numbers))
        assert ends[0] == pytest.approx(other.confidence_interval.low, abs=0.12 * spread)
        assert ends[1] == pytest.approx(other.confidence_interval.high, abs=0.12 * spread)


@given(st.lists(st.floats(0, 100), min_size=2, max_size=12))
def test_an_interval_stays_within_the_values(numbers: list[float]) -> None:
    found = mean(many(numbers))
    assert found.lo is not None and found.hi is not None
    assert min(numbers) - 1e-6 <= found.lo <= found.hi <= max(numbers) + 1e-6


def test_two_parts_of_equal_size_are_drawn_apart() -> None:
    # Drawn together, the two would cancel out in every draw.
    opposed = values(**{f"a_{n}_0": n for n in range(10)}, **{f"b_{n}_0": 9 - n for n in range(10)})
    found = mean(opposed)
    assert found.lo is not None and found.hi is not None
    assert found.hi - found.lo > 1


def test_the_difference_of_two_groups_has_the_spread_of_both() -> None:
    numbers = list(np.random.default_rng(1).normal(50, 10, size=60))
    left, right = values(**{f"a_{n}_0": v for n, v in enumerate(numbers[:30])}), many(numbers[30:])
    found = apart(left, right)
    assert found.value == pytest.approx(np.mean(numbers[:30]) - np.mean(numbers[30:]))
    error = np.sqrt(np.var(numbers[:30]) / 30 + np.var(numbers[30:]) / 30)
    assert found.lo is not None and found.hi is not None
    assert (found.hi - found.lo) / (2 * 1.96) == pytest.approx(error, rel=0.06)


def test_values_that_hardly_differ_have_an_interval() -> None:
    found = mean(many([0.0, 5e-162, 0.0]))
    assert found.lo is not None
    assert found.bca_lo is not None
