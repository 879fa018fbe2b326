"""`build-report.json` and `splits.json`: what was made, what was made again, what had to go, what is still wrong."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from memarena.cli.counted import counted
from memarena_builder.layout import put
from memarena_builder.makers import Made

NAME = "build-report.json"
SPLITS = "splits.json"
ADVICE: Mapping[str, str] = {
    "V1": "Let the words of its turn (--says, the statements of a pack) have both subject and value, let --knows know "
    "no more than they say, or mark as visual what a picture shows; in pictures, values that look less alike",
    "V2": "Let the caption have 5 to 40 words and none of the values: values that are no usual words",
    "V3": "Let the turn claim what is to be refused, with one cue, and not what is so",
    "V4": "Let each version of a fact have another value and a later day",
    "V8": "Let no words say what only a picture tells: other values (the pools of a pack), or another --says",
}
"""By validator that can drop something: what to change, so that it need not."""


def write(root: Path, made: Sequence[Made], splits: Mapping[str, Sequence[str]]) -> None:
    """Write both files; they hold no times, so that the same build gives the same bytes."""
    _write(
        root / NAME,
        {"total": total(made), "problems": problems(made), "dropped": dropped(made), "samples": list(made)},
    )
    _write(root / SPLITS, dict(splits))


def _write(path: Path, content: Any) -> None:
    put(path, msgspec.json.format(msgspec.json.encode(content, order="sorted"), indent=1) + b"\n")


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


def told(made: Sequence[Made], *things: str) -> str:
    """How much was made of each of `things`, e.g. `1 sample, 8 sessions, 33 questions`."""
    counts = total(made)
    for kind in ("question", "point"):
        counts[f"{kind}s"] = sum(number for name, number in counts.items() if name.startswith(f"{kind}s "))
    return ", ".join(counted(counts.get(f"{each}s", 0), each) for each in things)


def problems(made: Sequence[Made]) -> dict[str, dict[str, int]]:
    """By validator: how many units were made again, how many had to go, and how many are still wrong."""
    found: dict[str, dict[str, int]] = {}
    for each in made:
        for problem in each.problems:
            row = found.setdefault(problem.validator, {"repaired": 0, "dropped": 0, "left": 0})
            row["repaired" if problem.repaired else "dropped" if problem.dropped else "left"] += 1
    return {name: found[name] for name in sorted(found, key=lambda name: int(name[1:]))}


def dropped(made: Sequence[Made]) -> list[dict[str, str]]:
    """What had to go, a row each: sample, validator, unit, why, and what to do about it."""
    return [
        {
            "sample_id": each.sample_id,
            "validator": problem.validator,
            "unit": problem.unit,
            "message": problem.message,
            "do": ADVICE[problem.validator],
        }
        for each in made
        for problem in each.problems
        if problem.dropped
    ]


def lines(made: Sequence[Made]) -> Iterator[str]:
    """What validators did, a line each; of each that dropped something, why and what to do; and of each that something
    is left of, an example."""
    for name, row in problems(made).items():
        yield f"{name}: {row['repaired']} made again, {row['dropped']} dropped, {row['left']} left"
    first: dict[str, dict[str, str]] = {}
    for gone in dropped(made):
        first.setdefault(gone["validator"], gone)
    for name, gone in first.items():
        yield f"{name} dropped e.g. {gone['sample_id']} {gone['unit']}: {gone['message']}. {gone['do']} (all: {NAME})"
    left: dict[str, str] = {}
    for each in made:
        for problem in each.problems:
            if problem.left:
                left.setdefault(problem.validator, f"{each.sample_id} {problem.unit}: {problem.message}")
    for name, example in left.items():
        yield f"{name} left e.g. {example} (all: {NAME})"
