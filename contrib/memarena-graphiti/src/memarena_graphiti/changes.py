"""What a session did, as graphiti told of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from memarena.records import MemoryChange


class Journal:
    """The facts that graphiti added, closed or found repeated, a session after the other."""

    def __init__(self) -> None:
        self._known: set[str] = set()
        """The facts that are in the graph."""
        self._closed: set[str] = set()
        self._session: str | None = None
        self._touched: dict[str, Any] = {}
        """The facts that the newest session touched, as they were at last."""
        self._new: set[str] = set()
        self._ended: set[str] = set()

    def know(self, fact: str, *, closed: bool = False) -> None:
        """The fact with this id was there before."""
        self._known.add(fact)
        if closed:
            self._closed.add(fact)

    def enter(self, session_id: str) -> None:
        """What follows is of this session."""
        if session_id != self._session:
            self._session = session_id
            self._touched, self._new, self._ended = {}, set(), set()

    def note(self, facts: Iterable[Any]) -> None:
        """An episode made, repeated or closed these facts of graphiti."""
        for fact in facts:
            self._touched[fact.uuid] = fact
            if fact.uuid not in self._known:
                self._known.add(fact.uuid)
                self._new.add(fact.uuid)
            if fact.expired_at is not None and fact.uuid not in self._closed:
                self._closed.add(fact.uuid)
                self._ended.add(fact.uuid)

    def changes(self, session_id: str, name: Callable[[str], str]) -> tuple[MemoryChange, ...]:
        """Facts that are new, those that turns repeated (`merge`), then those that were closed (`archive`).

        `name` gives the memory_id of a fact.
        """
        if session_id != self._session:
            return ()
        found = [
            MemoryChange(op="add" if each in self._new else "merge", memory_id=name(each), text=fact.fact)
            for each, fact in self._touched.items()
            if each in self._new or each not in self._ended
        ]
        ended = [
            MemoryChange(op="archive", memory_id=name(each), text=fact.fact)
            for each, fact in self._touched.items()
            if each in self._ended
        ]
        return (*found, *ended)
