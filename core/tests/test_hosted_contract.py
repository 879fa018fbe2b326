"""The contract suite, unchanged, with each floor in a process of its own."""

from __future__ import annotations

from memarena.hosted import HostedAdapter
from memarena.testing import AdapterContract


class TestNothingHosted(AdapterContract):
    def make(self) -> HostedAdapter:
        return HostedAdapter("nothing", "nothing")


class TestConstantHosted(AdapterContract):
    def make(self) -> HostedAdapter:
        return HostedAdapter("constant", "constant")


class TestVerbatimHosted(AdapterContract):
    def make(self) -> HostedAdapter:
        return HostedAdapter("verbatim", "verbatim")


class TestLastSessionHosted(AdapterContract):
    def make(self) -> HostedAdapter:
        return HostedAdapter("last-session", "last-session")
