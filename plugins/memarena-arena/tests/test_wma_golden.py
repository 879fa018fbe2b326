"""The golden data set: what a right loader finds in it."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from memarena.datastats import DataStats
from memarena_arena.worldmemarena import FolderOptions, WorldMemArena

SHARED = Path(os.environ.get("MEMARENA_SHARED", Path(__file__).resolve().parents[3] / ".." / "shared"))
NATIVE = SHARED / "golden" / "native"

pytestmark = pytest.mark.skipif(not NATIVE.is_dir(), reason="the shared golden cases are not here")


@pytest.fixture(scope="module")
def expected() -> dict[str, Any]:
    text: dict[str, Any] = json.loads((NATIVE / "expected.json").read_text(encoding="utf-8"))
    return text


@pytest.fixture(scope="module")
def counted() -> dict[str, Any]:
    stats = DataStats()
    for sample in WorldMemArena().open(str(NATIVE)):
        stats.add(sample)
    return stats.as_json()


def test_the_samples_come_in_the_order_of_the_published_loader(
    expected: dict[str, Any], counted: dict[str, Any]
) -> None:
    assert counted["samples_in_loader_order"] == expected["samples_in_loader_order"]


@pytest.mark.parametrize("name", ["software_01", "personal_01", "minecraft_001", "excel_001"])
def test_every_expected_value_of_a_sample_is_found(
    expected: dict[str, Any], counted: dict[str, Any], name: str
) -> None:
    (wanted,) = [row for row in expected["samples"] if row["sample_id"] == name]
    (found,) = [row for row in counted["samples"] if row["sample_id"] == name]
    assert {key: found[key] for key in wanted} == wanted


def test_the_small_split_is_what_its_file_lists() -> None:
    opened = WorldMemArena().open(str(NATIVE), FolderOptions(split="small"))
    assert [sample.sample_id for sample in opened] == ["minecraft_001", "software_01"]
