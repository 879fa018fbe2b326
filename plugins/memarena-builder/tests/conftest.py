from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from builder_orders import order

from memarena_builder.layout import write_sample
from memarena_builder.lifelong import Built, build_sample


class OnDisk:
    """A sample as it lies on disk, with its hidden log."""

    def __init__(self, root: Path, built: Built) -> None:
        name = built.order.sample_id
        self.root = root
        self.folder = root / built.order.place
        self.raw: dict[str, Any] = json.loads((self.folder / f"{name}.json").read_text(encoding="utf-8"))
        lines = (root / "hidden" / f"{name}.jsonl").read_text(encoding="utf-8").splitlines()
        self.rows: list[dict[str, Any]] = [json.loads(line) for line in lines]

    def log(self, row: str) -> list[dict[str, Any]]:
        return [each for each in self.rows if each["row"] == row]

    def points(self) -> dict[str, list[dict[str, Any]]]:
        blocks = {block["session_id"]: block["memory_points"] for block in self.raw["memory_points"]}
        first = self.raw["sessions"][0]
        return {first["_v2_session_id"]: first["memory_points"], **blocks}


@pytest.fixture(scope="session")
def built() -> list[Built]:
    """One sample of each split and of two domains."""
    return [
        build_sample(order("health")),
        build_sample(order("software", 4, "dev")),
        build_sample(order("personal", 5)),
    ]


@pytest.fixture(scope="session")
def on_disk(built: list[Built], tmp_path_factory: pytest.TempPathFactory) -> list[OnDisk]:
    root = tmp_path_factory.mktemp("sim")
    for each in built:
        write_sample(each, root)
    return [OnDisk(root, each) for each in built]
