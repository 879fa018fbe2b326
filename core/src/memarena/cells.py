"""What a run folder says of its cells: which were planned, what became of them, their labels and rows of scores."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from memarena.meter import Usage
from memarena.records import Label, Record, Stat


class CellSpec(Record, frozen=True, kw_only=True):
    """One adapter on one sample."""

    label: str
    sample_id: str
    repeat: int = 0

    @property
    def cell_id(self) -> str:
        """Name of the cell's folder."""
        again = f"~{self.repeat}" if self.repeat else ""
        return f"{self.label}~{self.sample_id}{again}"


class CellInfo(Record, frozen=True, kw_only=True):
    """What became of a cell."""

    cell_id: str
    label: str
    sample_id: str
    repeat: int
    status: Literal["planned", "running", "done", "failed", "cancelled"]
    error: str = ""
    attempts: int = 0
    seconds: Mapping[str, float] = {}
    """By method of the adapter, over all attempts."""
    usage: Mapping[str, Usage] | None = None


class ScoreRow(Record, frozen=True, kw_only=True):
    """A row of scores with the cell that it belongs to."""

    label: str
    repeat: int = 0
    stat: Stat


class CellLabel(Record, frozen=True, kw_only=True):
    """What a judge said of one request of one unit; None: it failed."""

    unit: str
    request: str
    label: Label | None
