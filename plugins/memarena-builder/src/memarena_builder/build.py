"""Builds a data set: sample by sample, in several processes, and goes on where it was stopped."""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path

import msgspec

from memarena.errors import UsageError
from memarena_builder import manifest, report
from memarena_builder.makers import Made, make, require
from memarena_builder.order import Order
from memarena_builder.presets import Variant, orders
from memarena_builder.twins import file as twins

JOURNAL = "build.jsonl"
"""What is done so far; gone when the data set is complete."""


class Head(msgspec.Struct, frozen=True, kw_only=True, tag="head"):
    """What a folder is being built as."""

    generator: str
    preset: str
    seed: int


class Done(msgspec.Struct, frozen=True, kw_only=True, tag="done"):
    """One sample that is there, whole."""

    made: Made


_LINE = msgspec.json.Decoder(Head | Done)


def build(
    root: Path,
    preset: str,
    seed: int,
    jobs: int = 1,
    tell: Callable[[int, int, str], None] = lambda *_: None,
    part: str = "all",
    variant: Variant = Variant(),  # noqa: B008
) -> Sequence[Made]:
    """Build `preset` with `seed` into `root`; `tell` hears how many samples of how many are done, and the last one.

    The same preset, variant and seed give the same bytes. A folder that a build was stopped in is completed; raises
    UsageError where `root` holds something else.
    """
    wanted = orders(preset, seed, part, variant)
    require(wanted)
    preset = (preset if part == "all" else f"{preset} {part}") + str(variant)
    head = Head(generator=manifest.generator(), preset=preset, seed=seed)
    found = manifest.read(root)
    if found is not None:
        if (found.generator, found.preset, found.seed) != (head.generator, preset, seed):
            was = f"preset {found.preset}, seed {found.seed}, {found.generator}"
            raise UsageError(f"--out {root}: holds another data set ({was}): choose another folder")
        return report.read(root)
    done = _resume(root, head)
    for made in done.values():
        tell(len(done), len(wanted), made.sample_id)
    missing = [order for order in wanted if order.sample_id not in done]
    with (root / JOURNAL).open("ab") as journal:
        for made in _made(missing, root, jobs):
            done[made.sample_id] = made
            journal.write(msgspec.json.encode(Done(made=made)) + b"\n")
            journal.flush()
            tell(len(done), len(wanted), made.sample_id)
    ordered = [done[order.sample_id] for order in wanted]
    splits = {
        split: [order.sample_id for order in wanted if order.split == split] for split in ("dev", "test")
    }  # fmt: skip
    report.write(root, ordered, splits)
    twins.write(root, wanted)
    manifest.write(root, head.generator, preset, seed)
    (root / JOURNAL).unlink()
    return ordered


def _resume(root: Path, head: Head) -> dict[str, Made]:
    """What an earlier build left in `root` that is whole; begins the journal where there is none."""
    path = root / JOURNAL
    if not path.exists():
        if root.exists() and any(root.iterdir()):
            raise UsageError(f"--out {root}: is not empty, and no build was begun there: choose another folder")
        root.mkdir(parents=True, exist_ok=True)
        path.write_bytes(msgspec.json.encode(head) + b"\n")
        return {}
    lines = [line for line in path.read_bytes().split(b"\n") if line]
    rows = [row for row in map(_read, lines) if row is not None]
    if not rows or rows[0] != head:
        raise UsageError(f"--out {root}: a build with other settings was begun there: choose another folder")
    made = {row.made.sample_id: row.made for row in rows if isinstance(row, Done)}
    kept = {name: each for name, each in made.items() if all((root / file).is_file() for file in each.files)}
    whole = [msgspec.json.encode(head), *(msgspec.json.encode(Done(made=each)) for each in kept.values())]
    path.write_bytes(b"".join(line + b"\n" for line in whole))
    return kept


def _read(line: bytes) -> Head | Done | None:
    """A line of the journal; None for one that was cut off."""
    try:
        return _LINE.decode(line)
    except msgspec.DecodeError:
        return None


def _made(missing: Sequence[Order], root: Path, jobs: int) -> Iterator[Made]:
    """What is missing, made; in whatever order it is ready."""
    if jobs <= 1 or len(missing) <= 1:
        yield from (make(order, root) for order in missing)
        return
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(min(jobs, len(missing)), mp_context=context) as pool:
        waiting = [pool.submit(make, order, root) for order in missing]
        try:
            for each in as_completed(waiting):
                yield each.result()
        finally:
            pool.shutdown(cancel_futures=True)
