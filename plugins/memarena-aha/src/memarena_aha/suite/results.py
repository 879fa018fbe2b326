"""What a run folder says of its evaluations: one outcome a pair, arm, condition and repeat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any

from memarena.cells import CellInfo, CellSpec
from memarena.records import Record
from memarena.store import RunStore
from memarena_aha.suite.conditions import COLD, EVALUATION
from memarena_aha.suite.controls import BASELINE
from memarena_aha.suite.lines import EpisodeLine, episodes_of

__all__ = ["Outcome", "PairRow", "Results"]


class PairRow(Record, frozen=True, kw_only=True):
    """A pair as the header knows it."""

    sample_id: str
    fingerprint: str
    part: str
    block: str
    plans: tuple[str, ...]
    facets: Mapping[str, str | int | float | bool] = {}

    @property
    def headline(self) -> str:
        """The plan after which P is measured."""
        return self.plans[0]


class Outcome(Record, frozen=True, kw_only=True):
    """The evaluation of one condition in one arm, and the episodes of the plan before it."""

    repeat: int
    line: EpisodeLine
    practice: tuple[EpisodeLine, ...] = ()


class Results:
    """The outcomes of all cells of a run that are done."""

    def __init__(self, store: RunStore) -> None:
        self.store = store
        rows: Sequence[Mapping[str, Any]] = store.header["data"]["samples"]
        self.pairs = {row["sample_id"]: PairRow(**{**row, "plans": tuple(row["plans"])}) for row in rows}
        self.labels: list[str] = [row["label"] for row in store.header["adapters"]]

    @cached_property
    def cells(self) -> list[CellInfo]:
        """What became of each planned cell."""
        return self.store.cells()

    @cached_property
    def done(self) -> list[CellSpec]:
        """The cells that are done, by label, pair and repeat."""
        found = [cell for cell in self.cells if cell.status == "done"]
        specs = [CellSpec(label=cell.label, sample_id=cell.sample_id, repeat=cell.repeat) for cell in found]
        return sorted(specs, key=lambda spec: (spec.label, spec.sample_id, spec.repeat))

    @cached_property
    def by_cell(self) -> dict[tuple[str, str, int], dict[str, Outcome]]:
        """(label, pair, repeat) -> condition -> outcome."""
        return {(spec.label, spec.sample_id, spec.repeat): dict(self._read(spec)) for spec in self.done}

    def _read(self, spec: CellSpec) -> Iterator[tuple[str, Outcome]]:
        practice: dict[str, list[EpisodeLine]] = {}
        for line in episodes_of(self.store.path / "cells" / spec.cell_id):
            if line.session != EVALUATION:
                practice.setdefault(line.condition, []).append(line)
                continue
            before = practice.pop(line.condition, [])
            yield line.condition, Outcome(repeat=spec.repeat, line=line, practice=tuple(before))

    def outcome(self, label: str, pair_id: str, repeat: int, condition: str) -> Outcome | None:
        """One outcome; None where it was not planned, is not there yet, or the simulator failed."""
        found = self.by_cell.get((label, pair_id, repeat), {}).get(condition)
        return None if found is None or found.line.excluded else found

    def cold(self, pair_id: str, repeat: int) -> Outcome | None:
        """B."""
        return self.outcome(BASELINE, pair_id, repeat, COLD)

    def headline(self, label: str, pair_id: str, repeat: int) -> Outcome | None:
        """P of an arm."""
        return self.outcome(label, pair_id, repeat, self.pairs[pair_id].headline)

    @property
    def repeats(self) -> range:
        """The repeats of each cell."""
        return range(self.store.header["settings"]["repeats"])
