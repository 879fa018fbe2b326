"""Pairs: numerator and denominator of both sides come from the same units."""

from __future__ import annotations

import pytest
from report_rows import row

from memarena.records import Metric
from memarena_report.frame import Frame
from memarena_report.pairing import pairs, verdict

SHARE = Metric(title="QA-C", stage="use")


def compared(rows, labels=("a", "b")):
    return pairs(Frame.read(rows), labels, "qa_c", "paper", about=SHARE)


def test_a_unit_that_is_invalid_on_one_side_is_left_out_of_both():
    rows = [row("s1", "q1"), row("s1", "q2", n=0), row("s1", "q1", label="b"), row("s1", "q2", n=None, label="b")]
    pair = compared(rows)[0]
    assert (pair.difference.left, pair.difference.right) == (1.0, 1.0)
    assert (pair.units, pair.left_only, pair.right_only) == (1, 1, 0)


def test_systems_without_a_common_unit_are_not_compared():
    pair = compared([row("s1", "q1"), row("s1", "q2", label="b")])[0]
    assert pair.difference is None
    assert verdict(pair) == "not paired"


def test_a_system_without_rows_is_not_compared():
    pair = compared([row("s1", "q1"), row("s1", "q1", metric="other", label="b")])[0]
    assert (pair.difference, pair.left_only, pair.right_only) == (None, 1, 0)


def test_repeats_of_a_unit_stand_against_the_same_unit():
    rows = [row("s1", "q1", n=1), row("s1", "q1", n=0, repeat=1), row("s1", "q1", n=0, label="b")]
    pair = compared(rows)[0]
    assert (pair.difference.left, pair.units) == (0.5, 1)


def test_holm_is_over_all_pairs_of_a_table():
    rows = [
        row(f"s{place}", "q", n=n, label=label)
        for label, n in (("a", 1.0), ("b", 0.0), ("c", 0.0))
        for place in range(8)
    ]
    found = compared(rows, ("a", "b", "c"))
    assert [pair.difference.p for pair in found] == pytest.approx([2 / 256, 2 / 256, 1.0])
    assert [pair.p_holm for pair in found] == pytest.approx([6 / 256, 6 / 256, 1.0])
    assert [verdict(pair) for pair in found] == ["a", "a", "not shown"]
