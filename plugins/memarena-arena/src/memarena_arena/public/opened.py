"""What is the same for every public data set: options, the pass over the records, and which files are meant."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Protocol

from memarena.catalog import did_you_mean
from memarena.errors import DataError, UsageError
from memarena.protocols import LoadReport
from memarena.records import Finding, Sample
from memarena_arena import overlay
from memarena_arena.faults import PLAIN_NAME, Faults, no_plain_name, quoted
from memarena_arena.public.stream import Item, StreamLimits


class PublicOptions(StreamLimits, frozen=True, kw_only=True):
    """How much of a data set is read."""

    samples: tuple[str, ...] = ()
    """Only these sample ids; () for all."""
    overlay: str = ""
    """File that says which answers of the key are wrong; "": none."""


class Pass(Protocol):
    """One pass over a data set."""

    def items(self) -> Iterable[Item]:
        """The records, one at a time."""
        ...

    def build(self, item: Item) -> Sample | None:
        """The sample of `item.value`; what is odd goes to `item.faults`. None where it is refused."""
        ...

    def finish(self) -> Iterable[Finding]:
        """What only the end of a whole pass shows."""
        ...


class PublicSamples:
    """The samples of a source, one at a time; each pass fills `report` anew.

    `start` gives a fresh pass.
    """

    def __init__(self, options: PublicOptions, licence: str, start: Callable[[], Pass]) -> None:
        self.report = LoadReport()
        self.report.licence = licence
        self._start = start
        self._wanted = frozenset(options.samples)
        self._samples = options.samples
        self._overlay = overlay.read(Path(options.overlay), options) if options.overlay else None

    def __iter__(self) -> Iterator[Sample]:
        """Yield each sample that may be used; with a choice of samples, up to the last of these.

        Raises UsageError at the end for a chosen id that is not there.
        """
        self.report.counts.clear()
        self.report.findings.clear()
        samples = self._read()
        if self._overlay is None:
            return samples
        return overlay.apply(samples, self._overlay, self.report, complete=not self._wanted)

    def _read(self) -> Iterator[Sample]:
        reading = self._start()
        seen: set[str] = set()
        missing = set(self._wanted)
        for item in reading.items():
            sample = None if item.faults.refused else reading.build(item)
            if sample is not None and sample.sample_id in seen:
                problem = f"{quoted(sample.sample_id)} is the id of an earlier sample"
                item.faults.refuse("repeated_sample_id", problem, item.path)
            item.faults.drain_into(self.report)
            if sample is None:
                continue
            seen.add(sample.sample_id)
            if item.faults.refused or (self._wanted and sample.sample_id not in self._wanted):
                continue
            yield sample
            missing.discard(sample.sample_id)
            if self._wanted and not missing:
                return
        for finding in reading.finish():
            self.report.add(finding)
        for name in self._samples:
            if name in missing:
                raise UsageError(f"--sample {name}: there is no such sample{did_you_mean(name, seen)}")


def file_hash(file: Path, digest: str, known: Mapping[str, str] | None = None) -> Finding:
    """Which bytes were read; `known`: the first twelve digits of the sha256 of published files -> what these are."""
    told = f" ({known.get(digest[:12], 'not one that is known here')})" if known else ""
    return Finding(code="file_hash", level="note", message=f"its sha256 is {digest}{told}", file=str(file), path="$")


def sample_id(given: object, path: str, faults: Faults) -> str:
    """`given` as the id of a sample; "" with a refusal where it is no plain name."""
    name = str(given) if isinstance(given, int) and not isinstance(given, bool) else given
    if isinstance(name, str) and PLAIN_NAME.fullmatch(name):
        return name
    faults.refuse("odd_sample_id", no_plain_name(name) if isinstance(name, str) else f"{quoted(name)} is no id", path)
    return ""


def files_of(
    source: Path,
    split: str,
    splits: Mapping[str, re.Pattern[str]],
    suffixes: Collection[str],
    *,
    others: bool = False,
) -> list[Path]:
    """The files that `source` and `split` mean, sorted by their paths.

    A file is itself. In a folder, and in the folders below it, those count whose absolute path a pattern of `splits` is
    found in and whose ending is one of `suffixes`; `split` "" means all, with `others` those of no split too. Raises
    UsageError for a split that does not exist or that `source` does not belong to, DataError where there is nothing.
    """
    if split and split not in splits:
        raise UsageError(f"--split {split}: this data set has {', '.join(splits)}{did_you_mean(split, splits)}")
    if source.is_file():
        if split and split_of(source, splits) != split:
            raise UsageError(f"--split {split}: {source} does not belong to it by its name")
        return [source]
    if not source.is_dir():
        raise DataError("no such file or folder", file=str(source))
    wanted = {split} if split else {*splits, ""} if others else {*splits}
    found = [
        path
        for path in sorted(source.rglob("*"))
        if path.suffix.lower() in suffixes and not path.name.startswith(".") and path.is_file()
        if split_of(path, splits) in wanted
    ]
    if not found:
        of_split = f"of the split {split} " if split else ""
        raise DataError(f"no file {of_split}is in it", file=str(source))
    return found


def split_of(path: Path, splits: Mapping[str, re.Pattern[str]]) -> str:
    """The first of `splits` whose pattern is found in the absolute POSIX path; "" where none is."""
    whole = path.resolve().as_posix()
    return next((name for name, pattern in splits.items() if pattern.search(whole)), "")


def only_file(files: list[Path], source: Path) -> Path:
    """The one file that is meant; raises UsageError where there are several."""
    if len(files) > 1:
        names = ", ".join(file.relative_to(source).as_posix() for file in files[:5])
        raise UsageError(f"{source} holds several files with the same questions ({names}): name one, or say --split")
    return files[0]
