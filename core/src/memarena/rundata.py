"""The data set of a run: read once before the run, for what its header says of it, and again while it is played."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any

from memarena import codec
from memarena.config import Settings, masked
from memarena.datasets import open_data
from memarena.errors import DataError
from memarena.protocols import LoadReport
from memarena.records import Sample
from memarena.runheader import fingerprint

SHOWN = 20
"""Faults of a data set that are shown one by one before a run; `data validate` shows all."""


class RunData:
    """The data set of a run, which can be opened again."""

    def __init__(self, settings: Settings, options: Mapping[str, Any]) -> None:
        self._settings = settings.values
        self.selector: str = settings.values["data"]
        self._options = options
        self.report = LoadReport()

    def samples(self) -> Iterator[Sample]:
        opened = open_data(
            self.selector,
            split=self._settings["split"],
            samples=self._settings["sample"],
            overlay=self._settings["overlay"],
            limit=self._settings["limit"],
            options=self._options,
        )
        self.report = opened.report
        yield from opened

    def row(self, dataset: Mapping[str, Any], samples: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        """How the header of a run knows the data."""
        report = self.report
        return {
            "selector": self.selector,
            "dataset": dataset,
            "options": masked(self._options),
            "fingerprint": sha256(codec.encode(samples)).hexdigest(),
            "samples": samples,
            "report": {"counts": report.counts, "licence": report.licence, "findings": report.findings[:200]},
        }


def inspect(data: RunData, notice: Callable[[str], None]) -> tuple[list[dict[str, Any]], dict[str, int]]:
    """Read the whole data set once: a row a sample, and totals; raises DataError where something is refused."""
    rows: list[dict[str, Any]] = []
    totals = dict.fromkeys(("samples", "sessions", "turns", "points", "checkpoints", "questions"), 0)
    for sample in data.samples():
        asked = [checkpoint for checkpoint in sample.checkpoints if checkpoint.after_session is not None]
        questions = sum(len(checkpoint.questions) for checkpoint in asked)
        rows.append({"sample_id": sample.sample_id, "fingerprint": fingerprint(sample), "questions": questions})
        totals["samples"] += 1
        totals["sessions"] += len(sample.sessions)
        totals["turns"] += sum(len(session.turns) for session in sample.sessions)
        totals["points"] += sum(len(session.gold("new", "update")) for session in sample.sessions)
        totals["checkpoints"] += len(asked)
        totals["questions"] += questions
    refused = data.report.refused
    if refused:
        for finding in refused[1:SHOWN]:
            notice(str(DataError(finding.message, file=finding.file, path=finding.path)))
        first, more = refused[0], len(refused) - SHOWN
        rest = f" (and {more} more; see memarena data validate)" if more > 0 else ""
        raise DataError(f"{first.message}{rest}", file=first.file, path=first.path)
    if not rows:
        raise DataError("holds no sample", file=data.selector)
    _tell(data.report, notice)
    return rows, totals


def _tell(report: LoadReport, notice: Callable[[str], None]) -> None:
    """Say what is odd in a data set: each oddity where they are few, else how many there are."""
    kinds, total = len(report.counts), sum(report.counts.values())
    if total > SHOWN:
        notice(f"the data set is odd in {total} places ({kinds} kinds); memarena data validate lists them")
        return
    for finding in report.findings:
        notice(f"{finding.level}: {DataError(finding.message, file=finding.file, path=finding.path)}")
