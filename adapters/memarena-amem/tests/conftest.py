"""A model on the loopback for these tests; makes their helpers importable."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from amem_replies import by_default

from memarena.testing.model_server import ModelServer, serving_model


@pytest.fixture
def upstream() -> Iterator[ModelServer]:
    """A server that says what its script holds."""
    with serving_model() as model:
        model.reply = by_default
        yield model


@pytest.fixture
def offline(upstream: ModelServer) -> ModelServer:
    """A server that plays the model `offline`."""
    upstream.rules = pytest.importorskip("memarena_models.offline", reason="memarena-models is not installed")
    upstream.reply = None
    return upstream
