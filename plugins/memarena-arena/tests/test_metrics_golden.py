from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from memarena_arena.metrics import aggregate, ranking, text
from memarena_arena.metrics.variants import VARIANTS

SHARED = Path(os.environ.get("MEMARENA_SHARED") or Path(__file__).resolve().parents[4] / "shared")


def golden(name: str) -> list[dict[str, Any]]:
    path = SHARED / "golden" / name
    if not path.is_file():
        pytest.skip(f"the golden cases are not here ({path}); set MEMARENA_SHARED")
    cases: list[dict[str, Any]] = json.loads(path.read_text(encoding="utf-8"))
    return cases


def differences(found: Any, expected: Any, where: str) -> Iterator[str]:
    if isinstance(expected, dict):
        if found.keys() != expected.keys():
            yield f"{where}: {sorted(found)} is not {sorted(expected)}"
            return
        for key, value in expected.items():
            yield from differences(found[key], value, f"{where} {key}")
    elif expected is None or found is None:
        if found is not expected:
            yield f"{where}: {found} is not {expected}"
    elif abs(found - expected) > 1e-9:
        yield f"{where}: {found} is not {expected}"


def test_f1_and_bleu1_agree_with_every_golden_case() -> None:
    wrong = [
        line
        for number, case in enumerate(golden("text_and_ranking.json"))
        for name, measure in (("f1", text.f1), ("bleu1", text.bleu1))
        for line in differences(
            measure(case["prediction"], case["reference"]), case["expected"][name], f"{number} {name}"
        )
    ]
    assert wrong == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_recall_and_ndcg_agree_with_every_golden_case(variant: str) -> None:
    wrong: list[str] = []
    for number, case in enumerate(golden("text_and_ranking.json")):
        found = ranking.scores(case["items"], case["evidence"], case["source_sessions_by_rank"], variant=variant)
        expected = {int(k): scores for k, scores in case["expected"]["ranking"][variant].items()}
        wrong += differences(found, expected, f"{number}")
    assert wrong == []


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_aggregates_agree_with_every_golden_case(variant: str) -> None:
    wrong: list[str] = []
    for number, case in enumerate(golden("aggregate.json")):
        wrong += differences(aggregate.summarise(case["samples"], variant), case["expected"][variant], f"{number}")
    assert wrong == []
