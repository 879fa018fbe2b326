"""Which cell and stage is at work, and what a cell has used.

The loop says the stage; whoever counts model calls (the gateway) registers itself here. Where nothing counts, usage is
None: not measured, never 0.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
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


class UsageRow(Record, frozen=True, kw_only=True):
    """One line of `usage.jsonl`, which a gateway writes into the run folder; the last of a place counts."""

    session: int
    """1 for the first start of the gateway in this folder, 2 for the next, ..."""
    cell_id: str
    stage: str
    model: str
    replayed: bool = False
    calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None


def add_up(rows: Iterable[UsageRow]) -> dict[str, dict[str, Usage]]:
    """Usage by cell and stage, over all sessions and models; a cost that is partly unknown is unknown.

    A replayed call was paid for when it was made: replayed rows count only where a stage has no others.
    """
    last = {(row.session, row.cell_id, row.stage, row.model, row.replayed): row for row in rows}
    places: dict[tuple[str, str], list[UsageRow]] = {}
    for row in sorted(last.values(), key=lambda row: row.replayed):
        several = places.setdefault((row.cell_id, row.stage), [])
        if not row.replayed or not several or several[0].replayed:
            several.append(row)
    found: dict[str, dict[str, Usage]] = {}
    for (cell_id, stage_name), several in places.items():
        costs = [row.cost for row in several if row.cost is not None]
        found.setdefault(cell_id, {})[stage_name] = Usage(
            calls=sum(row.calls for row in several),
            tokens_in=sum(row.tokens_in for row in several),
            tokens_out=sum(row.tokens_out for row in several),
            cost=sum(costs) if len(costs) == len(several) else None,
        )
    return found


UsageSource = Callable[[str], Mapping[str, Usage]]
StageListener = Callable[[str, Stage], None]
EndpointSource = Callable[[str, str], Endpoint]

_current: ContextVar[tuple[str, Stage] | None] = ContextVar("memarena_stage", default=None)
_sources: list[UsageSource] = []
_listeners: list[StageListener] = []
_endpoints: list[EndpointSource] = []
_roles: list[str] = []


def register(
    source: UsageSource,
    listener: StageListener | None = None,
    endpoints: EndpointSource | None = None,
    roles: Iterable[str] = (),
) -> Callable[[], None]:
    """Let `source(cell_id)` answer for the usage of cells; returns the undo.

    `listener` is told each stage; `endpoints(cell_id, role)` says where a model is reached, for these `roles`.
    """
    pairs: list[tuple[list[Any], Any]] = [(_sources, source), (_listeners, listener), (_endpoints, endpoints)]
    pairs += [(_roles, role) for role in roles]
    for known, one in pairs:
        if one is not None:
            known.append(one)

    def undo() -> None:
        for known, one in pairs:
            if one is not None:
                known.remove(one)

    return undo


def optional_endpoint(role: str) -> Endpoint | None:
    """As `endpoint`; None where no gateway is open or nobody chose a model for the role."""
    return endpoint(role) if _endpoints and role in _roles else None


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
