"""What the tests of this package share; makes their helpers importable."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from wma_folder import Folder


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """An empty data set."""
    return Folder(tmp_path / "data")
