"""All samples of a folder, annotated or reviewed, their pictures beside them."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import msgspec

from memarena.errors import DataError
from memarena_builder.agentic.sample import counts_of, log_rows
from memarena_builder.layout import HIDDEN, put
from memarena_builder.makers import Made
from memarena_builder.order import Order
from memarena_builder.traces.annotate import Reader, annotate
from memarena_builder.traces.review import Decision, apply, units

REGIMES = ("lifelong", "agent")


def annotate_folder(
    folder: Path, out: Path, read: Reader, *, questions: int, checkpoints: int, seed: int
) -> list[Made]:
    """Write the samples of `folder` with gold and questions into `out`; raises DataError where there are none."""
    made = []
    for path, raw in samples_of(folder):
        place = path.parent.relative_to(folder).as_posix()
        order = Order(sample_id=raw["sample_id"], place=place, seed=seed)
        whole, built = annotate(raw, order, read, questions=questions, checkpoints=checkpoints)
        files = [_copied(folder, out, picture) for picture in _pictures(path)]
        log = out / HIDDEN / f"{order.sample_id}.jsonl"
        put(log, b"".join(msgspec.json.encode(row, order="sorted") + b"\n" for row in log_rows(built)))
        target = out / place / path.name
        put(target, msgspec.json.format(msgspec.json.encode(whole, order="sorted"), indent=1) + b"\n")
        files += [log.relative_to(out).as_posix(), target.relative_to(out).as_posix()]
        made.append(
            Made(sample_id=order.sample_id, files=tuple(files), counts=counts_of(built), problems=built.problems)
        )
    return made


def _pictures(path: Path) -> list[Path]:
    return sorted(each for each in (path.parent / "images" / path.stem).glob("*") if each.is_file())


def _copied(folder: Path, out: Path, picture: Path) -> str:
    name = picture.relative_to(folder)
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(picture, out / name)
    return name.as_posix()


def samples_of(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Path and JSON of each sample; raises DataError where there are none."""
    found = sorted(path for regime in REGIMES for path in (folder / regime).rglob("*.json"))
    if not found:
        raise DataError("holds no samples: write some with memarena data import", file=str(folder))
    return [(path, json.loads(path.read_text(encoding="utf-8"))) for path in found]


def reviewed(folder: Path, out: Path, settled: Mapping[str, Decision]) -> tuple[int, int]:
    """Write the samples as people decided; returns the points and the questions that are left. The hidden log, which
    tells how the questions were made, stays behind: it would not fit any more."""
    points = questions = 0
    for path, raw in samples_of(folder):
        made = apply(raw, settled)
        rows = [row for _, row, _ in units(made)]
        points += sum("memory_content" in row for row in rows)
        questions += sum("question" in row for row in rows)
        for picture in _pictures(path):
            _copied(folder, out, picture)
        target = out / path.relative_to(folder)
        put(target, msgspec.json.format(msgspec.json.encode(made, order="sorted"), indent=1) + b"\n")
    return points, questions
