"""From a selector (`PATH`, or `NAME[:SOURCE]`) to samples, with the flags that choose among them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from memarena import catalog
from memarena.catalog import did_you_mean
from memarena.errors import DataError, PluginLoadError, UsageError

if TYPE_CHECKING:
    from memarena.catalog import Entry
    from memarena.protocols import Opened
    from memarena.records import Sample

_PATH_LIKE = re.compile(r"[A-Za-z]:[\\/]|[.~]|[^:]*[\\/]")
"""What no name of a data set looks like: a drive, a leading dot or tilde, a slash before the first colon."""


class Choice(NamedTuple):
    """The data set that a selector means."""

    entry: Entry
    source: str
    """What its `open` is given; "" for its own place."""

    @property
    def name(self) -> str:
        """Its entry-point name, which is its label in `-o NAME.key=value`."""
        return self.entry.name

    def fields(self) -> frozenset[str]:
        """The names of its options."""
        kind = getattr(self.entry.load(), "Options", None)
        return frozenset(getattr(kind, "__struct_fields__", ()))

    def make(self, values: Mapping[str, Any]) -> tuple[Any, Any]:
        """The data set and its options (None where it takes none); raises UsageError for an option that is wrong."""
        cls = self.entry.load()
        dataset = catalog.make(cls, values, who=str(self.entry))
        kind = getattr(cls, "Options", None)
        if kind is None:
            return dataset, None
        keeper = type(cls.__name__, (_Kept,), {"Options": kind})
        return dataset, catalog.make(keeper, values, who=str(self.entry)).options


class _Kept:
    """Keeps the options that `catalog.make` has checked and converted."""

    def __init__(self, options: Any) -> None:
        self.options = options


def resolve(selector: str) -> Choice:
    """The data set that `selector` means. A path that exists stands before a name.

    Raises UsageError for an empty selector and for a path that two data sets read, DataError for a path that is not
    there or that nothing reads, PluginError for an unknown name.
    """
    if not selector:
        raise UsageError("no data set was named: give a path, or NAME[:SOURCE], e.g. mini")
    name, _, source = selector.partition(":")
    if Path(selector).exists():
        readers, broken = _readers(Path(selector))
        if len(readers) == 1:
            return Choice(readers[0], selector)
        if readers:
            names = " and ".join(repr(entry.selector) for entry in readers)
            raise UsageError(f"{names} both read {selector}: say which, as NAME:{selector}")
        if not any(entry.name == name for entry in catalog.entries("datasets")):
            raise DataError(f"no data set knows this layout: say NAME:{selector}{broken}", file=selector)
    elif _PATH_LIKE.match(selector):
        raise DataError("there is no such file or folder", file=selector)
    return Choice(catalog.find("datasets", name), source)


def _readers(path: Path) -> tuple[list[Entry], str]:
    """The data sets that accept `path`, and what kept others from saying so."""
    readers, broken = [], ""
    for entry in catalog.entries("datasets"):
        try:
            cls = entry.load()
            if hasattr(cls, "accepts") and catalog.make(cls, {}, who=str(entry)).accepts(path):
                readers.append(entry)
        except PluginLoadError as error:
            broken += f"; {error}"
    return readers, broken


def open_data(
    selector: str,
    *,
    split: str | None = None,
    samples: Sequence[str] = (),
    overlay: str | None = None,
    limit: int | None = None,
    options: Mapping[str, Any] | None = None,
) -> Opened:
    """Open what `selector` means. Iterating reads one sample at a time and stops after `limit` of them.

    A flag that is given wins over the same key of `options`. Raises a MemarenaError where the selector, an option or
    the source is wrong; a sample id that is not there is a UsageError at the end of the pass.
    """
    choice = resolve(selector)
    fields = choice.fields()
    values = dict(options or {})
    for flag, value in (("split", split), ("overlay", overlay)):
        if value is not None and flag not in fields:
            raise UsageError(f"--{flag} {value}: the data set {choice.name!r} has no option {flag!r}")
        if value is not None:
            values[flag] = value
    wanted: Sequence[str] = samples
    if samples and "samples" in fields:
        values["samples"] = list(samples)
        wanted = ()
    dataset, made = choice.make(values)
    opened: Opened = dataset.open(choice.source, made)
    return Selection(opened, wanted, limit) if wanted or limit is not None else opened


class Selection:
    """Some of the samples of an opened data set, with its report as far as it was read."""

    def __init__(self, opened: Opened, samples: Sequence[str], limit: int | None) -> None:
        self.report = opened.report
        self.whole = opened
        self._samples = samples
        self._limit = limit

    def __iter__(self) -> Iterator[Sample]:
        """Yield the samples; raises UsageError, after the last one, for an id that is not there."""
        left = self._limit
        seen = set()
        for sample in self.whole:
            seen.add(sample.sample_id)
            if self._samples and sample.sample_id not in self._samples:
                continue
            yield sample
            left = None if left is None else left - 1
            if left == 0:
                return
        for name in self._samples:
            if name not in seen:
                raise UsageError(f"--sample {name}: there is no such sample{did_you_mean(name, seen)}")
