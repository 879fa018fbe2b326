"""scores.jsonl: one line a unit and scorer, sorted, without times and paths; facets stand once a line."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite
from numbers import Real
from pathlib import Path
from typing import Any

from memarena import codec
from memarena.cells import CellSpec, ScoreRow
from memarena.errors import PluginError, StoreError
from memarena.records import Record, Stat

Facets = dict[str, str | int | float | bool]

Row = tuple[str, str, float | None, float | None, float, int]
"""Metric, variant, n, d, weight, invalid."""


class Line(Record, frozen=True, kw_only=True):
    """The rows of one scorer for one unit of one cell that share their facets."""

    label: str
    sample_id: str
    repeat: int = 0
    unit: str
    scorer: str
    revision: int
    facets: Mapping[str, str | int | float | bool] = {}
    rows: tuple[Row, ...]


def lines(spec: CellSpec, stats: Iterable[Stat]) -> list[bytes]:
    """The lines of one cell, sorted; raises PluginError for a number that is none, StoreError for a doubled row."""
    groups: dict[tuple[str, str, int, bytes], dict[tuple[str, str], Row]] = {}
    for stat in stats:
        _check_numbers(stat)
        facets = codec.encode(stat.facets)
        rows = groups.setdefault((stat.scorer, stat.unit, stat.revision, facets), {})
        key = (stat.metric, stat.variant)
        if key in rows:
            raise StoreError(f"scorer {stat.scorer!r} gives {key} twice for {stat.unit!r} of {spec.cell_id}")
        rows[key] = (stat.metric, stat.variant, stat.n, stat.d, stat.weight, stat.invalid)
    return [
        codec.encode(
            Line(
                label=spec.label,
                sample_id=spec.sample_id,
                repeat=spec.repeat,
                unit=unit,
                scorer=scorer,
                revision=revision,
                facets=codec.decode(facets, Facets, f"scorer {scorer!r} gives facets for {unit!r}"),
                rows=tuple(row for _, row in sorted(rows.items())),
            )
        )
        for (scorer, unit, revision, facets), rows in sorted(groups.items())
    ]


def _check_numbers(stat: Stat) -> None:
    """A NaN would be written as null and read as a judgement that failed."""
    for name in ("n", "d", "weight"):
        number: Any = getattr(stat, name)
        if number is not None and not (isinstance(number, Real) and isfinite(number)):
            raise PluginError(
                f"scorer {stat.scorer!r} gives {name}={number!r} for {stat.metric!r} of {stat.unit!r}: "
                "it is to be finite, or None where invalid"
            )


def read(path: Path) -> Iterator[ScoreRow]:
    """The rows of a score file; raises StoreError where it is not there or holds a row twice."""
    if not path.exists():
        raise StoreError(f"{path.parent} has no scores yet; run `memarena score {path.parent}`")
    previous: tuple[object, ...] = ()
    for line in codec.read_lines(path, Line):
        key = (
            line.label,
            line.sample_id,
            line.repeat,
            line.scorer,
            line.unit,
            line.revision,
            tuple(line.facets.items()),
        )
        if key == previous:
            raise StoreError(f"{path} holds the rows of {line.unit!r} twice; score the run again")
        previous = key
        for metric, variant, n, d, weight, invalid in line.rows:
            yield ScoreRow(
                label=line.label,
                repeat=line.repeat,
                stat=Stat(
                    sample_id=line.sample_id,
                    unit=line.unit,
                    scorer=line.scorer,
                    revision=line.revision,
                    metric=metric,
                    variant=variant,
                    n=n,
                    d=d,
                    weight=weight,
                    invalid=invalid,
                    facets=line.facets,
                ),
            )
