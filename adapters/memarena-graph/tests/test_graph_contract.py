from __future__ import annotations

import os

import pytest

from memarena.hosted import HostedAdapter
from memarena.testing import AdapterContract
from memarena.testing.model_server import ModelServer
from memarena_graph.adapter import GraphMemory
from memarena_graph.options import GraphOptions


@pytest.mark.usefixtures("bolt")
class WithModels(AdapterContract):
    @pytest.fixture(autouse=True)
    def _models(self, offline_server: ModelServer) -> None:
        self.model = self.embedding = offline_server.endpoint


class TestGraph(WithModels):
    make = GraphMemory


class TestGraphOfTurnsInADatabaseByUrl(WithModels):
    @pytest.fixture(autouse=True)
    def _place(self, by_url: dict[str, str]) -> None:
        self.options_given = by_url

    def make(self) -> GraphMemory:
        return GraphMemory(GraphOptions(unit="turn", history=True, hop=0, **self.options_given))


class TestGraphInAProcessOfItsOwn(WithModels):
    """By URL, since a server for each of its processes would take long."""

    @pytest.fixture(autouse=True)
    def _place(self, by_url: dict[str, str]) -> None:
        self.options_given = by_url

    def make(self) -> HostedAdapter:
        name = self.options_given["password_env"]
        return HostedAdapter("graph", "graph", self.options_given, environment={name: os.environ[name]})
