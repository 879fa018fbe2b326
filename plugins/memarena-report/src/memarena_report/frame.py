"""Score rows as compact arrays: one column a system, metric and variant.

A full data set has millions of rows, so a row costs about 25 bytes here: ids and facets are interned, weights and
failed judgements are kept only where they differ from 1 and 0.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from memarena.errors import StoreError

if TYPE_CHECKING:
    import numpy as np
    from memarena.records import Stat
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int64]
    Mask = NDArray[np.bool_]

Facet = str | int | float | bool


class Row(Protocol):
    """A row of `scores.jsonl`: a `Stat` with the system and the repeat that it belongs to."""

    @property
    def label(self) -> str: ...
    @property
    def repeat(self) -> int: ...
    @property
    def stat(self) -> Stat: ...


@dataclass(frozen=True, slots=True, eq=False)
class Column:
    """The rows of one metric of one system in one variant, as parallel arrays; `n` and `d` are NaN where invalid."""

    sample: Ints
    unit: Ints
    repeat: Ints
    facets: Ints
    n: Floats
    d: Floats
    weight: Floats
    invalid: Ints

    def __len__(self) -> int:
        return len(self.n)

    def take(self, mask: Mask) -> Column:
        """The rows where `mask` is true."""
        return Column(*(getattr(self, name)[mask] for name in Column.__slots__))


class _Builder:
    """One column while rows come in."""

    __slots__ = ("d", "facets", "invalid", "n", "repeat", "unit", "weight")

    def __init__(self) -> None:
        self.unit, self.repeat, self.facets = array("i"), array("i"), array("i")
        self.n, self.d = array("d"), array("d")
        self.weight: dict[int, float] = {}
        self.invalid: dict[int, int] = {}

    def add(self, stat: Stat, unit: int, repeat: int, facets: int) -> None:
        if stat.weight != 1.0:
            self.weight[len(self.n)] = stat.weight
        if stat.invalid or stat.n is None or stat.d is None:
            self.invalid[len(self.n)] = stat.invalid or 1
        self.unit.append(unit)
        self.repeat.append(repeat)
        self.facets.append(facets)
        missing = stat.n is None or stat.d is None
        self.n.append(_NAN if missing else stat.n)  # type: ignore[arg-type]
        self.d.append(_NAN if missing else stat.d)  # type: ignore[arg-type]

    def column(self, sample_of: Ints) -> Column:
        import numpy as np

        rows = len(self.n)
        unit = np.asarray(self.unit, dtype=np.int64)
        weight, invalid = np.ones(rows), np.zeros(rows, dtype=np.int64)
        weight[list(self.weight)] = list(self.weight.values())
        invalid[list(self.invalid)] = list(self.invalid.values())
        return Column(
            sample=sample_of[unit],
            unit=unit,
            repeat=np.asarray(self.repeat, dtype=np.int64),
            facets=np.asarray(self.facets, dtype=np.int64),
            n=np.asarray(self.n),
            d=np.asarray(self.d),
            weight=weight,
            invalid=invalid,
        )


_NAN = float("nan")


class Frame:
    """All score rows of a run. Systems, samples, units and facet sets are numbered in the order of appearance."""

    def __init__(self) -> None:
        self.labels: dict[str, None] = {}
        self.samples: dict[str, int] = {}
        self.units: dict[tuple[str, str], int] = {}
        self.facet_sets: list[Mapping[str, Facet]] = []
        self._facet_codes: dict[tuple[tuple[str, Facet], ...], int] = {}
        self._builders: dict[tuple[str, str, str], _Builder] = {}
        self._columns: dict[tuple[str, str, str], Column | None] = {}
        self._facets: dict[str, tuple[Ints, tuple[Facet, ...]]] = {}

    @classmethod
    def read(cls, rows: Iterable[Row]) -> Frame:
        """Take in `rows`. Raises StoreError where two rows have one key."""
        frame = cls()
        last: Mapping[str, Facet] | None = None
        code = 0
        for row in rows:
            stat = row.stat
            facets = stat.facets
            if facets is not last and facets != last:
                code, last = frame._facet_code(facets), facets
            key = (row.label, stat.metric, stat.variant)
            builder = frame._builders.get(key)
            if builder is None:
                builder = frame._builders[key] = _Builder()
                frame.labels.setdefault(row.label)
            frame.samples.setdefault(stat.sample_id, len(frame.samples))
            unit = frame.units.setdefault((stat.sample_id, stat.unit), len(frame.units))
            builder.add(stat, unit, row.repeat, code)
        return frame

    def _facet_code(self, facets: Mapping[str, Facet]) -> int:
        key = tuple(facets.items())
        code = self._facet_codes.get(key)
        if code is None:
            code = self._facet_codes[key] = len(self.facet_sets)
            self.facet_sets.append(dict(facets))
        return code

    @property
    def metrics(self) -> tuple[str, ...]:
        """The names of all metrics, in the order of appearance."""
        return tuple(dict.fromkeys(metric for _, metric, _ in self._builders))

    @property
    def variants(self) -> tuple[str, ...]:
        """The variants that some row names."""
        return tuple(sorted({variant for *_, variant in self._builders if variant}))

    def column(self, label: str, metric: str, variant: str) -> Column | None:
        """The rows that count in `variant`: those that name it and those that name none. None: there are none.

        Raises StoreError where two of them have one key, since either would then count double.
        """
        key = (label, metric, variant)
        if key not in self._columns:
            self._columns[key] = self._gather(key)
        return self._columns[key]

    def _gather(self, key: tuple[str, str, str]) -> Column | None:
        import numpy as np

        label, metric, variant = key
        found = [self._builders[k] for k in dict.fromkeys((key, (label, metric, ""))) if k in self._builders]
        if not found:
            return None
        sample_of = np.fromiter((self.samples[sample] for sample, _ in self.units), dtype=np.int64)
        parts = [builder.column(sample_of) for builder in found]
        names = Column.__slots__
        column = Column(*(np.concatenate([getattr(part, name) for part in parts]) for name in names))
        keys = column.unit * (int(column.repeat.max(initial=0)) + 1) + column.repeat
        values, counts = np.unique(keys, return_counts=True)
        if len(values) != len(keys):
            first = column.unit[np.flatnonzero(np.isin(keys, values[counts > 1]))[0]]
            sample, unit = list(self.units)[first]
            raise StoreError(
                f"scores.jsonl: two rows for {metric} ({variant or 'all variants'}) of {label!r} in sample {sample!r}, "
                f"unit {unit!r}; run `memarena score` again"
            )
        return column

    def facet(self, name: str) -> tuple[Ints, tuple[Facet, ...]]:
        """The facet `name`: for each facet set the place of its value in the values given, -1 where it has none."""
        import numpy as np

        if name not in self._facets:
            values: dict[Facet, int] = {}
            codes = [
                values.setdefault(facets[name], len(values)) if name in facets else -1 for facets in self.facet_sets
            ]
            self._facets[name] = (np.asarray(codes, dtype=np.int64), tuple(values))
        return self._facets[name]

    def where(self, column: Column, name: str, value: Facet) -> Mask:
        """Which rows of `column` have `value` as their facet `name`."""
        codes, values = self.facet(name)
        wanted = values.index(value) if value in values else -2
        mask: Mask = codes[column.facets] == wanted
        return mask
