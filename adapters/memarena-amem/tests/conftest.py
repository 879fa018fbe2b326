"""A model on the loopback for these tests; makes their helpers importable."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from amem_stand_in import StandIn, standing_in


@pytest.fixture
def upstream() -> Iterator[StandIn]:
    """A server that says what its script holds."""
    with standing_in() as stand_in:
        yield stand_in


@pytest.fixture
def offline(upstream: StandIn) -> StandIn:
    """A server that plays the model `offline`."""
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    upstream.offline = True
    return upstream
