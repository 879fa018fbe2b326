"""Suites beside `arena`: how one that is a plugin plans a run, and what it is handed to run a cell."""

from __future__ import annotations

import shutil
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from memarena import catalog, codec
from memarena.cell import cell_context
from memarena.cells import CellSpec
from memarena.config import Settings, masked
from memarena.errors import MemarenaError, UsageError, first_line
from memarena.hookspecs import HOOK_API
from memarena.models import choose
from memarena.mounting import PlannedAdapter, RunPlan, hosts
from memarena.option_flags import OptionFlags, options_of_plugin
from memarena.parts import load_instruments, plugin_row
from memarena.planning import GATEWAY, adapter_rows, mount_all, refuse_if_none_left, version
from memarena.protocols import Suite
from memarena.records import RunContext
from memarena.rig import Rig
from memarena.run_settings import BY_NAME, OPTION_FLAGS
from memarena.store import RunStore

GROUP = "suites"
AGENT = "agent"
"""The label of the options of whoever acts, in a suite that takes them."""
COMMON = frozenset(
    {
        *("suite", "adapters", "options", "models", "force_decoding", "record", "replay_from", "seed", "repeats"),
        *("jobs", "isolate", "python", "time_limit", "memory_limit", "out", "instruments", *OPTION_FLAGS),
    }
)
"""Settings that mean the same in every suite."""
KEPT = ("seed", "repeats", "record", "replay_from", "instruments")
"""Those of them that stand among the settings of the header, as they do for `arena`."""


@dataclass(frozen=True, kw_only=True)
class Layout:
    """What a suite says is to be run."""

    samples: Sequence[Mapping[str, Any]]
    """A row a sample (a pair, a task): `sample_id`, `fingerprint`, and whatever else a report may want."""
    rows: Sequence[PlannedAdapter | Mapping[str, Any]] = ()
    """Rows of the suite's own, before those of the adapters: adapters, or (no adapter) rows of the header."""
    data: Mapping[str, Any]
    """How the header knows what is played: names, versions, options."""
    plugins: Mapping[str, Any]
    """The rows of the header that name further plugins."""
    needs: Mapping[str, str]
    """Role of a model -> the plugin that cannot work without."""
    about: Sequence[str]
    """For `--dry-run`: what is played, a line each."""


@dataclass(kw_only=True)
class SuitePlan(RunPlan):
    """A run of a suite that is a plugin."""

    suite: Suite
    about: Sequence[str]


@dataclass(frozen=True, kw_only=True)
class Seat:
    """What a suite is handed to run one cell."""

    spec: CellSpec
    store: RunStore
    stop: threading.Event
    note: Callable[[str], None]
    """Takes what a person should know."""
    planned: PlannedAdapter | None
    """None: a row of the suite's own, without an adapter."""
    plan: RunPlan

    @contextmanager
    def rig(self) -> Iterator[Rig]:
        """A fresh instance of the cell's adapter; asked again, it is another one, in another process where it has one.

        Raises PluginError where it cannot be mounted.
        """
        log: Path | None = None
        if self.planned is not None and self.planned.host is not None:
            log = self.store.path / "cells" / self.spec.cell_id / "adapter.log"
            with codec.storing(log.parent):
                log.parent.mkdir(exist_ok=True)
        with self.plan.rig(self.spec.label, self.spec.cell_id, log) as rig:
            yield rig
            write_measured(rig, self.store, self.spec, self.note)

    def context(self) -> RunContext:
        """What `reset` is given, with a fresh private folder."""
        options = {} if self.planned is None else self.planned.options
        return cell_context(self.spec, self.store, options)

    def clear_workspace(self) -> None:
        """Take away the private folders of the cell: it is done."""
        shutil.rmtree(self.store.path / "work" / self.spec.namespace, ignore_errors=True)


def write_measured(rig: Rig, store: RunStore, spec: CellSpec, note: Callable[[str], None]) -> None:
    """Let each instrument write what it measured; one that fails costs its file, not the cell."""
    folder = store.path / "cells" / spec.cell_id
    for instrument in rig.instruments:
        if hasattr(instrument, "write"):
            try:
                instrument.write(folder)
            except MemarenaError:
                raise
            except Exception as error:
                note(f"instrument {type(instrument).__name__} wrote nothing for {folder.name}: {first_line(error)}")


def load_suite(name: str, options: Mapping[str, Any] | None = None) -> Suite:
    """The suite `name`, made; raises PluginError where it is not installed."""
    row = catalog.find(GROUP, name)
    made: Suite = catalog.make(row.load(), options or {}, who=str(row))
    return made


def plan_suite(settings: Settings) -> SuitePlan:
    """Check everything that `settings` ask for; raises a MemarenaError for the first thing that is wrong."""
    values = settings.values
    row = catalog.find(GROUP, values["suite"])
    cls = row.load()
    _refuse_flags(settings, row.name, cls.defaults)
    for name, value in cls.defaults.items():
        if settings.origin[name] == "default":
            values[name], settings.origin[name] = value, f"suite {row.name}"
    choices = settings.adapters()
    labels = [*(choice.label for choice in choices), row.name, *cls.labels, GATEWAY]
    options = settings.options(labels)
    flags = OptionFlags(settings)
    if AGENT in cls.labels and values["agent"]:
        agent = partial(options_of_plugin, "agents", values["agent"])
        options[AGENT], _ = flags.applied(options.get(AGENT, {}), agent)
    suite: Suite = catalog.make(cls, options.get(row.name, {}), who=str(row))
    layout = suite.layout(settings, {name: options.get(name, {}) for name in cls.labels})
    models = choose(settings, options.get(GATEWAY, {}), layout.needs)
    own = {one.label: one for one in layout.rows if isinstance(one, PlannedAdapter)}
    alone = hosts(choices, values)
    adapters = mount_all(choices, options, alone, values, flags)
    _refuse_labels(layout, list(adapters))
    flags.check()
    refuse_if_none_left(adapters, False)
    around, instruments = load_instruments(values["instruments"])
    free = list(getattr(cls, "free", ()))
    kept = {**{name: values[name] for name in KEPT}, **{name: values[name] for name in cls.defaults}}
    header = {
        "memarena": version(),
        "hook_api": list(HOOK_API),
        "suite": row.name,
        "settings": kept,
        "adapters": [*map(own_row, layout.rows), *adapter_rows(adapters)],
        "plugins": {
            "suite": {**plugin_row(row, suite), "options": masked(options.get(row.name, {})), "free": free},
            **layout.plugins,
            "instruments": around,
        },
        "models": models.row,
        "data": {
            **layout.data,
            "options": {name: masked(options[name]) for name in cls.labels if name in options},
            "samples": layout.samples,
        },
    }
    return SuitePlan(
        header=codec.plain(header),
        adapters={**own, **adapters},
        instruments=instruments,
        jobs=values["jobs"],
        models=models,
        suite=suite,
        about=layout.about,
    )


def own_row(one: PlannedAdapter | Mapping[str, Any]) -> dict[str, Any]:
    """How the header knows a row of the suite's own."""
    row = {**one.row, "options": {}} if isinstance(one, PlannedAdapter) else one
    return {**row, "own": True}


def _refuse_flags(settings: Settings, suite: str, taken: Mapping[str, Any]) -> None:
    for name, setting in BY_NAME.items():
        if settings.origin[name] == setting.flag and name not in COMMON and name not in taken:
            raise UsageError(f"{setting.flag}: it means nothing in the suite {suite}; leave it out")


def _refuse_labels(layout: Layout, chosen: Sequence[str]) -> None:
    own = [one.label if isinstance(one, PlannedAdapter) else one["label"] for one in layout.rows]
    taken = {label.casefold() for label in own}
    for label in chosen:
        if label.casefold() in taken:
            raise UsageError(f"the label {label!r} is that of a row of the suite: give the adapter another, LABEL=NAME")
