"""A sample that was built, as it lies on disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from memarena_builder.lifelong import Built


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
