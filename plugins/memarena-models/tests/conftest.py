"""Fixtures for gateways; makes the helpers of these tests importable."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from gateway_host import QUICK, Host
from stand_in_upstream import KEY, StandInUpstream, standing_in

from memarena_models.settings import Options, Upstream


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "models: needs a real model from PyPI; runs with MEMARENA_LIVE=1")


@pytest.fixture(scope="session")
def _one_upstream() -> Iterator[StandInUpstream]:
    with standing_in() as stand_in:
        yield stand_in


@pytest.fixture
def upstream(_one_upstream: StandInUpstream) -> StandInUpstream:
    """A server on the loopback that plays an OpenAI-compatible one."""
    _one_upstream.reset()
    return _one_upstream


@pytest.fixture
def serve(upstream: StandInUpstream) -> Iterator[Callable[..., Host]]:
    """Start gateways whose model `m` (and every other) is that of `upstream`; all are stopped at the end."""
    hosts: list[Host] = []

    def start(folder: Path | None = None, *, offline: Any = None, concurrency: int = 64, **options: Any) -> Host:
        server = Upstream(base_url=upstream.base_url, key_env="UPSTREAM_KEY", concurrency=concurrency)
        chosen = {"upstreams": {"up": server}, "retries": QUICK, **options}
        host = Host(Options(**chosen), folder, offline, {"up": KEY} if "up" in chosen["upstreams"] else {})
        hosts.append(host)
        return host

    yield start
    for host in hosts:
        host.stop()
