from __future__ import annotations

import pytest

from memarena.hosted import HostedAdapter
from memarena.testing import AdapterContract
from memarena.testing.model_server import ModelServer
from memarena_amem.amem import AMem, AMemOptions


class WithModels(AdapterContract):
    @pytest.fixture(autouse=True)
    def _models(self, offline_server: ModelServer) -> None:
        self.model = self.embedding = offline_server.endpoint


class TestAMem(WithModels):
    make = AMem


class TestAMemOverTurnsWithoutAttributes(WithModels):
    def make(self) -> AMem:
        return AMem(AMemOptions(unit="turn", attributes=False, links=3))


class TestAMemInAProcessOfItsOwn(WithModels):
    def make(self) -> HostedAdapter:
        return HostedAdapter("amem", "amem")
