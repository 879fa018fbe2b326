"""What a memory is given to work with, and what it keeps, finds and can do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Self

import msgspec

from memarena.records.base import Record

Op = Literal["add", "update", "merge", "keep", "suppress", "archive", "delete"]
Status = Literal["active", "archived", "suppressed"]


class Endpoint(Record, frozen=True, kw_only=True):
    """An OpenAI-compatible endpoint for one cell."""

    base_url: str
    model: str
    api_key: str
    """Made for this cell, worthless outside it."""


class RunContext(Record, frozen=True, kw_only=True):
    """What `reset` is given."""

    folder: str
    """A fresh private folder (absolute path); an adapter writes nowhere else."""
    namespace: str
    """Unique for this cell: use it where a shared server needs a user or collection name."""
    seed: int = 0
    options: Mapping[str, Any] = {}
    """What the user set with `-o LABEL.key=value` and the adapter has no `Options` for."""
    model: Endpoint | None = None
    embedding: Endpoint | None = None
    pictures: bool = True
    captions: str = "given"
    budget_seconds: float | None = None
    budget_tokens: int | None = None


class MemoryItem(Record, frozen=True, kw_only=True):
    """One thing that a system keeps."""

    memory_id: str
    """Stable while the item lives, unique within a snapshot."""
    text: str
    status: Status = "active"
    session_id: str | None = None
    """Session of origin, where the system knows it."""
    turn_ids: tuple[str, ...] = ()
    """Turns of origin, where the system knows them."""
    image_id: str = ""
    image_path: str = ""
    backend_id: str = ""
    metadata: Mapping[str, Any] = {}

    def added(self) -> MemoryChange:
        """The change that says that this item is new."""
        return MemoryChange(op="add", memory_id=self.memory_id, text=self.text)


class MemoryChange(Record, frozen=True, kw_only=True):
    """What one session did to one item."""

    op: Op
    memory_id: str
    text: str = ""
    """The text after the change; the last text for suppress, archive and delete."""
    previous: tuple[str, ...] = ()
    """Texts that this change replaced."""
    replaces: tuple[str, ...] = ()
    """Ids of items that this change replaced."""


class RetrievedItem(Record, frozen=True, kw_only=True):
    """One item of a ranked list; the rank is its place in the list, from 1."""

    memory_id: str
    text: str
    score: float | None = None
    session_id: str | None = None
    turn_ids: tuple[str, ...] = ()
    image_id: str = ""
    image_path: str = ""
    backend_id: str = ""
    metadata: Mapping[str, Any] = {}


class Retrieval(Record, frozen=True, kw_only=True):
    """What `retrieve` returns: ranked items, best first, and the raw trace of how they were found."""

    query: str
    items: tuple[RetrievedItem, ...] = ()
    trace: Mapping[str, Any] = {}

    @classmethod
    def of(
        cls,
        query: str,
        items: Iterable[MemoryItem | RetrievedItem],
        scores: Iterable[float] | None = None,
        trace: Mapping[str, Any] | None = None,
    ) -> Self:
        """Rank `items` as they come, with `scores` (one an item) where there are some."""
        ranked = tuple(items)
        marks: Sequence[float | None] = (None,) * len(ranked) if scores is None else tuple(scores)
        return cls(
            query=query,
            items=tuple(_ranked(item, mark) for item, mark in zip(ranked, marks, strict=True)),
            trace=trace or {},
        )


def _ranked(item: MemoryItem | RetrievedItem, score: float | None) -> RetrievedItem:
    if isinstance(item, RetrievedItem):
        return item if score is None else msgspec.structs.replace(item, score=score)
    return RetrievedItem(
        memory_id=item.memory_id,
        text=item.text,
        score=score,
        session_id=item.session_id,
        turn_ids=item.turn_ids,
        image_id=item.image_id,
        image_path=item.image_path,
        backend_id=item.backend_id,
        metadata=item.metadata,
    )


class Capabilities(Record, frozen=True, kw_only=True):
    """What a system can do: constant. A missing capability turns a test off, never a score down."""

    modalities: tuple[str, ...] = ("text",)
    """Among `text`, `image`."""
    state: bool = True
    """`snapshot_memories` shows all that is kept; False: scored on answers, cost and time only."""
    ranked: bool = True
    """`retrieve` ranks items; False (one bundle): ranking scores are not measured."""
    delta: bool = False
    """`export_memory_delta` tells what a session did; False: the core derives it."""
    updates: bool = False
    """A fact that is superseded in the dialogue is replaced in the store."""
    verbatim: bool | None = None
    """Keeps turns word for word (True), rewrites them (False), not said (None)."""
    answers: bool = False
    """Answers by itself through `answer`."""
    persistent: bool = False
    """`reopen` finds in the folder all that an earlier process left there."""
    parallel_safe: bool = True
    """Two instances may work at the same time in one process."""
    versions: Mapping[str, str] = {}
    """Version of each library or server behind the adapter."""
    remarks: tuple[str, ...] = ()
    """What a reader of its scores must know, in a few words each: reports warn of them."""
