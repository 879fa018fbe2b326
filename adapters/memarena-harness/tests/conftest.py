"""What these tests share stands beside them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

from chat_server import ChatModel
from harness_model import serving
from responses_server import Model


@pytest.fixture
def model() -> Iterator[Model]:
    """A model on the loopback that says what its script holds."""
    with serving(Model()) as found:
        yield found


@pytest.fixture
def offline(model: Model) -> Model:
    """A model on the loopback that plays `offline`."""
    pytest.importorskip("memarena_models", reason="memarena-models is not installed")
    model.offline = True
    return model


@pytest.fixture
def chat() -> Iterator[ChatModel]:
    """A model on the loopback that streams chat completions."""
    with serving(ChatModel()) as found:
        yield found
