from __future__ import annotations

import pytest

from memarena.hosted import HostedAdapter
from memarena.testing import AdapterContract
from memarena.testing.model_server import ModelServer

pytest.importorskip("agentic_memory", reason="a-mem is not installed; it is tested in an environment of its own")

from memarena_amem.mcp.adapter import AMemMcp, AMemMcpOptions


class WithModels(AdapterContract):
    @pytest.fixture(autouse=True)
    def _models(self, offline_server: ModelServer) -> None:
        self.model = self.embedding = offline_server.endpoint


class TestAMemMcp(WithModels):
    make = AMemMcp


class TestAMemMcpOverTurnsWithoutAttributes(WithModels):
    def make(self) -> AMemMcp:
        return AMemMcp(AMemMcpOptions(unit="turn", attributes=False))


class TestAMemMcpInAProcessOfItsOwn(WithModels):
    def make(self) -> HostedAdapter:
        return HostedAdapter("amem-mcp", "amem-mcp")
