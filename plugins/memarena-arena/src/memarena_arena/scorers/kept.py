"""What a session wrote and what is kept after it, and the judgements that read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from memarena.records import JudgementRequest, Label, MemoryItem, SessionRecord
from memarena_arena.scorers import verdicts

Kind = Literal["update", "interference"]

_TASKS: tuple[Kind, ...] = ("update", "interference")
WRITES = frozenset(("add", "update", "merge"))
"""The operations that write a text."""
_VERDICTS: Mapping[Kind, tuple[str, ...]] = {
    "update": ("updated", "both", "outdated", "missed"),
    "interference": ("rejected", "memorized"),
}
_OF_NOTHING: Mapping[Kind, str] = {"update": "missed", "interference": "rejected"}
"""The verdict on a point where nothing at all is kept."""


def written(record: SessionRecord) -> tuple[str, ...]:
    """`D`: the texts that the session added, updated or merged; blank ones say nothing and are left out."""
    return tuple(change.text for change in record.changes if change.op in WRITES and change.text.strip())


def requests(record: SessionRecord) -> dict[str, JudgementRequest]:
    """The judgements on what is kept: over the active items and, where others are kept too, over all (`..._all`)."""
    active, everything = _stores(record)
    found: dict[str, JudgementRequest] = {}
    for task in _TASKS:
        if not record.session.gold(task):
            continue
        if active:
            found[task] = _request(record, task, active)
        if len(everything) > len(active):
            found[f"{task}_all"] = _request(record, task, everything)
    return found


def read(
    record: SessionRecord, labels: Mapping[str, Label | None], task: Kind, count: int
) -> tuple[list[str | None], list[str | None]]:
    """The verdicts over the active items, and over all items."""
    active, everything = _stores(record)
    allowed = _VERDICTS[task]
    over_active: list[str | None] = [_OF_NOTHING[task]] * count
    if active:
        over_active = verdicts.read(labels, task, count, allowed)
    if len(everything) == len(active):
        return over_active, over_active
    return over_active, verdicts.read(labels, f"{task}_all", count, allowed)


def _stores(record: SessionRecord) -> tuple[list[MemoryItem], list[MemoryItem]]:
    everything = [item for item in record.snapshot if item.text.strip() or item.image_id]
    return [item for item in everything if item.status == "active"], everything


def _request(record: SessionRecord, task: Kind, items: Sequence[MemoryItem]) -> JudgementRequest:
    points = record.session.gold(task)
    return JudgementRequest(
        task=task,
        items=tuple(item.text for item in items),
        item_images=tuple(item.image_id for item in items) if any(item.image_id for item in items) else (),
        points=tuple(point.content for point in points),
        replaces=tuple(point.replaces for point in points) if task == "update" else (),
    )
