"""Rows become numbers: what enters, what is left out, at which level."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report_rows import row

from memarena.errors import StoreError
from memarena.records import Metric
from memarena_report.frame import Frame
from memarena_report.levels import average, axis, by_facet, quantity

SHARE = Metric(title="QA-C", stage="use")
POOLED = Metric(title="Update", stage="maintain", pooled=True)


def value(rows, about=SHARE, level="samples", variant="paper", **where):
    frame = Frame.read(rows)
    return quantity(frame, "a", "qa_c", variant, about=about, level=level, where=where).value


def test_each_sample_counts_once_over_samples_and_each_unit_once_over_the_run():
    rows = [row("s1", "q1", n=1), row("s2", "q1", n=0), row("s2", "q2", n=0), row("s2", "q3", n=0)]
    assert value(rows) == 0.5
    assert value(rows, level="run") == 0.25


def test_a_pooled_metric_divides_sums_and_another_averages_ratios():
    rows = [row("s1", "q1", n=1, d=1), row("s1", "q2", n=0, d=3)]
    assert value(rows, about=POOLED) == 0.25
    assert value(rows) == 0.5


def test_weights_count_within_a_sample():
    assert value([row("s1", "q1", n=1, weight=3.0), row("s1", "q2", n=0)]) == 0.75


def test_a_failed_judgement_is_counted_and_never_a_zero():
    frame = Frame.read([row("s1", "q1", n=0.8), row("s1", "q2", n=None, invalid=1)])
    one = quantity(frame, "a", "qa_c", "paper", about=SHARE)
    assert one.value == 0.8
    assert (one.counts.n, one.counts.invalid, one.counts.skipped) == (1, 1, 0)


def test_a_value_that_is_no_number_is_invalid_and_never_averaged():
    one = quantity(Frame.read([row("s1", "q1", n=0.8), row("s1", "q2", n=math.nan)]), "a", "qa_c", "paper", about=SHARE)
    assert (one.value, one.counts.n, one.counts.invalid) == (0.8, 1, 1)


def test_a_unit_with_nothing_to_measure_is_skipped():
    frame = Frame.read([row("s1", "q1", n=0, d=0), row("s1", "q2")])
    one = quantity(frame, "a", "qa_c", "paper", about=SHARE)
    assert (one.value, one.counts.n, one.counts.skipped) == (1.0, 1, 1)


def test_a_unit_that_only_another_system_or_variant_has_is_skipped():
    rows = [row("s1", "q1"), row("s1", "q2", label="b"), row("s1", "q3", variant="release")]
    counts = quantity(Frame.read(rows), "a", "qa_c", "paper", about=SHARE).counts
    assert (counts.n, counts.skipped) == (1, 2)


def test_nothing_to_average_is_undefined_and_not_zero():
    assert value([row("s1", "q1", metric="other")]) is None


def test_release_takes_the_metrics_own_value_where_there_is_nothing_to_average():
    about = Metric(title="Update", stage="maintain", pooled=True, empty=0.0)
    rows = [row("s1", "q1", metric="other")]
    assert value(rows, about=about, variant="release") == 0.0
    assert value(rows, about=about, variant="paper") is None


def test_rows_without_a_variant_count_in_each_variant():
    rows = [row("s1", "q1", n=1), row("s1", "q2", n=0, variant="strict")]
    assert value(rows, variant="paper") == 1.0
    assert value(rows, variant="strict") == 0.5


def test_two_rows_with_one_key_are_refused():
    frame = Frame.read([row("s1", "q1", n=1), row("s1", "q1", n=0, variant="paper")])
    with pytest.raises(StoreError, match=r"two rows for qa_c \(paper\) of 'a' in sample 's1', unit 'q1'"):
        quantity(frame, "a", "qa_c", "paper", about=SHARE)


def test_repeats_are_units_of_their_own():
    assert value([row("s1", "q1", n=1), row("s1", "q1", n=0, repeat=1)]) == 0.5


def test_a_facet_selects_rows():
    rows = [row("s1", "q1", n=1, facets={"type": "FR"}), row("s1", "q2", n=0, facets={"type": "DU"})]
    assert value(rows, type="FR") == 1.0
    assert value(rows, type="VS") is None


def typed(*shares, sample="s1"):
    return [
        row(sample, f"{kind}{place}", n=n, facets={"type": kind})
        for kind, values in shares
        for place, n in enumerate(values)
    ]


def test_the_average_over_types_is_made_within_each_sample_or_over_the_run():
    rows = typed(("FR", [1, 1, 0, 0]), ("DU", [1])) + typed(("FR", [0]), sample="s2")
    types = by_facet(Frame.read(rows), "a", "qa_c", "paper", "type", about=SHARE)
    assert average(types, "samples").value == pytest.approx((0.75 + 0) / 2)
    types = by_facet(Frame.read(rows), "a", "qa_c", "release", "type", about=SHARE)
    assert average(types, "run").value == pytest.approx((2 / 5 + 1) / 2)


def test_an_axis_is_the_unweighted_mean_of_the_types_that_occur():
    rows = typed(("DU", [1, 1, 1]), ("MB", [0]), ("FR", [0]))
    types = by_facet(Frame.read(rows), "a", "qa_c", "paper", "type", about=SHARE)
    assert axis(types, ("DU", "MB", "MC")).value == 0.5
    assert axis(types, ("VS",)) is None


units = st.lists(
    st.tuples(
        st.sampled_from(["s1", "s2", "s3"]),
        st.one_of(st.none(), st.floats(0, 1)),
        st.sampled_from([0.0, 1.0, 2.0]),
    ),
    max_size=40,
)


@given(units=units)
def test_no_unit_ever_disappears(units):
    rows = [row(sample, f"q{place}", n=n, d=d) for place, (sample, n, d) in enumerate(units)]
    rows.append(row("s0", "q"))
    counts = quantity(Frame.read(rows), "a", "qa_c", "paper", about=SHARE).counts
    assert counts.invalid == sum(n is None for _, n, _ in units)
    assert counts.n + counts.invalid + counts.skipped == len(rows)


@given(units=units)
def test_the_mean_over_the_run_is_the_plain_mean_of_what_is_valid(units):
    rows = [row(sample, f"q{place}", n=n, d=1.0) for place, (sample, n, _) in enumerate(units)]
    rows.append(row("s0", "q", n=None))
    valid = [n for _, n, _ in units if n is not None]
    seen = value(rows, level="run")
    assert seen is None if not valid else math.isclose(seen, math.fsum(valid) / len(valid), abs_tol=1e-12)
