"""Planted against diagnosed: counted, and held against the bars."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

from memarena_arena.scorers import stages
from memarena_arena.selftest.fault import MADE_UP
from memarena_arena.selftest.runner import UNKNOWN, Outcome

STAGES = (stages.WRITE, stages.MAINTAIN, stages.RETRIEVE, stages.SHOW, stages.USE, MADE_UP)
"""The stages at which something is planted, in order."""
NOTHING = "nothing"
"""The name of no loss."""
LEAST_RIGHT = 0.95
"""Share of the planted losses that are to be diagnosed at their stage."""
MOST_BLAMED = 0.01
"""Share of the right answers that may be diagnosed as lost."""


class Row(NamedTuple):
    """One planted memory."""

    memory: str
    losses: int
    right: int
    healthy: int
    blamed: int
    astray: tuple[tuple[str, str, int], ...]
    """Planted stage, diagnosed stage, how often, where they differ."""


class Confusion:
    """The counts over some outcomes."""

    def __init__(self, outcomes: Sequence[Outcome]) -> None:
        self.counts = Counter((each.planted.stage or NOTHING, each.stage or NOTHING) for each in outcomes)
        """(planted, diagnosed) -> how often."""
        self.reasons = Counter(
            (each.planted.reason, each.reason) for each in outcomes if each.planted.reason and _is_right(each)
        )
        """(planted, diagnosed) -> how often, where the stage is right and a reason was planted."""
        by_memory: dict[str, list[Outcome]] = {}
        for each in outcomes:
            by_memory.setdefault(each.memory, []).append(each)
        self.rows = [_row(name, found) for name, found in by_memory.items()]

    @property
    def losses(self) -> int:
        """Planted losses."""
        return sum(row.losses for row in self.rows)

    @property
    def healthy(self) -> int:
        """Answers that are right."""
        return sum(row.healthy for row in self.rows)

    @property
    def right(self) -> float | None:
        """Share of the planted losses that were diagnosed at their stage; None where nothing was planted."""
        return sum(row.right for row in self.rows) / self.losses if self.losses else None

    @property
    def blamed(self) -> float | None:
        """Share of the right answers that were diagnosed as lost; None where there are none."""
        return sum(row.blamed for row in self.rows) / self.healthy if self.healthy else None

    @property
    def passes(self) -> bool:
        """Whether both bars are held."""
        return (self.right is None or self.right >= LEAST_RIGHT) and (self.blamed is None or self.blamed <= MOST_BLAMED)

    def matrix(self) -> list[list[str]]:
        """The counts as a table: a row a planted stage, a column a diagnosed one."""
        columns = [*STAGES, NOTHING]
        columns += [UNKNOWN] if any(diagnosed == UNKNOWN for _, diagnosed in self.counts) else []
        head = ["planted \\ diagnosed", *columns]
        return [head, *([name, *(f"{self.counts[name, each]:,}" for each in columns)] for name in (*STAGES, NOTHING))]

    def as_object(self) -> dict[str, Any]:
        """All of it, for JSON."""
        return {
            "losses": self.losses,
            "right": self.right,
            "healthy": self.healthy,
            "blamed": self.blamed,
            "bars": {"right": LEAST_RIGHT, "blamed": MOST_BLAMED, "passes": self.passes},
            "stages": _cells(self.counts),
            "reasons": _cells(self.reasons),
            "memories": [
                {**row._asdict(), "astray": [{"planted": a, "diagnosed": b, "count": n} for a, b, n in row.astray]}
                for row in self.rows
            ],
        }


def _cells(counts: Counter[tuple[str, str]]) -> list[dict[str, Any]]:
    return [{"planted": a, "diagnosed": b, "count": counts[a, b]} for a, b in sorted(counts)]


def _is_right(outcome: Outcome) -> bool:
    return outcome.planted.stage == outcome.stage


def _row(name: str, outcomes: Sequence[Outcome]) -> Row:
    lost = [each for each in outcomes if each.planted.stage]
    healthy = [each for each in outcomes if not each.planted.stage]
    astray = Counter((each.planted.stage or NOTHING, each.stage or NOTHING) for each in outcomes if not _is_right(each))
    return Row(
        memory=name,
        losses=len(lost),
        right=sum(map(_is_right, lost)),
        healthy=len(healthy),
        blamed=sum(not _is_right(each) for each in healthy),
        astray=tuple((*pair, astray[pair]) for pair in sorted(astray)),
    )
