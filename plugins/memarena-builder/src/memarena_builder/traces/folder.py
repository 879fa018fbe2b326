"""All samples of a folder, annotated or reviewed, their pictures beside them."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from memarena.errors import DataError
from memarena_arena.wma_raw import RawSample
from memarena_builder.agentic.sample import counts_of, log_rows
from memarena_builder.layout import HIDDEN, put
from memarena_builder.makers import Made
from memarena_builder.order import Order
from memarena_builder.sound import sample_json
from memarena_builder.traces.annotate import Reader, annotate
from memarena_builder.traces.review import Decision, apply, units

REGIMES = ("lifelong", "agent")
_ID = re.compile(r"[A-Za-z0-9_:-][A-Za-z0-9_.:-]*")


def annotate_folder(
    folder: Path, out: Path, read: Reader, *, questions: int, checkpoints: int, seed: int
) -> list[Made]:
    """Write the samples of `folder` with gold and questions into `out`; raises DataError where there are none."""
    made = []
    for path, raw in samples_of(folder):
        place = path.parent.relative_to(folder).as_posix()
        order = Order(sample_id=raw["sample_id"], place=place, seed=seed)
        try:
            whole, built = annotate(raw, order, read, questions=questions, checkpoints=checkpoints)
        except DataError as error:
            raise DataError(error.problem, file=str(path), path=error.path) from None
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


def _pictures(path: Path) -> Iterator[Path]:
    """The pictures of a sample, without links that lead elsewhere."""
    folder = path.parent / "images" / path.stem
    for each in sorted(folder.glob("*")):
        if each.is_file() and each.resolve().is_relative_to(folder.resolve()):
            yield each


def _copied(folder: Path, out: Path, picture: Path) -> str:
    name = picture.relative_to(folder)
    (out / name).parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(picture, out / name)
    return name.as_posix()


def samples_of(folder: Path) -> list[tuple[Path, dict[str, Any]]]:
    """Path and JSON of each sample; raises DataError where there are none, one does not fit the JSON Schema, or two
    have the same id."""
    found = sorted(path for regime in REGIMES for path in (folder / regime).rglob("*.json"))
    if not found:
        raise DataError("holds no samples: write some with memarena data import", file=str(folder))
    paths: dict[str, Path] = {}
    out = []
    for path in found:
        raw = sample_json(path)
        try:
            msgspec.convert(raw, type=RawSample)
        except msgspec.ValidationError as error:
            problem, _, place = str(error).partition(" - at ")
            problem = f"does not fit the JSON Schema that memarena data schema prints: {problem}"
            raise DataError(problem, file=str(path), path=place.strip("`")) from None
        name = raw["sample_id"]
        if not _ID.fullmatch(name):
            raise DataError("an id has letters, digits and _ . : - alone", file=str(path), path="$.sample_id")
        if name in paths:
            raise DataError(f"has the id of {paths[name]}", file=str(path), path="$.sample_id")
        paths[name] = path
        out.append((path, raw))
    return out


def prints_of(folder: Path) -> dict[str, str]:
    """By name of each point and question of all samples: its print."""
    return {unit.name: unit.print for _, raw in samples_of(folder) for unit in units(raw)}


def reviewed(folder: Path, out: Path, settled: Mapping[str, Decision]) -> tuple[int, int]:
    """Write the samples as people decided; returns the points and the questions that are left. The hidden log, which
    tells how the questions were made, stays behind: it would not fit any more."""
    points = questions = 0
    for path, raw in samples_of(folder):
        made = apply(raw, settled)
        points += sum(unit.is_point for unit in units(made))
        questions += sum(not unit.is_point for unit in units(made))
        for picture in _pictures(path):
            _copied(folder, out, picture)
        target = out / path.relative_to(folder)
        put(target, msgspec.json.format(msgspec.json.encode(made, order="sorted"), indent=1) + b"\n")
    return points, questions
