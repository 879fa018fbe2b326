"""Pairs: numerator and denominator of both sides come from the same units."""

from __future__ import annotations

import pytest
from report_rows import row

from memarena.records import Metric
from memarena_report.conditions import flat, unequal
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


def header(**changes):
    found = {
        "memarena": "1.0.0",
        "settings": {"top_k": 10, "seed": 0},
        "plugins": {"judge": {"name": "lexical", "revision": 1}, "scorers": [{"name": "answers", "revision": 1}]},
        "data": {"samples": [{"sample_id": "s1", "fingerprint": "a" * 64}]},
    }
    return found | changes


def test_equal_conditions_are_equal():
    assert unequal([header(), header(settings={"top_k": 10, "seed": 5})]) == []


@pytest.mark.parametrize(
    ("changes", "name"),
    [
        ({"memarena": "1.1.0"}, "memarena"),
        ({"settings": {"top_k": 5}}, "settings.top_k"),
        ({"plugins": {"judge": {"name": "lexical", "revision": 2}}}, "plugins.judge.revision"),
        ({"data": {"samples": [{"sample_id": "s1", "fingerprint": "b" * 64}]}}, "data.s1"),
        ({"models": {"answerer": {"name": "m"}}}, "models.answerer.name"),
    ],
)
def test_a_condition_that_differs_is_named(changes, name):
    assert name in [row.name for row in unequal([header(), header(**changes)])]


def test_nested_settings_are_flattened_by_their_names():
    assert dict(flat({"a": {"b": 1}, "c": [{"name": "x", "v": 2}], "d": [1, 2]})) == {
        "a.b": 1,
        "c.x.name": "x",
        "c.x.v": 2,
        "d": [1, 2],
    }
