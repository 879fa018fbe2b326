"""The report of a run of the suite (reporter `aha`)."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from memarena import codec
from memarena.store import RunStore
from memarena_aha.suite.runcard import RunCard

if TYPE_CHECKING:
    from rich.console import Console

__all__ = ["AhaReport"]

_MORE = (
    "Lesson by lesson, every interval, breakdowns, costs: report.html; as numbers: scorecard.json, metrics.json. "
    "The paper's own card: memarena aha score"
)


class AhaReport:
    """Writes `report.html` and `scorecard.json` into the run folder, and shows the tables."""

    name = "aha"
    revision = 1
    suites: ClassVar = ("aha",)

    def __init__(self) -> None:
        self._card: RunCard | None = None

    def write(self, store: RunStore) -> Path:
        """Write both files and return the path of the page."""
        return self.write_to(store.path / "report.html", store)

    def write_to(self, path: Path, store: RunStore) -> Path:
        """Write the page to `path`, and the score card beside the scores."""
        from memarena_aha.suite.page import render

        card = self._of(store)
        codec.write_whole(store.path / "scorecard.json", codec.encode(card.as_object()))
        codec.write_whole(path, render(card))
        return path

    def print_summary(self, store: RunStore, console: Console) -> None:
        """The board and what to beware of, and how to see the rest."""
        from memarena_aha.suite.terminal import short

        for renderable in short(self._of(store), console.width):
            console.print(renderable)
        line = f"All tables: memarena report {store.path}"
        console.print(line, soft_wrap=True, markup=False, highlight=False)

    def print_all(self, store: RunStore, console: Console) -> None:
        """The tables that a terminal has room for, and where the rest is."""
        from memarena_aha.suite.terminal import lost

        for renderable in lost(self._of(store), console.width):
            console.print(renderable)
        console.print(_MORE, style="dim")

    def as_object(self, store: RunStore) -> dict[str, Any]:
        """The score card as JSON."""
        return self._of(store).as_object()

    def _of(self, store: RunStore) -> RunCard:
        if self._card is None or self._card.store is not store:
            self._card = RunCard(store)
        return self._card
