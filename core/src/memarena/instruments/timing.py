"""Time spent in each method, into the rig's ledger."""

from __future__ import annotations

from collections.abc import Callable, Generator
from time import perf_counter_ns
from typing import Any

from memarena.hookspecs import hookimpl
from memarena.rig import METHODS, Ledger, Rig


class Timing:
    """Measures nanoseconds and calls by method; injected latency counts as the system's."""

    layer = 30

    def __init__(self) -> None:
        self.ledger = Ledger()

    def attach(self, rig: Rig) -> None:
        self.ledger = rig.ledger


def _timed(method: str) -> Callable[[Timing], Generator[None, Any, Any]]:
    def wrapper(self: Timing) -> Generator[None, Any, Any]:
        start = perf_counter_ns()
        try:
            return (yield)
        finally:
            ledger = self.ledger
            ledger.nanoseconds[method] += perf_counter_ns() - start
            ledger.calls[method] += 1

    wrapper.__name__ = method
    return hookimpl(wrapper=True)(wrapper)


for _method in METHODS:
    setattr(Timing, _method, _timed(_method))
