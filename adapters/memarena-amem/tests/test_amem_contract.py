from __future__ import annotations

import pytest
from amem_stand_in import StandIn

from memarena.hosted import HostedAdapter
from memarena.testing import AdapterContract
from memarena_amem.amem import AMem, AMemOptions


class WithModels(AdapterContract):
    @pytest.fixture(autouse=True)
    def _models(self, offline: StandIn) -> None:
        self.model = self.embedding = offline.model


class TestAMem(WithModels):
    make = AMem


class TestAMemOverTurnsWithoutAttributes(WithModels):
    def make(self) -> AMem:
        return AMem(AMemOptions(unit="turn", attributes=False, links=3))


class TestAMemInAProcessOfItsOwn(WithModels):
    def make(self) -> HostedAdapter:
        return HostedAdapter("amem", "amem")
