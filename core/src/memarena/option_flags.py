"""The flags that stand for an option: each sets that option of everything in a run that has it."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Collection, Mapping
from typing import Any

from memarena import catalog
from memarena.config import Settings
from memarena.errors import PluginLoadError, UsageError
from memarena.mounting import ADAPTERS, Host
from memarena.run_settings import BY_NAME, OPTION_FLAGS
from memarena.selectors import AdapterChoice

Names = Collection[str] | None
"""The options that a plugin has; None: it cannot be loaded to be asked."""


class OptionFlags:
    """The flags that were given, while a run is planned: handed to each plugin in turn, then checked."""

    def __init__(self, settings: Settings) -> None:
        self._given = {name: flag for name, flag in OPTION_FLAGS.items() if settings[name]}
        self._unmet = {name for name in self._given if settings.origin[name] == BY_NAME[name].flag}

    def applied(self, options: Mapping[str, Any], names: Callable[[], Names]) -> tuple[dict[str, Any], str]:
        """`options` of a plugin with those that the flags stand for, and what its label ends with then.

        What was set for the plugin alone stays as it is.
        """
        found, mark = dict(options), ""
        known = names() if self._given else ()
        for name, flag in self._given.items():
            if known is None or flag.option in known:
                self._unmet.discard(name)
            if known is not None and flag.option in known and flag.option not in options:
                found[flag.option] = True
                mark += flag.mark
        return found, mark

    def check(self) -> None:
        """Raise UsageError for a flag whose option no plugin has; a file or the environment may say it in vain."""
        for name in sorted(self._unmet):
            option = OPTION_FLAGS[name].option
            raise UsageError(f"{BY_NAME[name].flag}: nothing in this run has the option {option!r}; leave it out")


def options_of(target: Any) -> frozenset[str]:
    """The options that a plugin class has."""
    import msgspec

    kind = getattr(target, "Options", None)
    if not (isinstance(kind, type) and issubclass(kind, msgspec.Struct)):
        return frozenset()
    return frozenset(field.encode_name for field in msgspec.structs.fields(kind))


def options_of_plugin(group: str, name: str) -> Names:
    """The options of the plugin `name`; raises PluginError where it is not installed."""
    try:
        return options_of(catalog.load(group, name))
    except PluginLoadError:
        return None


def options_of_adapter(choice: AdapterChoice, host: Host | None) -> Names:
    """The options of an adapter, wherever it is installed."""
    if host is None or host.python is None:
        return options_of_plugin(ADAPTERS, choice.selector)
    told = subprocess.run(
        [host.python, "-m", "memarena", "describe", choice.selector, "--json"],
        capture_output=True,
        encoding="utf-8",
        env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
        check=False,
    )
    if told.returncode:
        return None
    rows = [row for row in json.loads(told.stdout) if row["group"] == "adapters"]
    return frozenset(option["name"] for row in rows for option in row["options"])
