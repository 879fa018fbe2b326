"""What a run folder says of its cells: which were planned, what became of them, their labels and rows of scores."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b
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
        return self._named(self.sample_id)

    @property
    def namespace(self) -> str:
        """The cell as its adapter knows it: the ids of samples may tell of which type a question is, or its answer."""
        return self._named(blake2b(self.sample_id.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest())

    def _named(self, sample: str) -> str:
        return f"{self.label}~{sample}{f'~{self.repeat}' if self.repeat else ''}"


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


class Outcome(Record, frozen=True, kw_only=True):
    """How a run ended."""

    cells: tuple[CellInfo, ...]
    judged: int = 0
    failed_judgements: int = 0
    failed_answers: int = 0
    """Of those that were given now, not before a resume."""
    answer_problem: str = ""
    """Why the first of them failed."""
    judge_problem: str = ""
    """Why the first judgement failed, where that is known."""

    @property
    def failed(self) -> tuple[CellInfo, ...]:
        """The cells that are not done."""
        return tuple(cell for cell in self.cells if cell.status != "done")
