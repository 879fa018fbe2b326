"""Score rows as compact arrays: one column a system, metric and variant.

A full data set has millions of rows, so a row costs about 25 bytes here: ids and facets are interned, weights and
failed judgements are kept only where they differ from 1 and 0.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import isnan
from typing import TYPE_CHECKING, Protocol

from memarena.errors import StoreError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from memarena.records import Stat

    Floats = NDArray[np.float64]
    Ints = NDArray[np.int32]
    Mask = NDArray[np.bool_]
    Places = NDArray[np.signedinteger]

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

    def take(self, rows: Mask | Places) -> Column:
        """Some of the rows: a mask, or their places."""
        return Column(*(getattr(self, name)[rows] for name in _FIELDS))


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
        missing = stat.n is None or stat.d is None or isnan(stat.n) or isnan(stat.d)
        if stat.invalid or missing:
            self.invalid[len(self.n)] = stat.invalid or 1
        self.unit.append(unit)
        self.repeat.append(repeat)
        self.facets.append(facets)
        self.n.append(_NAN if missing else stat.n)  # type: ignore[arg-type]
        self.d.append(_NAN if missing else stat.d)  # type: ignore[arg-type]

    def column(self, sample_of: Ints) -> Column:
        import numpy as np

        rows = len(self.n)
        unit = np.asarray(self.unit, dtype=np.int32)
        weight, invalid = np.ones(rows), np.zeros(rows, dtype=np.int32)
        weight[list(self.weight)] = list(self.weight.values())
        invalid[list(self.invalid)] = list(self.invalid.values())
        return Column(
            sample=sample_of[unit],
            unit=unit,
            repeat=np.asarray(self.repeat, dtype=np.int32),
            facets=np.asarray(self.facets, dtype=np.int32),
            n=np.asarray(self.n),
            d=np.asarray(self.d),
            weight=weight,
            invalid=invalid,
        )


_NAN = float("nan")
_FIELDS = ("sample", "unit", "repeat", "facets", "n", "d", "weight", "invalid")


class Frame:
    """Score rows of one run or several. Samples, units and facet sets are numbered in the order of appearance."""

    def __init__(self) -> None:
        self.labels: dict[str, None] = {}
        self.samples: dict[str, int] = {}
        self.units: dict[tuple[str, str], int] = {}
        self.facet_sets: list[Mapping[str, Facet]] = []
        self._facet_codes: dict[tuple[tuple[str, Facet], ...], int] = {}
        self._builders: dict[tuple[str, str, str], _Builder] = {}
        self._sound: set[tuple[str, str, str]] = set()
        self._sample_of: Ints | None = None
        """The sample of each unit, once the first question was asked."""
        self.column = lru_cache(maxsize=64)(self._column)
        self.asked = lru_cache(maxsize=64)(self._asked)
        self.facet = lru_cache(maxsize=64)(self._facet)

    @classmethod
    def read(cls, rows: Iterable[Row]) -> Frame:
        """A frame of `rows`."""
        frame = cls()
        frame.add(rows)
        return frame

    def add(self, rows: Iterable[Row], prefix: str = "") -> None:
        """Take in `rows`, with `prefix` before the names of their systems; before the first question only."""
        builders, samples, units = self._builders, self.samples, self.units
        last: Mapping[str, Facet] | None = None
        code = 0
        for row in rows:
            stat = row.stat
            facets = stat.facets
            if facets is not last and facets != last:
                code, last = self._facet_code(facets), facets
            label = f"{prefix}{row.label}" if prefix else row.label
            key = (label, stat.metric, stat.variant)
            builder = builders.get(key)
            if builder is None:
                builder = builders[key] = _Builder()
                self.labels.setdefault(label)
            samples.setdefault(stat.sample_id, len(samples))
            unit = units.setdefault((stat.sample_id, stat.unit), len(units))
            builder.add(stat, unit, row.repeat, code)

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
    def variants(self) -> frozenset[str]:
        """The variants that some row names."""
        return frozenset(variant for *_, variant in self._builders if variant)

    def _column(self, label: str, metric: str, variant: str) -> Column | None:
        """The rows that count in `variant`: those that name it and those that name none. None: there are none.

        Raises StoreError where two of them have one key, since that unit would then count double.
        """
        keys = dict.fromkeys(((label, metric, variant), (label, metric, "")))
        found = [self._builders[key] for key in keys if key in self._builders]
        if not found:
            return None
        column = self._joined(found)
        doubled = None if (label, metric, variant) in self._sound else _doubled(column)
        if doubled is not None:
            sample, unit = list(self.units)[doubled]
            raise StoreError(
                f"scores.jsonl: two rows for {metric} ({variant or 'all variants'}) of {label!r} in sample {sample!r}, "
                f"unit {unit!r}; run `memarena score` again"
            )
        self._sound.add((label, metric, variant))
        return column

    def _asked(self, metric: str) -> Column:
        """One row a unit (and repeat) that some system has for `metric` in some variant: what could be measured."""
        import numpy as np

        column = self._joined([one for (_, name, _), one in self._builders.items() if name == metric])
        _, first = np.unique(_keys(column), return_index=True)
        return column.take(first)

    def _joined(self, builders: Sequence[_Builder]) -> Column:
        import numpy as np

        if self._sample_of is None:
            self._sample_of = np.fromiter((self.samples[sample] for sample, _ in self.units), dtype=np.int32)
        parts = [builder.column(self._sample_of) for builder in builders] or [_Builder().column(self._sample_of)]
        return Column(*(np.concatenate([getattr(part, name) for part in parts]) for name in _FIELDS))

    def _facet(self, name: str) -> tuple[Ints, tuple[Facet, ...]]:
        """The facet `name`: for each facet set the place of its value in the values given, -1 where it has none."""
        import numpy as np

        values: dict[Facet, int] = {}
        codes = [values.setdefault(facets[name], len(values)) if name in facets else -1 for facets in self.facet_sets]
        return np.asarray(codes, dtype=np.int32), tuple(values)

    def where(self, column: Column, facets: Mapping[str, Facet]) -> Column:
        """The rows of `column` that have all of `facets`."""
        for name, value in facets.items():
            codes, values = self.facet(name)
            place = values.index(value) if value in values else len(values)
            column = column.take(codes[column.facets] == place)
        return column


def _keys(column: Column) -> Places:
    """A number for each unit and repeat."""
    keys: Places = column.unit.astype("int64") * (int(column.repeat.max(initial=0)) + 1) + column.repeat
    return keys


def _doubled(column: Column) -> int | None:
    """A unit that stands twice, if any."""
    import numpy as np

    _, first, counts = np.unique(_keys(column), return_index=True, return_counts=True)
    twice = first[counts > 1]
    return int(column.unit[twice[0]]) if len(twice) else None
