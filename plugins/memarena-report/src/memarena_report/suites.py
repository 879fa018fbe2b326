"""What `memarena report` shows of a run: the tables of its own suite."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from memarena.errors import PluginError, UsageError
from memarena.run_settings import ARENA
from memarena_report.scores import Scores

if TYPE_CHECKING:
    from rich.console import Console

    from memarena.store import RunStore


class Report(Protocol):
    """What can be shown of one run."""

    def as_object(self) -> dict[str, Any]:
        """All that `--json` prints: no paths and no times of day."""
        ...

    def print_all(self) -> None:
        """Print every table."""
        ...

    def write_to(self, path: Path) -> Path:
        """Write the page there."""
        ...


def report_of(scores: Scores, variant: str) -> Report:
    """The report of a run; raises PluginError where no installed reporter reads its suite, UsageError for a variant
    that its suite does not have."""
    suite = scores.store.suite
    if suite == ARENA:
        return _Arena(scores, variant)
    if variant != "paper":
        raise UsageError(f"--variant {variant}: a run of the suite {suite} has one set of definitions; leave it out")
    return _Other(_reporter(suite), scores.store)


def _reporter(suite: str) -> Any:
    from memarena import catalog

    for row in catalog.entries("reporters"):
        cls = row.load()
        if suite in getattr(cls, "suites", ()) and hasattr(cls, "print_all"):
            return cls()
    raise PluginError(f"no installed reporter reads runs of the suite {suite!r}: install what brought it")


class _Arena:
    """The tables of this package."""

    def __init__(self, scores: Scores, variant: str) -> None:
        self._scores = scores
        self._variant = variant

    def as_object(self) -> dict[str, Any]:
        from memarena_report.flags import flags
        from memarena_report.judging import judging
        from memarena_report.lost import lost_facet_tables
        from memarena_report.run_setup import setup
        from memarena_report.summary import all_tables

        scores, variant = self._scores, self._variant
        tables = (*all_tables(scores, variant), *lost_facet_tables(scores, variant))
        return {
            "variant": variant,
            "settings": scores.settings,
            "setup": dict(setup(scores)),
            "judge": judging(scores.header),
            "flags": flags(scores),
            "tables": [table.as_object() for table in tables],
        }

    def print_all(self) -> None:
        from memarena_report.summary import full_summary

        console = _console()
        for renderable in full_summary(self._scores, console.width, self._variant):
            console.print(renderable)

    def write_to(self, path: Path) -> Path:
        from memarena_report.html import HtmlReport

        return HtmlReport().write_to(path, self._scores)


class _Other:
    """Those of a reporter that came with the suite."""

    def __init__(self, reporter: Any, store: RunStore) -> None:
        self._reporter = reporter
        self._store = store

    def as_object(self) -> dict[str, Any]:
        found: dict[str, Any] = self._reporter.as_object(self._store)
        return found

    def print_all(self) -> None:
        self._reporter.print_all(self._store, _console())

    def write_to(self, path: Path) -> Path:
        written: Path = self._reporter.write_to(path, self._store)
        return written


def _console() -> Console:
    from rich.console import Console

    return Console()
