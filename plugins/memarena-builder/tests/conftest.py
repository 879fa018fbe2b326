from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from memarena_builder.layout import write_sample
from memarena_builder.lifelong import Built, build_sample
from memarena_builder.order import LifelongOrder
from memarena_builder.plan.quota import Quota

QUOTA = Quota(sessions=10, points=8, updates=3, rounds=11, checkpoints=3)


def order(domain: str, seed: int = 3, split: str = "test", quota: Quota = QUOTA) -> LifelongOrder:
    place = "lifelong/personal" if domain == "personal" else f"lifelong/project/{domain}"
    return LifelongOrder(
        sample_id=f"{domain}_01", place=place, domain=domain, seed=seed, split=split, quota=quota
    )  # fmt: skip


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
