"""The contract of adapters, kept by OpenClaw."""

from __future__ import annotations

from typing import Any

import pytest
from chat_server import ChatModel
from openclaw_play import needs_openclaw, openclaw

from memarena.testing import AdapterContract


@needs_openclaw
class TestOpenClawContract(AdapterContract):
    def make(self) -> Any:
        return openclaw()

    @pytest.fixture(autouse=True)
    def _model(self, chat: ChatModel) -> None:
        pytest.importorskip("memarena_models", reason="memarena-models is not installed")
        chat.offline = True
        self.model = chat.endpoint
