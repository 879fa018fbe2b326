"""Says who is to blame: whatever the adapter raises leaves as AdapterFailure."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any

from memarena.errors import AdapterFailure, is_ctrl_c, message
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
        except BaseException as error:
            if is_ctrl_c(error):
                raise
            raise AdapterFailure(self.label, method, _described(error)) from error

    wrapper.__name__ = method
    return hookimpl(wrapper=True)(wrapper)


def _described(error: BaseException) -> str:
    text = message(error)
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


for _method in METHODS:
    setattr(Boundary, _method, _guarded(_method))
