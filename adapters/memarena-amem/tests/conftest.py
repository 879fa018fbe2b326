"""A model on the loopback for these tests; makes their helpers importable."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from amem_replies import by_default

from memarena.testing.model_server import ModelServer


@pytest.fixture
def upstream(model_server: ModelServer) -> ModelServer:
    """A model on the loopback that says what its script holds."""
    model_server.reply = by_default
    return model_server
