"""A server for embeddings of messages; makes the helpers of these tests importable."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from messages_server import VllmStandIn, serving_messages


@pytest.fixture
def server() -> Iterator[VllmStandIn]:
    """An endpoint on the loopback that embeds messages."""
    with serving_messages() as stand_in:
        yield stand_in
