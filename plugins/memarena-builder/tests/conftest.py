"""Samples that are built once for all tests; makes their helpers importable."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from builder_on_disk import OnDisk
from builder_orders import order

from memarena_builder.layout import write_sample
from memarena_builder.lifelong import Built, build_sample


@pytest.fixture(scope="session")
def built() -> list[Built]:
    """One sample of each split and of two domains."""
    return [
        build_sample(order("health")),
        build_sample(order("software", 4, "dev")),
        build_sample(order("personal", 5)),
    ]


@pytest.fixture(scope="session")
def on_disk(built: list[Built], tmp_path_factory: pytest.TempPathFactory) -> list[OnDisk]:
    root = tmp_path_factory.mktemp("sim")
    for each in built:
        write_sample(each, root)
    return [OnDisk(root, each) for each in built]
