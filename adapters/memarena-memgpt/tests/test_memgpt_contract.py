from __future__ import annotations

import pytest

from memarena.hosted import HostedAdapter
from memarena.testing import AdapterContract
from memarena.testing.model_server import ModelServer
from memarena_memgpt.memgpt import MemGpt, MemGptOptions
from memarena_memgpt.mgmemory import MgMemory, MgMemoryOptions


class WithModels(AdapterContract):
    @pytest.fixture(autouse=True)
    def _models(self, offline_server: ModelServer) -> None:
        self.model = self.embedding = offline_server.endpoint


class TestMemGpt(WithModels):
    make = MemGpt


class TestMemGptWithDirectSearchAndLittleRoom(WithModels):
    def make(self) -> MemGpt:
        return MemGpt(MemGptOptions(search="direct", window=4096, warn_at=0.3, flush_at=0.4, block_limit=100))


class TestMemGptInAProcessOfItsOwn(WithModels):
    def make(self) -> HostedAdapter:
        return HostedAdapter("memgpt", "memgpt")


class TestMgMemory(WithModels):
    make = MgMemory


class TestMgMemoryThatFlushesAllTheTime(WithModels):
    def make(self) -> MgMemory:
        return MgMemory(MgMemoryOptions(flush_words=20))


class TestMgMemoryInAProcessOfItsOwn(WithModels):
    def make(self) -> HostedAdapter:
        return HostedAdapter("mgmemory", "mgmemory")
