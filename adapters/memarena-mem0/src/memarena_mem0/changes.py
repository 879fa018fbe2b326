"""What a session did: the difference of two readings of the store."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from memarena.records import MemoryChange, MemoryItem, Op


def changes_between(
    before: Mapping[str, MemoryItem], after: Mapping[str, MemoryItem], told: Mapping[str, Sequence[str]]
) -> tuple[MemoryChange, ...]:
    """New, changed and deleted items, in the order of `after`, then those that are gone.

    `told`: texts that an item had in between, by its id.
    """
    found = [_change(before.get(memory_id), item, told.get(memory_id, ())) for memory_id, item in after.items()]
    gone = (
        MemoryChange(op="delete", memory_id=memory_id, text=item.text)
        for memory_id, item in before.items()
        if memory_id not in after
    )
    return (*filter(None, found), *gone)


def _change(old: MemoryItem | None, new: MemoryItem, told: Sequence[str]) -> MemoryChange | None:
    if old == new:
        return None
    had = told if old is None else (old.text, *told)
    previous = dict.fromkeys(text for text in had if text and text != new.text)
    op: Op = "add" if old is None else "update"
    return MemoryChange(op=op, memory_id=new.memory_id, text=new.text, previous=tuple(previous))
