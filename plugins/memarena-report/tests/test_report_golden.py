"""The means computed from rows agree with the golden cases in all variants."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from report_rows import METRICS, VARIANTS, golden_rows

from memarena_report.frame import Frame
from memarena_report.levels import average, by_facet, default_level, quantity

SHARED = Path(os.environ.get("MEMARENA_SHARED", Path(__file__).resolve().parents[3] / ".." / "shared"))
CASES = SHARED / "golden" / "aggregate.json"

pytestmark = pytest.mark.skipif(not CASES.exists(), reason="the golden cases are not there")


@pytest.mark.parametrize("variant", VARIANTS)
def test_means_agree_with_the_golden_cases(variant):
    for number, case in enumerate(json.loads(CASES.read_text(encoding="utf-8"))):
        frame = Frame.read(golden_rows(case))
        expected = case["expected"][variant]
        for metric, about in METRICS.items():
            value = quantity(frame, "a", metric, variant, about=about).value
            assert value == pytest.approx(expected[metric], abs=1e-9), (number, metric)


@pytest.mark.parametrize("variant", VARIANTS)
def test_types_and_their_average_agree_with_the_golden_cases(variant):
    for number, case in enumerate(json.loads(CASES.read_text(encoding="utf-8"))):
        frame = Frame.read(golden_rows(case))
        expected = case["expected"][variant]
        types = by_facet(frame, "a", "qa_c", variant, "type", about=METRICS["qa_c"])
        assert {name: one.value for name, one in types.items()} == pytest.approx(expected["by_type"], abs=1e-9)
        mean = average(types, default_level(variant))
        assert (mean and mean.value) == pytest.approx(expected["avg_type"], abs=1e-9), number
