"""Says who is to blame: whatever the adapter raises leaves as AdapterFailure."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from memarena.errors import AdapterFailure
from memarena.hookspecs import hookimpl
from memarena.rig import METHODS, Rig


class Boundary:
    """The innermost instrument: nothing but the adapter is inside it."""

    layer = 100

    def __init__(self) -> None:
        self.label = ""

    def attach(self, rig: Rig) -> None:
        self.label = rig.label


def _guarded(method: str) -> Callable[[Boundary], Generator[None, Any, Any]]:
    def wrapper(self: Boundary) -> Generator[None, Any, Any]:
        try:
            return (yield)
        except (Exception, SystemExit) as error:
            raise AdapterFailure(self.label, method, f"{type(error).__name__}: {error}") from error

    wrapper.__name__ = method
    return hookimpl(wrapper=True)(wrapper)


for _method in METHODS:
    setattr(Boundary, _method, _guarded(_method))
