"""A model on the loopback that replies by the rules of the model offline, and the adapter at work on it."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from memarena import catalog
from memarena.records import RunContext
from memarena.testing.model_server import ModelServer


@pytest.fixture
def name() -> str:
    """The adapter for the version of mem0ai that is installed here."""
    try:
        return {"1": "mem0-classic", "2": "mem0"}[metadata.version("mem0ai").partition(".")[0]]
    except metadata.PackageNotFoundError:
        pytest.skip("mem0ai is not installed; its two versions are tested in environments of their own")


@pytest.fixture
def context(offline_server: ModelServer, tmp_path: Path) -> RunContext:
    folder, endpoint = tmp_path / "own", offline_server.endpoint
    folder.mkdir()
    return RunContext(folder=str(folder), namespace="cell", model=endpoint, embedding=endpoint)


@pytest.fixture
def make(name: str) -> Callable[..., Any]:
    """Makes the adapter that is installed here, with these options."""

    def made(**options: Any) -> Any:
        return catalog.make(catalog.load("memarena.adapters", name), options)

    return made


@pytest.fixture
def adapter(make: Callable[..., Any], context: RunContext) -> Any:
    made = make(unit="turn")
    made.reset(context)
    return made
