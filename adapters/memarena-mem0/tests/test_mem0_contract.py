from __future__ import annotations

from typing import Any

import pytest

from memarena import catalog
from memarena.hosted import HostedAdapter
from memarena.testing import AdapterContract


class Contract(AdapterContract):
    name: str

    @pytest.fixture(autouse=True)
    def _set_up(self, name: str, offline_server: Any) -> None:
        self.name = name
        self.model = self.embedding = offline_server.endpoint


class TestMem0(Contract):
    def make(self) -> Any:
        return catalog.make(catalog.load("memarena.adapters", self.name), {})


class TestMem0ByTurnsWithVision(Contract):
    def make(self) -> Any:
        return catalog.make(catalog.load("memarena.adapters", self.name), {"unit": "turn", "vision": True})


class TestMem0Hosted(Contract):
    def make(self) -> HostedAdapter:
        return HostedAdapter(self.name, self.name)
