"""A server for embeddings; makes the helpers of these tests importable."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from embedding_server import StandIn, standing_in


@pytest.fixture
def server() -> Iterator[StandIn]:
    """An OpenAI-compatible server on the loopback."""
    with standing_in() as stand_in:
        yield stand_in
