"""Intervals and tests against hand-worked values and scipy."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_rows import row
from scipy import stats

from memarena.records import Metric
from memarena_report.differences import detectable, difference, holm
from memarena_report.frame import Frame
from memarena_report.intervals import intervals, wilson
from memarena_report.levels import axis, by_facet, quantity

SHARE = Metric(title="QA-C", stage="use")


def of(values, label="a", level="samples"):
    """The quantity of one system with one unit a sample."""
    rows = [row(f"s{place}", "q", n=n, label=label) for place, n in enumerate(values)]
    return quantity(Frame.read(rows), label, "qa_c", "paper", about=SHARE, level=level)


def test_the_bootstrap_over_samples_agrees_with_scipys():
    values = np.random.default_rng(5).normal(0.5, 0.2, 60)
    ours = intervals([of(values)])[0]
    theirs = stats.bootstrap((values,), np.mean, n_resamples=20_000, method="percentile", rng=1)
    assert (ours.lo, ours.hi) == pytest.approx(tuple(theirs.confidence_interval), abs=0.004)
    assert ours.method == "bootstrap"
    assert ours.note == ""


def test_units_of_a_sample_are_drawn_together():
    rows = [row(f"s{s}", f"q{q}", n=float(s % 2)) for s in range(20) for q in range(50)]
    clustered = quantity(Frame.read(rows), "a", "qa_c", "paper", about=SHARE, level="run")
    interval = intervals([clustered])[0]
    assert interval.hi - interval.lo == pytest.approx(2 * 1.96 * (0.25 / 20) ** 0.5, abs=0.06)


def test_equal_data_give_equal_intervals():
    assert intervals([of([0, 1, 1, 0.5])]) == intervals([of([0, 1, 1, 0.5])])


def test_an_interval_is_the_same_alone_and_among_others():
    one, other = of([0, 1, 1, 0.5]), of([1, 0, 0, 0])
    assert intervals([one, other])[0] == intervals([one])[0]


def test_few_samples_are_marked():
    assert "only 4 samples" in intervals([of([0, 1, 1, 0])])[0].note


def test_one_sample_has_a_wilson_interval_for_a_proportion():
    rows = [row("s", f"q{place}", n=float(place < 8)) for place in range(10)]
    interval = intervals([quantity(Frame.read(rows), "a", "qa_c", "paper", about=SHARE)])[0]
    assert interval.method == "wilson"
    assert (interval.lo, interval.hi) == pytest.approx((0.4901625, 0.9433178), abs=1e-6)


def test_one_sample_of_no_proportion_has_none_and_says_so():
    rows = [row("s", "q1", n=0.3), row("s", "q2", n=0.9)]
    interval = intervals([quantity(Frame.read(rows), "a", "qa_c", "paper", about=SHARE)])[0]
    assert (interval.lo, interval.hi, interval.method) == (None, None, "none")
    assert interval.note == "one sample: no interval"


@given(n=st.integers(1, 200), share=st.floats(0, 1))
def test_wilson_agrees_with_scipys(n, share):
    hits = round(share * n)
    theirs = stats.binomtest(hits, n).proportion_ci(method="wilson")
    assert wilson(hits, n) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@given(values=st.lists(st.floats(0, 1), min_size=2, max_size=12))
def test_an_interval_holds_no_value_that_no_sample_has(values):
    interval = intervals([of(values)])[0]
    assert min(values) - 1e-9 <= interval.lo <= interval.hi <= max(values) + 1e-9


def test_a_difference_is_paired():
    left, right = [0.1, 0.5, 0.9, 0.4], [0.0, 0.4, 0.8, 0.3]
    seen = difference(of(left), of(right))
    assert seen.value == pytest.approx(0.1)
    assert (seen.lo, seen.hi) == pytest.approx((0.1, 0.1))
    assert seen.p == pytest.approx(2 / 2**4)
    assert seen.exact


def test_the_sign_flip_test_counts_all_flips_of_a_few_samples():
    left, right = [1.0, 0.8, 0.3, 0.6, 0.9], [0.2, 0.9, 0.1, 0.5, 0.3]
    gaps = np.subtract(left, right)
    flips = [abs(np.mean(gaps * signs)) for signs in itertools.product((1, -1), repeat=5)]
    expected = np.mean([flip >= abs(gaps.mean()) - 1e-12 for flip in flips])
    assert difference(of(left), of(right)).p == pytest.approx(expected)


def test_the_sign_flip_test_agrees_with_scipys_on_many_samples():
    rng = np.random.default_rng(3)
    left = rng.uniform(size=40)
    right = left + rng.normal(0.05, 0.2, 40)
    theirs = stats.permutation_test(
        (left, right),
        lambda a, b, axis: np.mean(a - b, axis=axis),
        permutation_type="samples",
        vectorized=True,
        n_resamples=20_000,
        rng=1,
    )
    assert difference(of(left), of(right)).p == pytest.approx(theirs.pvalue, abs=0.03)


def test_over_the_run_the_systems_are_swapped_sample_by_sample():
    a = [row(f"s{s}", f"q{q}", n=1.0) for s in range(3) for q in range(s + 1)]
    b = [row(f"s{s}", f"q{q}", n=float(s == 2), label="b") for s in range(3) for q in range(s + 1)]
    frame = Frame.read([*a, *b])
    left, right = (quantity(frame, label, "qa_c", "release", about=SHARE, level="run") for label in ("a", "b"))
    seen = difference(left, right)
    assert (seen.left, seen.right, seen.value) == pytest.approx((1.0, 0.5, 0.5))
    assert seen.p == pytest.approx(4 / 8)


def test_only_samples_of_both_are_compared():
    seen = difference(of([1.0, 1.0, 0.0]), of([0.0, None, 0.0], label="b"))
    assert (seen.left, seen.right, seen.samples) == (0.5, 0.0, 2)


def test_systems_without_a_common_sample_have_no_difference():
    assert difference(of([1.0, None]), of([None, 1.0], label="b")) is None


def test_one_sample_allows_no_test():
    seen = difference(of([1.0]), of([0.0], label="b"))
    assert (seen.value, seen.p, seen.lo, seen.detectable) == (1.0, None, None, None)


def test_the_mean_of_types_is_resampled_type_by_type():
    rng = np.random.default_rng(2)
    shares = {"FR": rng.uniform(size=30), "TTL": rng.uniform(size=30)}
    rows = [
        row(f"s{place}", kind, n=n, facets={"type": kind})
        for kind, values in shares.items()
        for place, n in enumerate(values)
    ]
    types = by_facet(Frame.read(rows), "a", "qa_c", "paper", "type", about=SHARE)
    ours = intervals([axis(types, ("FR", "TTL"))])[0]
    both = (shares["FR"] + shares["TTL"]) / 2
    theirs = stats.bootstrap((both,), np.mean, n_resamples=20_000, method="percentile", rng=1)
    assert (ours.lo, ours.hi) == pytest.approx(tuple(theirs.confidence_interval), abs=0.004)


def test_holm_agrees_with_a_worked_example():
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])


def test_holm_leaves_out_what_has_no_p_and_stops_at_one():
    assert holm([0.9, None, 0.8]) == [1.0, None, 1.0]


def test_the_smallest_detectable_difference_has_eighty_percent_power():
    smallest = detectable(0.05, 30)
    critical = stats.t.ppf(0.975, 29)
    assert 1 - stats.nct.cdf(critical, 29, smallest / 0.05) == pytest.approx(0.8, abs=0.01)


def test_data_that_do_not_vary_show_no_smallest_difference():
    assert detectable(0.0, 30) is None
