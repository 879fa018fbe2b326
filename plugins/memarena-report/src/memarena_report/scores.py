"""The scores of a run, ready to be asked: frame, metrics and header together."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

from memarena.records import Capabilities, Metric
from memarena_report.frame import Facet, Frame
from memarena_report.intervals import intervals
from memarena_report.levels import Level, Quantity, by_facet, default_level, quantity

if TYPE_CHECKING:
    from memarena.cells import CellInfo
    from memarena.store import RunStore

VARIANTS = ("paper", "release", "strict")
NOT_DONE = "no cell finished"
_ON_EVIDENCE = re.compile(r"rc|(recall|ndcg)@\w+")
"""Metrics that are 0 by definition, in `paper` and `release`, for a question without evidence."""
_ORACLE = "oracle:"
_CONTROL = "control:"
"""What the arms are called that a suite adds to those under test."""


@dataclass(frozen=True, slots=True)
class Number:
    """A number with all that it may not be shown without."""

    value: float | None
    lo: float | None = None
    hi: float | None = None
    n: int = 0
    """Units that entered."""
    invalid: int = 0
    """Judgements that failed."""
    skipped: int = 0
    """Units with nothing to measure."""
    samples: int = 0
    note: str = ""
    """Why there is no value, or what to know about its interval."""


def is_oracle(name: str) -> bool:
    """A row of this name has gold in place of a stage: no system under test."""
    return name.startswith(_ORACLE)


def role_of(row: Mapping[str, Any]) -> str:
    """What a row of a run's header is: `oracle`, `floor`, or "" for a system under test."""
    if is_oracle(row["name"]):
        return "oracle"
    return "floor" if row["distribution"] == "memarena" or row["name"].startswith(_CONTROL) else ""


@dataclass(frozen=True, slots=True)
class System:
    """One row of every table."""

    label: str
    name: str
    distribution: str
    version: str
    options: Mapping[str, Any]
    capabilities: Capabilities
    of: str = ""
    """The system in which an oracle puts gold in place of a stage; "" where it is that of no single one."""

    @property
    def stage(self) -> str:
        """The stage in whose place an oracle has gold; "" for what is no oracle."""
        return self.name.removeprefix(_ORACLE) if self.role == "oracle" else ""

    @property
    def role(self) -> str:
        """`oracle` and `floor` show what a data set can tell; the others are systems under test ("")."""
        return role_of({"name": self.name, "distribution": self.distribution})


class Scores:
    """What a report asks of a run."""

    def __init__(self, store: RunStore) -> None:
        self.store = store
        self.header: Mapping[str, Any] = store.header
        self.metrics: Mapping[str, Metric] = store.metrics()
        self.frame = Frame.read(store.stats())

    @cached_property
    def cells(self) -> list[CellInfo]:
        """What became of each planned cell."""
        return self.store.cells()

    @cached_property
    def systems(self) -> list[System]:
        """The systems, in the order in which the run lists them."""
        return [
            System(
                label=row["label"],
                name=row["name"],
                distribution=row["distribution"],
                version=row["version"],
                options=row["options"],
                capabilities=self._capabilities(row["label"]),
                of=row.get("of", ""),
            )
            for row in self.header["adapters"]
        ]

    @property
    def compared(self) -> list[System]:
        """The systems without the oracles: those of which one can be better than another."""
        return [system for system in self.systems if system.role != "oracle"]

    def _capabilities(self, label: str) -> Capabilities:
        for cell in self.cells:
            if cell.label == label and cell.status == "done":
                started = next(iter(self.store.entries(cell.cell_id)), None)
                return getattr(started, "capabilities", None) or Capabilities()
        return Capabilities()

    @property
    def settings(self) -> Mapping[str, Any]:
        """The settings that the run was made with."""
        settings: Mapping[str, Any] = self.header["settings"]
        return settings

    @property
    def oracles(self) -> tuple[str, ...]:
        """The stages that gold replaces in rows of their own."""
        given = self.settings.get("oracle") or ()
        return (given,) if isinstance(given, str) else tuple(given)

    @cached_property
    def names_evidence(self) -> bool:
        """Some question has evidence. Where none has, as in whole data sets, what was retrieved has no score."""
        return set(self.frame.facet("evidence")[1]) != {0}

    def has(self, metric: str) -> bool:
        """The run has rows of `metric`, and these say something of a system."""
        if _ON_EVIDENCE.fullmatch(metric) and not self.names_evidence:
            return False
        return metric in self.metrics and metric in self.frame.metrics

    def quantity(
        self,
        label: str,
        metric: str,
        variant: str,
        level: Level | None = None,
        where: Mapping[str, Facet] | None = None,
    ) -> Quantity:
        """`metric` of one system, over the rows that have the facets `where`."""
        return quantity(self.frame, label, metric, variant, about=self.metrics[metric], level=level, where=where)

    def by_facet(
        self, label: str, metric: str, variant: str, facet: str, level: Level | None = None
    ) -> dict[Facet, Quantity]:
        """`metric` of one system for each value of `facet`."""
        return by_facet(
            self.frame, label, metric, variant, facet, about=self.metrics[metric], level=level or default_level(variant)
        )

    def is_done(self, label: str) -> bool:
        """Some cell of the system is done."""
        return any(cell.status == "done" for cell in self.cells if cell.label == label)

    def why(self, system: System, metric: str, variant: str, seen: Quantity) -> str:
        """Why a number is undefined, in a few words."""
        stage, able = self.metrics[metric].stage, system.capabilities
        strict = variant == "strict" and self.frame.column(system.label, metric, "paper") is not None
        reasons = (
            (not self.is_done(system.label), NOT_DONE),
            (stage in {"write", "maintain"} and not able.state, "its state is not visible"),
            (stage == "retrieve" and able.answers, "answers by itself: retrieves nothing here"),
            (stage == "retrieve" and not able.ranked, "returns one bundle: no ranking"),
            (seen.counts.invalid > 0, "all its judgements failed"),
            (strict, "not measurable: it rewrites what it keeps and names no turns"),
        )
        asked = len(self.frame.asked(metric))
        return next((text for holds, text in reasons if holds), "nothing to measure" if asked else "no such unit here")


def numbers(quantities: Sequence[Quantity | None], reasons: Mapping[int, str] | None = None) -> list[Number]:
    """Numbers with their intervals, one a quantity; `reasons` says by place why one is undefined."""
    reasons = reasons or {}
    present = [(place, one) for place, one in enumerate(quantities) if one is not None]
    found = [Number(None, note=reasons.get(place, "")) for place in range(len(quantities))]
    for (place, one), interval in zip(present, intervals([one for _, one in present]), strict=True):
        counts, value = one.counts, one.value
        found[place] = Number(
            value=value,
            lo=interval.lo,
            hi=interval.hi,
            n=counts.n,
            invalid=counts.invalid,
            skipped=counts.skipped,
            samples=counts.samples,
            note=reasons.get(place, "") if value is None else interval.note,
        )
    return found
