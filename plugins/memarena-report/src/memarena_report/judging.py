"""Who judged a run, and how far that judge agrees with labels that are known."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from memarena import catalog
from memarena.errors import PluginError
from memarena_report.table import Table

JUDGED_UNITS = frozenset({"share", "points"})
"""Units of numbers that rest on labels; seconds, tokens and items do not."""


@dataclass(frozen=True, slots=True)
class Judging:
    """The judge of a run. `calibration`: what `memarena judge calibrate --json` printed of it; None: not calibrated."""

    name: str
    revision: int
    calibration: Mapping[str, Any] | None

    @property
    def mark(self) -> str:
        """What stands beside each table with judged numbers, e.g. `judge lexical, kappa 0.61`."""
        return f"judge {self.name}, {self._kappa() or 'not calibrated'}"

    @property
    def sentence(self) -> str:
        """How far it agrees with labels that are known."""
        found = self.calibration
        if found is None:
            return f"The judge {self.name} is not calibrated: memarena judge calibrate --judge {self.name} does it."
        right = _share(found["right"], found["n"] - found["invalid"])
        kappa = self._kappa() or "chance would agree as far"
        wrong = _share(found["accepted_wrongly"], found["not_correct"])
        rejected = _share(found["rejected_wrongly"], found["correct"])
        built = ", ".join(f"{100 * table['agreement']:.1f} % ({task})" for task, table in _built(found).items())
        return (
            f"The judge {self.name} agrees with {right} of {found['n']:,} labelled answers ({kappa}); "
            f"it accepts {wrong} of the wrong ones and rejects {rejected} of the right ones"
            f"{f'. On data that was built, where all labels are known: {built}' if built else ''}."
        )

    def _kappa(self) -> str:
        kappa = None if self.calibration is None else self.calibration["kappa"]
        return "" if kappa is None else f"kappa {kappa:.2f}"


def judging(header: Mapping[str, Any]) -> Judging:
    """The judge that the header of a run names, with the calibration that its package ships for that revision."""
    row = header["plugins"]["judge"]
    return Judging(row["name"], row["revision"], _shipped(row))


def _shipped(row: Mapping[str, Any]) -> Mapping[str, Any] | None:
    try:
        judge = catalog.find("judges", f"{row['name']}@{row['distribution']}").load()
    except PluginError:  # what judged the run need not be installed where it is read
        return None
    calibration = getattr(judge, "calibration", None)
    found: Mapping[str, Any] | None = calibration() if calibration else None
    return found if found is not None and found["revision"] == row["revision"] else None


def is_judged(table: Table) -> bool:
    """Whether a table has numbers that rest on labels."""
    return any(column.unit in JUDGED_UNITS for column in table.columns)


def _built(found: Mapping[str, Any]) -> Mapping[str, Any]:
    tables: Mapping[str, Any] = found.get("built", {})
    return tables


def _share(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f} %" if whole else "none"
