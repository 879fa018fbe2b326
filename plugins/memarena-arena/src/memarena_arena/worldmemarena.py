"""The WorldMemArena layout: one JSON file a sample, pictures beside it (arXiv 2605.29341)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Literal

import msgspec
from msgspec.structs import replace

from memarena.catalog import did_you_mean
from memarena.errors import DataError, UsageError
from memarena.protocols import LoadReport
from memarena.records import Finding, Sample
from memarena_arena import overlay
from memarena_arena.faults import Faults, printable, quoted
from memarena_arena.jsonfile import Limits, decode_tree, read_bytes
from memarena_arena.pictures import Pictures
from memarena_arena.wma_build import SampleBuilder
from memarena_arena.wma_layout import SMALL_IDS, SampleFile, has_samples, list_samples, root_of, sample_notes, split_ids
from memarena_arena.wma_raw import DECODER, RawSample
from memarena_arena.wma_repair import repaired


class FolderOptions(Limits, frozen=True, kw_only=True):
    """How a folder is read, and how much of a file."""

    split: str = "all"
    """`all`; `small`: the ids in `small_ids.json`; or a split that `splits.json` names, e.g. `dev`."""
    samples: tuple[str, ...] = ()
    """Only these sample ids; () for all."""
    overlay: str = ""
    """File that says which answers of the key are wrong; "": none."""
    check_pictures: bool = True
    """Read the header of each picture: what is no picture counts as missing."""
    max_pixels: int = 50_000_000
    """A picture that claims more counts as missing."""


class SampleFolder:
    """The samples of a folder, one at a time; each pass fills `report` anew."""

    def __init__(self, source: Path, options: FolderOptions) -> None:
        self.root = root_of(source)
        self.report = LoadReport()
        self.files: dict[str, Path] = {}
        """By id: where each sample stands that was read so far."""
        self._source = source
        self._options = options
        self._limits: Limits = options
        self._listing = list_samples(self.root)
        if not self._listing.files:
            problem = "holds no sample: they lie in folders below it, as in agent/gui/excel/excel_001.json"
            raise DataError(problem, file=str(source))
        self._split = () if options.split == "all" else split_ids(self.root, options.split, self._limits)
        self._notes = sample_notes(self.root, self._limits)
        self._overlay = overlay.read(Path(options.overlay), options) if options.overlay else None

    def __iter__(self) -> Iterator[Sample]:
        """Yield each sample that may be used, in the order of the published loader.

        Raises UsageError, after all that could be found, for an id of `FolderOptions.samples` that is not there.
        """
        self.report.counts.clear()
        self.report.findings.clear()
        if self._overlay is None:
            return self._read_samples()
        whole = not (self._options.samples or self._split)
        return overlay.apply(self._read_samples(), self._overlay, self.report, complete=whole)

    def _read_samples(self) -> Iterator[Sample]:
        self._report_unread()
        pictures = Pictures(
            self.root,
            check=self._options.check_pictures,
            max_pixels=self._options.max_pixels,
            links=self._listing.links,
        )
        builder = SampleBuilder(pictures)
        wanted = set(self._options.samples or self._split)
        read: dict[str, str] = {}
        for file in self._files(wanted, read):
            faults = Faults(file.name)
            sample = self._sample(file, pictures, builder, faults)
            if sample is not None and sample.sample_id in read:
                problem = f"{quoted(sample.sample_id)} is the id of {read[sample.sample_id]} too"
                faults.refuse("repeated_id", problem, "$.sample_id")
            read.setdefault(sample.sample_id if sample else file.stem, file.name)
            faults.drain_into(self.report)
            if sample is not None and not faults.refused and (not wanted or sample.sample_id in wanted):
                self.files[sample.sample_id] = Path(file.path)
                yield sample
        self._complain(read)

    def _files(self, wanted: Collection[str], read: Collection[str]) -> Iterator[SampleFile]:
        """The files to read. An id is looked for in the file of its name first, then in all others."""
        files = self._listing.files
        if not wanted:
            yield from files
            return
        yield from (file for file in files if file.stem in wanted)
        if not all(name in read for name in wanted):
            yield from (file for file in files if file.stem not in wanted)

    def _sample(self, file: SampleFile, pictures: Pictures, builder: SampleBuilder, faults: Faults) -> Sample | None:
        read = self._read(file, faults)
        if read is None:
            return None
        raw, exact = read
        # What follows from a refused part is no news.
        faults.quiet = faults.refused
        pictures.relative_to(file.folder)
        sample = builder.build(raw, faults, exact=exact, regime=file.regime, domain=file.domain)
        if sample.sample_id != file.stem:
            problem = f"the file is not named after its sample, {quoted(sample.sample_id)}"
            faults.note("other_name", problem, "$.sample_id")
        note = self._notes.get(sample.sample_id)
        return replace(sample, meta=note) if note else sample

    def _read(self, file: SampleFile, faults: Faults) -> tuple[RawSample, bool] | None:
        """The JSON of a sample and whether it is exactly as published (see `wma_raw`); None where there is none."""
        if not file.inside:
            faults.refuse("outside_file", "is a link that leaves the data set")
            return None
        try:
            data = read_bytes(file.path, self._limits)
            if len(data) <= self._limits.max_string_chars:
                with suppress(msgspec.MsgspecError, RecursionError):
                    return DECODER.decode(data), True
            tree = decode_tree(data, file.name, self._limits, faults)
        except DataError as error:
            faults.refuse_error(error, "unreadable_file")
            return None
        if not isinstance(tree, dict) or not tree.keys() & {"sample_id", "sessions"}:
            faults.note("stray_file", "is no sample (neither sample_id nor sessions) and is not read", "$")
            return None
        return repaired(tree, faults), False

    def _report_unread(self) -> None:
        for name in self._listing.hidden:
            self._add("hidden_file", "note", "a hidden file is not read", name)
        for name in self._listing.links:
            self._add("linked_folder", "warning", "a link to a folder is not followed", name)

    def _complain(self, read: Collection[str]) -> None:
        """Report what was asked for and is not there."""
        for name in self._split:
            if name not in read and not self._options.samples:
                self._add("unknown_sample", "warning", f"there is no sample {quoted(name)}", SMALL_IDS)
        for name in self._options.samples:
            if name not in read:
                stems = (file.stem for file in self._listing.files)
                raise UsageError(f"--sample {name}: not in {self._source}{did_you_mean(name, stems)}")
            if self._split and name not in self._split:
                raise UsageError(f"--sample {name}: not in the split {self._options.split}")

    def _add(self, code: str, level: Literal["note", "warning"], message: str, file: str) -> None:
        self.report.add(Finding(code=code, level=level, message=message, file=printable(file)))


class WorldMemArena:
    """Reads a folder in the layout of WorldMemArena, one sample at a time."""

    name = "worldmemarena"
    revision = 1
    Options = FolderOptions

    def __init__(self, options: FolderOptions | None = None) -> None:
        self.options = options or FolderOptions()

    @classmethod
    def accepts(cls, path: Path) -> bool:
        """Whether `path` is a folder of this layout. Reads no file."""
        return has_samples(path)

    def fetch(
        self,
        to: Path,
        revision: str | None = None,
        confirm: Callable[[str], bool] = lambda cost: True,
        progress: Callable[[int, int], None] = lambda done, total: None,
    ) -> Path:
        """Bring the published data set at `revision` into the folder `to`; see `hub.fetch_worldmemarena`."""
        from memarena_arena.hub import fetch_worldmemarena

        return fetch_worldmemarena(to, revision, confirm, progress)

    def open(self, source: str, options: FolderOptions | None = None) -> SampleFolder:
        """Open the folder `source`; `options` stand for those of the constructor.

        Raises DataError where there is no such folder, no JSON file in it that could be a sample, or no
        `small_ids.json` for the split `small`; UsageError for another split.
        """
        if not source:
            raise UsageError("worldmemarena needs a folder: -d worldmemarena:PATH (memarena data fetch gets one)")
        return SampleFolder(Path(source), options or self.options)
