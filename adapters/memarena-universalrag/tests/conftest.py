"""The server of the tests of memarena-rag, which embeds and chats."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[2] / "memarena-rag" / "tests"))

from embedding_server import StandIn, standing_in


@pytest.fixture
def server() -> Iterator[StandIn]:
    """An OpenAI-compatible server on the loopback."""
    with standing_in() as stand_in:
        yield stand_in
