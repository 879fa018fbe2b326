"""What `--fail-if` asks of a run or of several: whether each expression holds, and by how much."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from memarena.records import Metric
from memarena_report.differences import difference
from memarena_report.expressions import Expression, Side, read
from memarena_report.frame import Frame
from memarena_report.intervals import FEW, intervals
from memarena_report.levels import Quantity, quantity

if TYPE_CHECKING:
    from memarena.cells import CellInfo
    from memarena_report.scores import Scores

_OPS: Mapping[str, Callable[[float, float], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


@dataclass(frozen=True)
class Subject:
    """What is checked: the scores of one run or several, and what became of their cells."""

    name: str
    frame: Frame
    metrics: Mapping[str, Metric]
    systems: Mapping[str, str]
    """Label -> role: `oracle`, `floor`, or "" for a system under test."""
    variant: str
    cells: Sequence[tuple[str, CellInfo]]
    """Each cell with what its run is called before its label ("" where there is one run)."""

    @classmethod
    def of(cls, scores: Scores, variant: str) -> Subject:
        """One run."""
        systems = {system.label: system.role for system in scores.systems}
        cells = [("", cell) for cell in scores.cells]
        name = scores.store.path.resolve().name
        return cls(name, scores.frame, scores.metrics, systems, variant, cells)

    def read(self, texts: Sequence[str]) -> list[Expression]:
        """The expressions in `texts`; raises UsageError for what is not here."""
        return read(texts, self.metrics, self.systems, self.frame)

    def check(self, expressions: Sequence[Expression]) -> list[Outcome]:
        """Whether each of `expressions` holds."""
        return [_outcome(self, one) for one in expressions]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one expression."""

    check: str
    holds: bool | None
    """None: it cannot be told, which is no success."""
    left: float | None
    right: float | None
    why: str
    """By how much it holds or does not, or why it cannot be told."""

    @property
    def passed(self) -> bool:
        """Nothing is to fail because of it."""
        return self.holds is False

    def __str__(self) -> str:
        return (
            f"{self.check}: {'holds: ' if self.holds else 'cannot be told: ' if self.holds is None else ''}{self.why}"
        )

    def as_object(self) -> dict[str, Any]:
        """What `--json` prints of it."""
        return {name: getattr(self, name) for name in ("check", "holds", "left", "right", "why")}


def _outcome(subject: Subject, one: Expression) -> Outcome:
    seen = [_seen(subject, side, one) for side in (one.left, one.right)]
    values = [side.number + (number or 0.0) for side, (_, number) in zip((one.left, one.right), seen, strict=True)]
    for side, (found, number) in zip((one.left, one.right), seen, strict=True):
        if found is not None and number is None:
            return Outcome(str(one), None, None, None, f"{side.label} has no {side.metric} here")
    left, right = values
    apart = f"{left:.4g} is {_apart(left, right)}"
    if not one.surely:
        return Outcome(str(one), _OPS[one.op](left, right), left, right, apart)
    between = _between([found for found, _ in seen], one.left.number - one.right.number)
    if between is None:
        return Outcome(str(one), None, left, right, f"an interval needs {FEW} samples that both sides have")
    lo, hi = between
    surely = all(_OPS[one.op](end, 0.0) for end in between)
    return Outcome(str(one), surely, left, right, f"{apart} (95 %: {lo:+.4g} to {hi:+.4g})")


def _seen(subject: Subject, side: Side, one: Expression) -> tuple[Quantity | None, float | None]:
    """The score of a side before it is moved, and its value; no score where the side is a number."""
    if not side.metric:
        return None, None
    about = subject.metrics[side.metric]
    where = dict(one.where)
    found = quantity(subject.frame, side.label, side.metric, subject.variant, about=about, where=where)
    return found, found.value


def _between(sides: Sequence[Quantity | None], moved: float) -> tuple[float, float] | None:
    """The 95 % interval of left minus right, drawn over samples (together, where both are scores); None: too few."""
    left, right = sides
    if left is not None and right is not None:
        seen = difference(left, right)
        if seen is None or seen.samples < FEW or seen.lo is None or seen.hi is None:
            return None
        return seen.lo + moved, seen.hi + moved
    alone = left or right
    if alone is None or int(alone.covers.sum()) < FEW:
        return None
    (span,) = intervals([alone])
    if span.lo is None or span.hi is None:
        return None
    return (span.lo + moved, span.hi + moved) if left is not None else (moved - span.hi, moved - span.lo)


def _apart(left: float, right: float) -> str:
    if left == right:
        return f"equal to {right:.4g}"
    return f"{'lower' if left < right else 'higher'} than {right:.4g} by {abs(left - right):.4g}"
