from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from messages_server import VllmStandIn, serving_messages

from memarena.hosted import HostedAdapter
from memarena.testing import AdapterContract
from memarena.testing.checks import Stage
from memarena_qwen3vl.adapter import Qwen3Vl
from memarena_qwen3vl.options import Qwen3VlOptions


@pytest.fixture(scope="module")
def embeddings() -> Iterator[VllmStandIn]:
    with serving_messages() as stand_in:
        yield stand_in


class TestQwen3Vl(AdapterContract):
    make = Qwen3Vl

    @pytest.fixture(autouse=True)
    def _endpoint(self, embeddings: VllmStandIn) -> None:
        self.embedding = embeddings.endpoint()


class TestQwen3VlHosted(TestQwen3Vl):
    def make(self) -> HostedAdapter:
        return HostedAdapter("qwen3-vl", "qwen3-vl")


class TestQwen3VlOverTurnsWithACache(TestQwen3Vl):
    def stage(self, folder: Path) -> Stage:
        self.cache = str(folder / "cache")
        return super().stage(folder)

    def make(self) -> Qwen3Vl:
        return Qwen3Vl(Qwen3VlOptions(unit="turn", captions=False, cache=self.cache, least_pictures=1))


class TestQwen3VlInQdrant(TestQwen3Vl):
    @pytest.fixture(autouse=True)
    def _library(self) -> None:
        pytest.importorskip("qdrant_client", reason="qdrant-client is not installed")

    def make(self) -> Qwen3Vl:
        return Qwen3Vl(Qwen3VlOptions(qdrant="disk"))
