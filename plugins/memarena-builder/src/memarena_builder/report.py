"""`build-report.json` and `splits.json`: what was made, what was made again, what is still wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from memarena_builder.makers import Made

NAME = "build-report.json"
SPLITS = "splits.json"


def write(root: Path, made: Sequence[Made], splits: Mapping[str, Sequence[str]]) -> None:
    """Write both files; they hold no times, so that the same build gives the same bytes."""
    _write(root / NAME, {"total": total(made), "problems": problems(made), "samples": list(made)})
    _write(root / SPLITS, dict(splits))


def _write(path: Path, content: Any) -> None:
    path.write_bytes(msgspec.json.format(msgspec.json.encode(content, order="sorted"), indent=1) + b"\n")


class _Report(msgspec.Struct):
    samples: list[Made]


def read(root: Path) -> Sequence[Made]:
    """What `write` was given; raises FileNotFoundError where there is no report."""
    return msgspec.json.decode((root / NAME).read_bytes(), type=_Report).samples


def total(made: Sequence[Made]) -> dict[str, int]:
    """The counts of all samples together."""
    counts: Counter[str] = Counter({"samples": len(made)})
    for each in made:
        counts.update(each.counts)
    return dict(sorted(counts.items()))


def problems(made: Sequence[Made]) -> dict[str, dict[str, int]]:
    """By validator: how many units were made again, and how many are still wrong."""
    found: dict[str, dict[str, int]] = {}
    for each in made:
        for problem in each.problems:
            row = found.setdefault(problem.validator, {"repaired": 0, "left": 0})
            row["repaired" if problem.repaired else "left"] += 1
    return {name: found[name] for name in sorted(found, key=lambda name: int(name[1:]))}
