"""What each session did to the facts, as changes of memory items."""

from __future__ import annotations

from memarena.records import MemoryChange
from memarena_graph.timeline import Changes, Fact


class Journal:
    """The changes of each session, in their order."""

    def __init__(self) -> None:
        self._changes: dict[str, list[MemoryChange]] = {}

    def write(self, session_id: str, changes: Changes) -> None:
        """Take in what a round did: a fact that is new, replaces others, is said again, or is closed.

        A fact that was new in this session already is not said to be there again.
        """
        told = self._changes.setdefault(session_id, [])
        fresh = {change.memory_id for change in told}
        for fact, _ in changes.added:
            told.append(_change(fact, changes) or MemoryChange(op="add", memory_id=fact.fact_id, text=fact.text))
        for fact, _ in changes.repeated:
            change = _change(fact, changes)
            if change is not None or fact.fact_id not in fresh:
                told.append(change or MemoryChange(op="merge", memory_id=fact.fact_id, text=fact.text))
        told.extend(
            MemoryChange(op="archive", memory_id=closing.fact.fact_id, text=closing.fact.text)
            for closing in changes.closed
        )

    def of(self, session_id: str) -> tuple[MemoryChange, ...]:
        """What the session did; () for one that said nothing, or that is not known."""
        return tuple(self._changes.get(session_id, ()))


def _change(fact: Fact, changes: Changes) -> MemoryChange | None:
    """That `fact` took the place of others; None where it did not."""
    closed = [closing.fact for closing in changes.closed if closing.by == fact.fact_id]
    if not closed:
        return None
    return MemoryChange(
        op="update",
        memory_id=fact.fact_id,
        text=fact.text,
        previous=tuple(old.text for old in closed),
        replaces=tuple(old.fact_id for old in closed),
    )
