"""What these tests share stands beside them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


def pytest_configure(config: pytest.Config) -> None:
    """Name the mark of tests that need a real model server."""
    config.addinivalue_line("markers", "models: needs a real model server, run by nox -s models")
