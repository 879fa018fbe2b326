"""Calls the plugins that follow a run: exporters, notifiers."""

from __future__ import annotations

from typing import Any, Protocol

import pluggy

from memarena.catalog import entries
from memarena.errors import one_line
from memarena.hookspecs import RunSpec


class Notes(Protocol):
    """Takes what a person should know."""

    def note(self, text: str) -> None: ...


class Lifecycle:
    """The plugins of group `memarena.plugins`; what fails in them is a note, never the end of a run."""

    def __init__(self, notes: Notes) -> None:
        self._notes = notes
        self._plugins: list[tuple[str, pluggy.HookRelay]] = []
        for row in entries("plugins"):
            try:
                self._plugins.append((str(row), _hooks_of(row.load())))
            except (Exception, SystemExit) as error:
                notes.note(f"plugin {row} is left out: {one_line(error)}")

    def call(self, hook: str, **arguments: Any) -> None:
        """Call `hook` of every plugin that has it."""
        for name, hooks in self._plugins:
            try:
                getattr(hooks, hook)(**arguments)
            except (Exception, SystemExit) as error:
                self._notes.note(f"plugin {name} failed in {hook}: {one_line(error)}")


def _hooks_of(loaded: Any) -> pluggy.HookRelay:
    manager = pluggy.PluginManager("memarena")
    manager.add_hookspecs(RunSpec)
    manager.register(loaded() if isinstance(loaded, type) else loaded)
    manager.check_pending()
    return manager.hook
