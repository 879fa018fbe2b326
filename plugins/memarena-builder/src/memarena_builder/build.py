"""Builds a data set: sample by sample, in several processes, and goes on where it was stopped."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import msgspec

from memarena.errors import UsageError
from memarena_builder import manifest, report
from memarena_builder.layout import put
from memarena_builder.makers import Made, make, require
from memarena_builder.manifest import JOURNAL
from memarena_builder.order import LifelongOrder, Order
from memarena_builder.packs.load import check_all
from memarena_builder.presets import Variant, orders
from memarena_builder.twins import file as twins
from memarena_builder.workers import together


class Head(msgspec.Struct, frozen=True, kw_only=True, tag="head"):
    """What a folder is being built as."""

    generator: str
    preset: str
    seed: int
    packs: dict[str, str] = {}
    """Of somebody's own, as in the manifest."""


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
    *,
    wait: bool = False,
) -> Sequence[Made]:
    """Build `preset` with `seed` into `root`; `tell` hears how many samples of how many are done, and the last one.

    The same preset, variant and seed give the same bytes. A folder that a build was stopped in is completed, and so is
    one whose files are gone. Raises UsageError where `root` holds something else, where it cannot be written, and where
    another build is at work in it, but for `wait`; DataError, before anything is written, for a wrong schema pack.
    """
    wanted = orders(preset, seed, part, variant)
    require(wanted)
    packs = manifest.own_packs(_checked(wanted))
    preset = (preset if part == "all" else f"{preset} {part}") + str(variant)
    head = Head(generator=manifest.generator(), preset=preset, seed=seed, packs=packs)
    with _alone(root, wait=wait):
        found = manifest.read(root)
        if found is None:
            return _build(root, head, wanted, jobs, tell)
        if (found.generator, found.preset, found.seed, found.packs) != (head.generator, preset, seed, packs):
            other = ", a pack of another state" if found.packs != packs else ""
            was = f"preset {found.preset}, seed {found.seed}, {found.generator}{other}"
            raise UsageError(f"--out {root}: holds another data set ({was}): choose another folder")
        if not manifest.lost(root, found):
            return report.read(root)
        _reopen(root, head, found)
        return _build(root, head, wanted, jobs, tell)


def _checked(wanted: Iterable[Order]) -> list[tuple[str, str]]:
    """Language and domain of each schema pack that the samples take, after all of it was looked at."""
    pairs = {(each.quota.language, each.domain) for each in wanted if isinstance(each, LifelongOrder)}
    for language, domain in sorted(pairs):
        check_all(domain, language)
    return sorted(pairs)


@contextmanager
def _alone(root: Path, *, wait: bool) -> Iterator[None]:
    """Hold `root`, which is made where it is not there, against other builds; say of what cannot be written how to go
    on."""
    folder = -1
    try:
        root.mkdir(parents=True, exist_ok=True)
        folder = os.open(root, os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        yield
    except BlockingIOError:
        raise UsageError(f"--out {root}: another build is at work there: wait for it, or choose another") from None
    except OSError as error:
        where = f"{error.filename}: " if error.filename and str(error.filename) != str(root) else ""
        what = f"{where}{error.strerror or error}"
        raise UsageError(f"--out {root}: {what}; once that is mended, the same command goes on") from error
    finally:
        if folder >= 0:
            os.close(folder)


def _build(
    root: Path, head: Head, wanted: Sequence[Order], jobs: int, tell: Callable[[int, int, str], None]
) -> Sequence[Made]:
    """Make what is not there yet, and what tells of the whole."""
    done = _resume(root, head)
    if done:
        tell(len(done), len(wanted), next(reversed(done)))
    missing = [order for order in wanted if order.sample_id not in done]
    with (root / JOURNAL).open("ab") as journal, closing(_made(missing, root, jobs)) as ready:
        for made in ready:
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
    manifest.write(root, head.generator, head.preset, head.seed, head.packs)
    (root / JOURNAL).unlink()
    return ordered


def _reopen(root: Path, head: Head, found: manifest.Manifest) -> None:
    """Make a data set that was whole one whose build was stopped, with the samples that are whole."""
    lost = set(manifest.lost(root, found))
    kept = [] if report.NAME in lost else [each for each in report.read(root) if not lost.intersection(each.files)]
    _write_journal(root, head, kept)
    (root / manifest.NAME).unlink()


def _write_journal(root: Path, head: Head, kept: Iterable[Made]) -> None:
    rows = [head, *(Done(made=each) for each in kept)]
    put(root / JOURNAL, b"".join(msgspec.json.encode(row) + b"\n" for row in rows))


def _resume(root: Path, head: Head) -> dict[str, Made]:
    """What an earlier build left in `root` that is whole; begins the journal where there is none."""
    path = root / JOURNAL
    if not path.exists():
        if any(each.name != f"{JOURNAL}.part" for each in root.iterdir()):
            raise UsageError(f"--out {root}: is not empty, and no build was begun there: choose another folder")
        _write_journal(root, head, ())
        return {}
    lines = [line for line in path.read_bytes().split(b"\n") if line]
    rows = [row for row in map(_read, lines) if row is not None]
    if not rows or rows[0] != head:
        raise UsageError(f"--out {root}: a build with other settings was begun there: choose another folder")
    made = {row.made.sample_id: row.made for row in rows if isinstance(row, Done)}
    kept = {name: each for name, each in made.items() if all((root / file).is_file() for file in each.files)}
    _write_journal(root, head, kept.values())
    return kept


def _read(line: bytes) -> Head | Done | None:
    """A line of the journal; None for one that was cut off."""
    try:
        return _LINE.decode(line)
    except msgspec.DecodeError:
        return None


def _made(missing: Sequence[Order], root: Path, jobs: int) -> Generator[Made]:
    """What is missing, made; in whatever order it is ready."""
    if jobs <= 1 or len(missing) <= 1:
        yield from (make(order, root) for order in missing)
        return
    yield from together(missing, root, min(jobs, len(missing)))
