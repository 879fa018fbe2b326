from __future__ import annotations

from collections.abc import Iterator

import pytest
from embedding_server import StandIn, standing_in

from memarena.hosted import HostedAdapter
from memarena.testing import AdapterContract
from memarena_universalrag.adapter import UniversalRag, UniversalRagOptions


@pytest.fixture(scope="module")
def models() -> Iterator[StandIn]:
    with standing_in() as stand_in:
        yield stand_in


class TestUniversalRag(AdapterContract):
    make = UniversalRag

    @pytest.fixture(autouse=True)
    def _endpoints(self, models: StandIn) -> None:
        self.embedding = models.endpoint()


class TestUniversalRagHosted(TestUniversalRag):
    def make(self) -> HostedAdapter:
        return HostedAdapter("universalrag", "universalrag")


class TestUniversalRagRoutedByAModel(TestUniversalRag):
    @pytest.fixture(autouse=True)
    def _model(self, models: StandIn) -> None:
        self.model = models.endpoint()

    def make(self) -> UniversalRag:
        return UniversalRag(UniversalRagOptions(router="model"))


class TestUniversalRagWithARouterThatFails(TestUniversalRagRoutedByAModel):
    @pytest.fixture(autouse=True)
    def _junk(self, models: StandIn) -> Iterator[None]:
        models.said = "I cannot say."
        yield
        models.said = "turn"


class TestUniversalRagInQdrant(TestUniversalRag):
    @pytest.fixture(autouse=True)
    def _library(self) -> None:
        pytest.importorskip("qdrant_client", reason="qdrant-client is not installed")

    def make(self) -> UniversalRag:
        return UniversalRag(UniversalRagOptions(qdrant="disk"))
