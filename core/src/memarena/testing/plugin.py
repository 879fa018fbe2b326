"""Fixtures for tests of plugins; switch them on with `pytest_plugins = ["memarena.testing.plugin"]`."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NoReturn

import pytest

from memarena.instruments.boundary import Boundary
from memarena.records import RunContext, Sample
from memarena.rig import Rig
from memarena.testing import tiny
from memarena.testing.model_server import ModelServer, serving_model

_LOOPBACK = ("127.0.0.1", "::1", "localhost")


@pytest.fixture
def tiny_samples() -> tuple[Sample, ...]:
    """The samples of `memarena.testing.tiny`."""
    return tiny.tiny_samples()


@pytest.fixture
def rig(tmp_path: Path) -> Callable[..., Rig]:
    """`rig(adapter, *instruments)`: the adapter mounted and reset; what it raises comes out as AdapterFailure."""
    made = 0

    def make(adapter: object, *instruments: object, **context: Any) -> Rig:
        nonlocal made
        made += 1
        folder = tmp_path / f"rig-{made}"
        folder.mkdir()
        mounted = Rig(type(adapter).__name__, adapter, (Boundary(), *instruments))
        mounted.reset(RunContext(folder=str(folder), namespace=f"rig-{made}", **context))
        return mounted

    return make


@pytest.fixture
def model_server() -> Iterator[ModelServer]:
    """A model on the loopback that says what a test scripts, and fails as it is told."""
    with serving_model() as model:
        yield model


@pytest.fixture
def offline_server(model_server: ModelServer) -> ModelServer:
    """A model on the loopback that replies as the model `offline`; skipped where memarena-models is not installed."""
    model_server.rules = pytest.importorskip("memarena_models.offline", reason="memarena-models is not installed")
    return model_server


@pytest.fixture
def run_cli(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """`run_cli("list-adapters", "--json")`: the real command line in an empty folder, without MEMARENA_ settings."""
    folder = tmp_path / "cli"
    folder.mkdir()
    settings = {name: value for name, value in os.environ.items() if not name.startswith("MEMARENA_")}
    environment = {**settings, "NO_COLOR": "1", "COLUMNS": "120", "PYTHONUTF8": "1"}

    def run(*arguments: str, timeout: float = 600) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "memarena", *arguments],
            cwd=folder,
            env=environment,
            capture_output=True,
            encoding="utf-8",
            timeout=timeout,
            check=False,
        )

    return run


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every connection to another machine, and every look-up of its name, is a RuntimeError."""
    connect, look_up = socket.socket.connect, socket.getaddrinfo

    def refuse(host: object) -> NoReturn:
        raise RuntimeError(f"this test may not reach the network, yet it asked for {host!r}")

    def guarded_connect(self: socket.socket, address: Any) -> None:
        if isinstance(address, tuple) and address[0] not in _LOOPBACK:
            refuse(address[0])
        connect(self, address)

    def guarded_look_up(host: Any, *arguments: Any, **settings: Any) -> Any:
        if host is not None and host not in _LOOPBACK:
            refuse(host)
        return look_up(host, *arguments, **settings)

    monkeypatch.setattr(socket.socket, "connect", guarded_connect)
    monkeypatch.setattr(socket, "getaddrinfo", guarded_look_up)
