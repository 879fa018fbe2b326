"""What `memarena compare` does: runs to one frame, conditions checked, all pairs tested."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from memarena.errors import UsageError
from memarena.records import Metric
from memarena.store import RunStore
from memarena_report.checks import Subject
from memarena_report.conditions import Unequal, unequal, unequal_as_seen, versions
from memarena_report.frame import Frame
from memarena_report.judging import JUDGED_UNITS, judging
from memarena_report.levels import LEVELS, default_level
from memarena_report.pairing import Pair, pairs
from memarena_report.scores import role_of
from memarena_report.stopping import Rule, Stopped, stop_early
from memarena_report.table import Column

if TYPE_CHECKING:
    from rich.console import Console

    from memarena.cells import CellInfo

HEADLINE = "qa_c"
"""What is compared where nothing is asked for; in a suite without it, its first score."""


@dataclass(frozen=True)
class Comparison:
    """Systems of one run or several, compared in pairs; one list of pairs a metric."""

    variant: str
    metrics: Mapping[str, Metric]
    pairs: Mapping[str, Sequence[Pair]]
    unequal: Sequence[Unequal]
    versions: Sequence[Unequal]
    """Systems that are compared with other versions of themselves."""
    names: Sequence[str]
    """The runs."""
    stopped: Mapping[str, Sequence[Stopped]]
    """Where each pair would have stopped, one list a metric; empty where it was not asked for."""
    judge: str
    """Who judged, and how far to be trusted."""
    subject: Subject
    """All systems and scores of the runs, to be checked."""

    @classmethod
    def of(
        cls,
        runs: Sequence[Path],
        labels: Sequence[str],
        metrics: Sequence[str],
        variant: str,
        *,
        allow_unequal: bool = False,
        stop: Rule | None = None,
    ) -> Comparison:
        """Compare all pairs of systems of `runs`; a system is called RUN:LABEL where there are several runs.

        With `stop`, each pair is compared question by question as well. Raises UsageError for conditions that differ,
        and for systems or metrics that are not there.
        """
        stores = [RunStore.open(run) for run in runs]
        names = _names(runs)
        prefixes = [f"{name}:" if stores[1:] else "" for name in names]
        systems = {
            f"{prefix}{row['label']}": role_of(row)
            for store, prefix in zip(stores, prefixes, strict=True)
            for row in store.header["adapters"]
        }
        chosen = _chosen(labels, systems)
        by_run = [[label.removeprefix(one) for label in chosen if label.startswith(one)] for one in prefixes]
        headers = [store.header for store in stores]
        differing = unequal(headers, by_run) + (unequal_as_seen(stores, by_run) if stores[1:] else [])
        if differing and not allow_unequal:
            listed = "; ".join(map(str, differing[:6])) + (f"; {len(differing) - 6} more" if differing[6:] else "")
            raise UsageError(
                f"the runs were made under other conditions: {listed}; compare anyway with --allow-unequal"
            )
        known = {name: metric for store in stores for name, metric in store.metrics().items()}
        metrics = metrics or [HEADLINE if HEADLINE in known else next(iter(known))]
        for metric in metrics:
            if metric not in known:
                raise UsageError(f"--metric {metric}: no such score here; there are {', '.join(sorted(known))}")
        frame = Frame()
        cells: list[tuple[str, CellInfo]] = []
        for store, prefix in zip(stores, prefixes, strict=True):
            frame.add(store.stats(), prefix)
            cells += [(prefix, cell) for cell in store.cells()]
        found = {
            metric: pairs(frame, chosen, metric, variant, about=known[metric]) for metric in dict.fromkeys(metrics)
        }
        stopped = {metric: _stopped(frame, chosen, known[metric], metric, variant, stop) for metric in found if stop}
        subject = Subject(" ".join(names), frame, known, systems, variant, cells)
        judges = ", ".join(dict.fromkeys(judging(header).mark for header in headers if "judge" in header["plugins"]))
        return cls(variant, known, found, differing, versions(headers, by_run), names, stopped, judges, subject)

    def as_object(self) -> dict[str, Any]:
        """All that `compare --json` prints."""
        found: dict[str, Any] = {
            "runs": list(self.names),
            "variant": self.variant,
            "level": default_level(self.variant),
            "judge": self.judge,
            "unequal": self.unequal,
            "versions": self.versions,
            "pairs": [pair for found in self.pairs.values() for pair in found],
        }
        if self.stopped:
            found["stopped"] = [one for stopped in self.stopped.values() for one in stopped]
        return found

    def show(self, console: Console) -> None:
        """Print the tables."""
        from rich.text import Text

        from memarena_report.terminal import pairs_table, stopped_table

        for row in self.unequal:
            console.print(Text(f"! the runs differ in {row}", style="yellow"))
        for row in self.versions:
            console.print(Text(f"· {row}", style="dim"))
        for metric, found in self.pairs.items():
            about = self.metrics[metric]
            caption = f"  {self.variant}, {LEVELS[default_level(self.variant)]}; left minus right"
            caption += f"; {self.judge}" if self.judge and about.unit in JUDGED_UNITS else ""
            console.print(Text(f"\n{about.title}", style="bold").append(caption, style="not bold dim"))
            console.print(pairs_table(found, Column(metric, about.title, unit=about.unit, better=about.better)))
            if metric in self.stopped:
                console.print(Text("\nStopped as soon as decided", style="bold"))
                console.print(stopped_table(self.stopped[metric]))


def _stopped(
    frame: Frame, labels: Sequence[str], about: Metric, metric: str, variant: str, rule: Rule
) -> list[Stopped]:
    """Where each pair of `labels` that has the metric stops."""
    if about.unit != "share":
        raise UsageError(f"--stop-early: {metric} is counted in {about.unit}; only shares can be compared so")
    columns = [(label, column) for label in labels if (column := frame.column(label, metric, variant)) is not None]
    return stop_early(metric, columns, rule=rule, level=default_level(variant), pooled=about.pooled)


def _names(runs: Sequence[Path]) -> list[str]:
    """A name for each run: that of its folder, numbered where two have the same."""
    bare = [run.resolve().name for run in runs]
    return [name if bare.count(name) == 1 else f"{name}#{place}" for place, name in enumerate(bare, 1)]


def _chosen(asked: Sequence[str], known: Mapping[str, str]) -> list[str]:
    """The systems asked for; all but the oracles where none is. `known`: system -> its role."""
    chosen: dict[str, None] = {}
    for name in asked:
        found = [label for label in known if label == name or label.partition(":")[2] == name]
        if not found:
            raise UsageError(f"-a {name}: no such system here; there are {', '.join(known)}")
        chosen.update(dict.fromkeys(found))
    picked = list(chosen) or [label for label, role in known.items() if role != "oracle"]
    if len(picked) < 2:
        raise UsageError(f"a comparison needs two systems, and there is only {', '.join(picked) or 'none'}")
    return picked
