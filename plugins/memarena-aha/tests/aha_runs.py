"""Runs of the suite in this process, with a tiny part in place of the puzzles where a test wants that."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memarena.cells import Outcome
from memarena.config import settings
from memarena.runner import run
from memarena.store import RunStore
from memarena.suites import plan_suite
from memarena_aha.suite.lines import EpisodeLine, StepLine, episodes_of, steps_of

AGENTS = (
    *("Reader", "Apart", "Crashing", "Exiting", "Hanging", "Waiting", "WaitingApart"),
    *("Refusing", "Junk", "Flooding"),
)
MEMORIES = ("Broken", "Deaf", "Dark", "Wordy", "Dead", "Leaking", "OnDisk", "Forgetful", "Gone")


class Quiet:
    """Shows nothing, keeps what it is told."""

    def __init__(self) -> None:
        self.notes: list[str] = []

    def phase(self, name: str, total: int) -> None: ...

    def step(self, what: str, *, wait: bool = False) -> None: ...

    def note(self, text: str) -> None:
        self.notes.append(text)


def install(site: Path) -> None:
    """The tiny agents and memories as a distribution in the folder `site`."""
    info = site / "memarena_tiny-0.1.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: memarena-tiny\nVersion: 0.1\n", encoding="utf-8")
    groups = {"agents": AGENTS, "adapters": MEMORIES}
    lines = [
        line
        for group, names in groups.items()
        for line in (f"[memarena.{group}]", *(f"tiny-{name.lower()} = aha_tiny:{name}" for name in names))
    ]
    (info / "entry_points.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")


def start(folder: Path, *adapters: str, stop: threading.Event | None = None, **flags: Any) -> Outcome:
    """Run the suite into `folder`, or go on there."""
    given = {"suite": "aha", "agent": "tiny-reader", "adapters": adapters, "jobs": 1, **flags}
    if given["agent"] is None:
        del given["agent"]
    plan = plan_suite(settings(given))
    store = RunStore.resume(folder, plan.header) if folder.exists() else RunStore.create(folder, plan.header)
    try:
        return run(plan, store, Quiet(), stop or threading.Event())
    finally:
        store.close()


def tiny(folder: Path, *adapters: str, pairs: int = 1, options: tuple[str, ...] = (), **flags: Any) -> RunStore:
    """A finished run of the tiny part."""
    given = ('aha.parts=["puzzle"]', f"aha.pairs={pairs}", *options)
    start(folder, *adapters, options=given, **flags)
    return RunStore.open(folder)


def lines(store: RunStore, label: str) -> Iterator[EpisodeLine]:
    """The episodes of an arm, pair by pair."""
    for spec in store.specs():
        if spec.label == label:
            yield from episodes_of(store.path / "cells" / spec.cell_id)


def evaluation(store: RunStore, label: str, condition: str) -> EpisodeLine:
    """The one evaluation of a condition."""
    found = [line for line in lines(store, label) if (line.session, line.condition) == ("evaluation", condition)]
    assert len(found) == 1, found
    return found[0]


def steps(store: RunStore, label: str, condition: str, session: str = "evaluation") -> list[StepLine]:
    """The decisions of one episode."""
    return [
        line
        for spec in store.specs()
        if spec.label == label
        for line in steps_of(store.path / "cells" / spec.cell_id)
        if (line.condition, line.session) == (condition, session)
    ]
