from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from memarena.hosted import HostedAdapter
from memarena.testing import AdapterContract


class Contract(AdapterContract):
    @pytest.fixture(autouse=True)
    def _set_up(self, make: Callable[..., Any], offline_server: Any) -> None:
        self.made = make
        self.model = self.embedding = offline_server.endpoint


class TestGraphiti(Contract):
    def make(self) -> Any:
        return self.made()


class TestGraphitiHosted(Contract):
    def make(self) -> HostedAdapter:
        return HostedAdapter("graphiti", "graphiti")
