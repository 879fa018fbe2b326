"""One adapter of a run: found, loaded, and mounted once before anything runs; in this process or in one of its own."""

from __future__ import annotations

import contextlib
import dataclasses
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from memarena import catalog, environments
from memarena.catalog import Entry
from memarena.errors import (
    AdapterContractError,
    AdapterFailure,
    PluginError,
    PluginLoadError,
    UsageError,
    first_line,
)
from memarena.instruments.boundary import Boundary
from memarena.models import Models
from memarena.records import Capabilities, Record
from memarena.rig import Rig
from memarena.selectors import AdapterChoice

ADAPTERS = "memarena.adapters"


class Host(Record, frozen=True, kw_only=True):
    """How an adapter is kept in a process of its own."""

    python: str | None = None
    """Its interpreter; None: the one that runs memarena."""
    seconds: float = 600.0
    """For each call; 0: no limit."""
    memory_mib: int = 0
    """For all its processes together; 0: no limit."""


@dataclass
class PlannedAdapter:
    """One adapter of a run, loaded and mounted once."""

    label: str
    entry: Entry
    options: Mapping[str, Any]
    host: Host | None = None
    """None: it lives in this process."""
    cls: Callable[..., Any] | None = None
    capabilities: Capabilities = field(default_factory=Capabilities)
    failure: str = ""
    """Why it cannot be run at all; "" where it can."""
    of: str = ""
    """The label of the plain row, where this is the row of an oracle."""
    oracle: str = ""
    """The stage that gold replaces: `write` or `maintain`; "" where none is."""

    def make(self, log: Path | None = None) -> Any:
        """A fresh instance; `log` takes what one in a process of its own writes."""
        if self.host is not None:
            from memarena.hosted import HostedAdapter, Limits

            limits = Limits(seconds=self.host.seconds, memory_mib=self.host.memory_mib)
            return HostedAdapter(
                self.label, self.entry.selector, self.options, python=self.host.python, limits=limits, log=log
            )
        if self.cls is None:
            raise PluginLoadError(self.failure)
        return catalog.make(self.cls, self.options, who=str(self.entry))

    def close(self, adapter: Any) -> None:
        """End the process of an instance where it has one of its own, else let it close what it holds, where it can."""
        if self.host is not None:
            adapter.close()
        elif callable(close := getattr(adapter, "close", None)) and not inspect.iscoroutinefunction(close):
            # All that it did is recorded: what it raises while it lets go changes nothing.
            with contextlib.suppress(Exception):
                close()

    @property
    def row(self) -> dict[str, Any]:
        """How the header of a run knows it; without its options."""
        row: dict[str, Any] = {
            "label": self.label,
            "name": self.entry.name,
            "distribution": self.entry.distribution,
            "version": self.entry.version,
            "isolated": self.host is not None,
        }
        return {**row, "name": f"oracle:{self.oracle}", "of": self.of} if self.oracle else row

    def with_oracle(self, stage: str) -> PlannedAdapter:
        """The same adapter in a row in which gold replaces `stage`."""
        return dataclasses.replace(self, label=f"{self.label}+{stage}", of=self.label, oracle=stage)


@dataclass(kw_only=True)
class RunPlan:
    """A run that can start: what the plans of all suites have."""

    header: dict[str, Any]
    adapters: Mapping[str, PlannedAdapter]
    instruments: Sequence[Callable[[], Any]]
    jobs: int
    models: Models = field(default_factory=lambda: Models({}, None, {}))

    @contextlib.contextmanager
    def rig(self, label: str, cell_id: str, log: Path | None = None) -> Iterator[Rig]:
        """A fresh instance of an adapter with its instruments; `log` takes what a process of its own writes."""
        planned = self.adapters[label]
        adapter = planned.make(log)
        try:
            yield Rig(label, adapter, [make() for make in self.instruments], cell_id=cell_id)
        finally:
            planned.close(adapter)


def hosts(choices: Sequence[AdapterChoice], values: Mapping[str, Any]) -> dict[str, Host | None]:
    """Which adapters get a process of their own: all with `isolate`, those with an interpreter in `python`
    (`LABEL=PATH`), and those that are not installed here but have an environment. `values`: the settings of the run.

    Raises UsageError for an unknown label or an interpreter that is not there.
    """
    isolate = values["isolate"] is not None
    seconds, memory_mib = values["time_limit"], values["memory_limit"]
    named = dict(_python(text, [choice.label for choice in choices]) for text in values["python"])
    found: dict[str, Host | None] = {}
    for choice in choices:
        python = named.get(choice.label)
        if python is None and (isolate or not _is_installed(choice)):
            made = environments.find(choice.selector)
            python = None if made is None else str(made)
        alone = isolate or python is not None
        found[choice.label] = Host(python=python, seconds=seconds, memory_mib=memory_mib) if alone else None
    return found


def environment(choice: AdapterChoice, *, seconds: float, memory_mib: int) -> Host | None:
    """The environment that was made for an adapter; None where none was."""
    python = environments.find(choice.selector)
    return None if python is None else Host(python=str(python), seconds=seconds, memory_mib=memory_mib)


def mount(
    choice: AdapterChoice, options: Mapping[str, Any], host: Host | None, *, spare: Host | None = None
) -> PlannedAdapter:
    """Find, load, make and mount an adapter once; in `spare` where it cannot be made in this process.

    Raises PluginError where it is not installed and UsageError for a wrong option; whatever else is wrong with it
    becomes its `failure`.
    """
    adapter = _mounted(choice, options, host)
    return _mounted(choice, options, spare) if adapter.failure and host is None and spare is not None else adapter


def _mounted(choice: AdapterChoice, options: Mapping[str, Any], host: Host | None) -> PlannedAdapter:
    entry = _entry(choice, host)
    adapter = PlannedAdapter(choice.label, entry, options, host)
    try:
        if host is None:
            adapter.cls = entry.load()
        made = adapter.make()
        try:
            adapter.capabilities = Rig(adapter.label, made, [Boundary()]).get_capabilities()
            plugin = getattr(made, "plugin", None) if host is not None else None
            if plugin is not None:
                adapter.entry = entry._replace(distribution=plugin.distribution, version=plugin.version)
        finally:
            adapter.close(made)
    except UsageError:
        raise
    except (PluginLoadError, AdapterContractError, AdapterFailure) as error:
        adapter.failure = str(error) if isinstance(error, PluginLoadError) else f"{entry}: {error}"
    except Exception as error:
        adapter.failure = f"{entry}: {first_line(error)}"
    return adapter


def _entry(choice: AdapterChoice, host: Host | None) -> Entry:
    """The row of an adapter; one that only another interpreter has gets its distribution from there."""
    if host is None or host.python is None:
        return catalog.find(ADAPTERS, choice.selector)
    return Entry(choice.name, "", choice.dist, "", "", ADAPTERS)


def _is_installed(choice: AdapterChoice) -> bool:
    try:
        catalog.find(ADAPTERS, choice.selector)
    except PluginError:
        return any(entry.name == choice.name for entry in catalog.entries(ADAPTERS))
    return True


def _python(text: str, labels: Sequence[str]) -> tuple[str, str]:
    label, equals, path = text.partition("=")
    if not equals or not path:
        raise UsageError(f"--python {text}: write LABEL=PATH, e.g. --python mem0=envs/mem0/bin/python")
    if label not in labels:
        raise UsageError(f"--python {text}: no adapter is labelled {label!r}{catalog.did_you_mean(label, labels)}")
    if not Path(path).is_file():
        raise UsageError(f"--python {text}: there is no interpreter at {path}")
    return label, path
