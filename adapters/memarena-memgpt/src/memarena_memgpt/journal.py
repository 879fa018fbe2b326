"""What was done to the stores, session by session: the delta, exactly."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from memarena.records import MemoryChange, Op


class Journal:
    """Changes in the order in which functions made them."""

    def __init__(self) -> None:
        self._sessions: dict[str, list[MemoryChange]] = {}

    def write(self, session_id: str, changes: Iterable[MemoryChange]) -> None:
        """Add what was done in a session."""
        self._sessions.setdefault(session_id, []).extend(changes)

    def delta(self, session_id: str) -> tuple[MemoryChange, ...]:
        """What a session did in the end: one change an item; what it made and unmade again is left out."""
        return fold(self._sessions.get(session_id, ()))


@dataclass(slots=True)
class _Fate:
    """What became of one item."""

    first: MemoryChange
    text: str = ""
    gone: bool = False
    archived: bool = False
    into: str = ""
    """The item that it was merged into."""
    replaced: list[str] = field(default_factory=list)


def fold(changes: Sequence[MemoryChange]) -> tuple[MemoryChange, ...]:
    """The net effect of `changes`, in the order in which items were touched first."""
    fates: dict[str, _Fate] = {}
    for change in changes:
        fate = fates.setdefault(change.memory_id, _Fate(change))
        fate.text, fate.gone, fate.archived = change.text, change.op == "delete", change.op == "archive"
        for lost, text in zip(change.replaces, change.previous[-len(change.replaces) :], strict=False):
            other = fates.setdefault(lost, _Fate(MemoryChange(op="update", memory_id=lost, previous=(text,))))
            other.gone, other.into = True, change.memory_id
            fate.replaced.append(lost)
    found = (_net(memory_id, fate, fates) for memory_id, fate in fates.items())
    return tuple(change for change in found if change is not None)


def _net(memory_id: str, fate: _Fate, fates: dict[str, _Fate]) -> MemoryChange | None:
    made_here = fate.first.op in ("add", "archive")
    before = fate.first.previous[:1] or (fate.first.text,)
    if fate.gone:
        if made_here or (fate.into and not fates[fate.into].gone):
            return None
        return MemoryChange(op="delete", memory_id=memory_id, text=before[0])
    if fate.archived and not fate.replaced:
        return MemoryChange(op="archive", memory_id=memory_id, text=fate.text)
    if made_here and not fate.replaced:
        return MemoryChange(op="add", memory_id=memory_id, text=fate.text)
    older = [lost for lost in fate.replaced if fates[lost].first.op not in ("add", "archive")]
    texts = [fates[lost].first.previous[0] for lost in older]
    op: Op = "merge" if older else "add" if made_here else "update"
    return MemoryChange(
        op=op,
        memory_id=memory_id,
        text=fate.text,
        previous=(*(() if made_here else before), *texts),
        replaces=tuple(older),
    )
