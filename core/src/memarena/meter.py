"""Which cell and stage is at work, and what a cell has used.

The loop says the stage; whoever counts model calls (the gateway) registers itself here. Where nothing counts, usage is
None: not measured, never 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Literal

from memarena.errors import ModelError
from memarena.records import Endpoint, Record

Stage = Literal["write", "retrieve", "answer", "judge"]


class Usage(Record, frozen=True, kw_only=True):
    """What one stage of one cell has used; None where it is not known."""

    calls: int = 0
    tokens_in: int | None = None
    tokens_out: int | None = None
    cost: float | None = None
    """In the currency of the price table; None where a price is not known."""


UsageSource = Callable[[str], Mapping[str, Usage]]
StageListener = Callable[[str, Stage], None]
EndpointSource = Callable[[str, str], Endpoint]

_current: ContextVar[tuple[str, Stage] | None] = ContextVar("memarena_stage", default=None)
_sources: list[UsageSource] = []
_listeners: list[StageListener] = []
_endpoints: list[EndpointSource] = []


def register(
    source: UsageSource, listener: StageListener | None = None, endpoints: EndpointSource | None = None
) -> Callable[[], None]:
    """Let `source(cell_id)` answer for the usage of cells; returns the undo.

    `listener` is told each stage; `endpoints(cell_id, role)` says where a model is reached.
    """
    pairs: list[tuple[list[Any], Any]] = [(_sources, source), (_listeners, listener), (_endpoints, endpoints)]
    for known, one in pairs:
        if one is not None:
            known.append(one)

    def undo() -> None:
        for known, one in pairs:
            if one is not None:
                known.remove(one)

    return undo


def endpoint(role: str) -> Endpoint:
    """Where the model of `role` (`answer`, `judge`, ...) is reached by the cell at work.

    Raises ModelError where no gateway is open or no cell is at work.
    """
    at_work = _current.get()
    if not _endpoints or at_work is None:
        raise ModelError(f"no model is at hand for the role {role!r}: name one with --model {role}=NAME")
    return _endpoints[-1](at_work[0], role)


@contextmanager
def stage(cell_id: str, name: Stage) -> Iterator[None]:
    """Everything inside belongs to this stage of this cell."""
    for listener in _listeners:
        listener(cell_id, name)
    token = _current.set((cell_id, name))
    try:
        yield
    finally:
        _current.reset(token)


def current() -> tuple[str, Stage] | None:
    """The cell and stage at work in this thread or task; None outside a run."""
    return _current.get()


def usage(cell_id: str) -> Mapping[str, Usage] | None:
    """Usage of a cell by stage; None where nothing counts."""
    if not _sources:
        return None
    total: dict[str, Usage] = {}
    for source in _sources:
        total.update(source(cell_id))
    return total


_WIDE = "\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef\u0e00-\u0e7f\u3040-\u30ff"
_PIECE = re.compile(rf"[^\W{_WIDE}]+|[{_WIDE}]|[^\w\s]")


def estimate_tokens(text: str) -> int:
    """Tokens of `text`, estimated: a word of n letters counts ceil(n / 4), a mark or an East Asian character 1."""
    return sum((len(piece) + 3) // 4 for piece in _PIECE.findall(text))
